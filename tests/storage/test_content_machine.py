"""Edits of content and of alignments in any order, against a topic kept in memory."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from awase.core.annotation import actions, content
from awase.core.annotation.actions import topic_after
from awase.core.annotation.content import rewritten
from awase.core.errors import EnvironmentProblem, InputError
from awase.core.records.edits import Edit
from awase.core.records.source import SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.resplitting import resplit
from awase.storage.store import CorpusStore
from tests import strategies
from tests.machines import run_machine
from tests.storage.failures import CODES, failing_write
from tests.storage.store_machine import StoreMachine

pytestmark = pytest.mark.slow

PEOPLE = st.sampled_from(["ann", "bob"])
TEXTS = st.lists(st.text("あい。ab ", min_size=1, max_size=8), max_size=4).map(tuple)


class ContentMachine(StoreMachine):
    def __init__(self) -> None:
        super().__init__()
        self.topic = self.store.topic("t1")
        self.done: dict[str, list[Edit]] = {"ann": [], "bob": []}
        self.undone: dict[str, list[Edit]] = {"ann": [], "bob": []}

    def _apply(self, who: str, edit: Edit | None) -> None:
        if edit is None:
            return
        self.store.apply(edit, who=who)
        self.topic = topic_after(self.topic, edit)
        self.done[who].append(edit)
        self.undone[who].clear()

    def _topic_edit(self, new: Topic, verb: str) -> Edit | None:
        return content.topic_edit(self.topic, new, verb=verb)

    @rule(who=PEOPLE, data=st.data(), text=strategies.texts)
    def edit_a_source_text(self, who: str, data: st.DataObject, text: str) -> None:
        refs = list(self.topic.refs())
        if refs:
            ref = data.draw(st.sampled_from(refs))
            self._apply(who, content.source_text_edit(self.topic, ref, text))

    @rule(who=PEOPLE, data=st.data(), texts=TEXTS)
    def rewrite_an_abstract(self, who: str, data: st.DataObject, texts: tuple[str, ...]) -> None:
        if self.topic.abstracts:
            old = data.draw(st.sampled_from(self.topic.abstracts))
            new = rewritten(old, texts).abstract
            abstracts = tuple(new if part is old else part for part in self.topic.abstracts)
            after = replace(self.topic, abstracts=abstracts)
            self._apply(who, self._topic_edit(after, content.EDIT_ABSTRACT))

    @rule(who=PEOPLE, data=st.data())
    def exchange_the_abstracts(self, who: str, data: st.DataObject) -> None:
        abstract = strategies.abstracts(list(self.topic.refs()))
        drawn = data.draw(st.lists(abstract, max_size=2, unique_by=lambda part: part.id))
        after = replace(self.topic, abstracts=tuple(drawn))
        self._apply(who, self._topic_edit(after, content.ADD_ABSTRACT))

    @rule(who=PEOPLE, document=strategies.documents())
    def add_or_remove_a_document(self, who: str, document: object) -> None:
        if document.id in {known.id for known in self.topic.documents}:
            after = content.without_document(self.topic, document.id)
        else:
            after = content.with_document(self.topic, document)
        self._apply(who, self._topic_edit(after, content.ADD_DOCUMENT))

    @rule(who=PEOPLE, data=st.data())
    def remove_a_document(self, who: str, data: st.DataObject) -> None:
        if self.topic.documents:
            document = data.draw(st.sampled_from(self.topic.documents))
            after = content.without_document(self.topic, document.id)
            self._apply(who, self._topic_edit(after, content.REMOVE_DOCUMENT))

    @rule(who=PEOPLE, data=st.data(), texts=TEXTS)
    def resplit_a_document(self, who: str, data: st.DataObject, texts: tuple[str, ...]) -> None:
        if not self.topic.documents:
            return
        document = data.draw(st.sampled_from(self.topic.documents))
        found = resplit([(s.n, s.text) for s in document.sentences], texts)
        sentences = tuple(SourceSentence(n=n, text=text) for n, text in found.sentences)
        carried = content.carried_in(document.id, found)
        after = content.with_replaced_document(
            self.topic, replace(document, sentences=sentences), carried
        )
        self._apply(who, self._topic_edit(after, content.RESPLIT_DOCUMENT))

    @rule(who=PEOPLE, data=st.data())
    def link(self, who: str, data: st.DataObject) -> None:
        refs = list(self.topic.refs())
        places = [(a, s.n) for a in self.topic.abstracts for s in a.sentences]
        if refs and places:
            abstract, n = data.draw(st.sampled_from(places))
            alignment = abstract.alignment_by(who)
            entry = alignment.of_sentence(n) if alignment else actions.SentenceAlignment(n=n)
            new = actions.with_toggled(entry, 0, data.draw(st.sampled_from(refs)))
            edit = actions.alignment_edit("t1", abstract, who, new, verb=actions.LINK)
            self._apply(who, edit)

    @rule(who=PEOPLE)
    def undo(self, who: str) -> None:
        if self.done[who]:
            self._step(self.store.undo, who, self.done[who][-1].inverse(), self.done, self.undone)

    @rule(who=PEOPLE)
    def redo(self, who: str) -> None:
        if self.undone[who]:
            self._step(self.store.redo, who, self.undone[who][-1], self.undone, self.done)

    def _step(self, step, who, edit, taken, given) -> None:
        try:
            step(who=who)
        except InputError:
            return  # somebody else changed the same thing; the invariant sees that nothing moved
        self.topic = topic_after(self.topic, edit)
        given[who].append(taken[who].pop())

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = CorpusStore.open(self.path, who="ann")

    @rule(who=PEOPLE, at=st.integers(0, 6), code=st.sampled_from(CODES))
    def fail(self, who: str, at: int, code: int) -> None:
        edits = [self._topic_edit(replace(self.topic, title="never"), content.EDIT_TOPIC)]
        if self.topic.documents:
            gone = content.without_document(self.topic, self.topic.documents[0].id)
            edits.append(self._topic_edit(gone, content.REMOVE_DOCUMENT))
        for edit in filter(None, edits):
            try:
                with failing_write(at, code):
                    self.store.apply(edit, who=who)
            except EnvironmentProblem:
                continue
            self.store.undo(who=who)
            self.undone[who] = [edit]
            # The failing write was beyond the last one, so that the edit is done and undone.

    @invariant()
    def the_stored_topic_is_the_one_in_memory(self) -> None:
        assert self.store.topic("t1") == self.topic

    @invariant()
    def the_history_is_what_was_done(self) -> None:
        for who in ("ann", "bob"):
            history = self.store.history(who)
            assert [operation.edit for operation in history.done] == self.done[who]
            assert [operation.edit for operation in history.undone] == self.undone[who]


def test_that_content_and_alignments_stay_what_memory_says(template):
    run_machine(ContentMachine, template, max_examples=80, n_steps=50)

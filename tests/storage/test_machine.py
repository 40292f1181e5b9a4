"""Everything that can happen to a corpus in any order, against a model made of plain dicts."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus
from awase.core.records.edits import AlignmentEdit, Edit, RankEdit
from awase.storage.edits import StaleEdit
from awase.storage.store import CorpusStore
from tests.machines import run_machine
from tests.storage import sample
from tests.storage.failures import CODES, failing_write, full_disk
from tests.storage.store_machine import StoreMachine

pytestmark = pytest.mark.slow

PEOPLE = st.sampled_from(["ann", "bob"])
ABSTRACTS = st.sampled_from(["long", "short"])
NS = st.sampled_from(sample.NUMBERS)


class Model:
    """A corpus and its history as dicts and lists; an entry that says nothing is left out."""

    def __init__(self) -> None:
        self.topics: dict[str, dict[str, dict[str, dict[int, SentenceAlignment]]]] = {}
        self.ranks: dict[tuple[str, str, int], str | None] = {}
        self.done: dict[str, list[Edit]] = {"ann": [], "bob": []}
        self.undone: dict[str, list[Edit]] = {"ann": [], "bob": []}

    def add(self, topic_id: str) -> None:
        self.topics[topic_id] = {"long": {}, "short": {}}
        for abstract_id in ("long", "short"):
            for n in sample.NUMBERS:
                self.ranks[topic_id, abstract_id, n] = "A"

    def value(self, edit: Edit) -> object:
        if isinstance(edit, RankEdit):
            return self.ranks[edit.topic, edit.abstract, edit.n]
        entries = self.topics[edit.topic][edit.abstract].get(edit.annotator, {})
        return entries.get(edit.new.n, SentenceAlignment(n=edit.new.n))

    def write(self, edit: Edit) -> None:
        if isinstance(edit, RankEdit):
            self.ranks[edit.topic, edit.abstract, edit.n] = edit.new
            return
        alignments = self.topics[edit.topic][edit.abstract]
        entries = alignments.setdefault(edit.annotator, {})
        entries[edit.new.n] = edit.new
        if edit.new == SentenceAlignment(n=edit.new.n):
            del entries[edit.new.n]
        if not entries:
            del alignments[edit.annotator]

    def corpus(self) -> Corpus:
        return Corpus(
            name="sample",
            topics=tuple(
                replace(
                    sample.topic(topic_id),
                    abstracts=tuple(
                        self._abstract(topic_id, abstract)
                        for abstract in sample.topic(topic_id).abstracts
                    ),
                )
                for topic_id in self.topics
            ),
        )

    def _abstract(self, topic_id: str, abstract: Abstract) -> Abstract:
        alignments = self.topics[topic_id][abstract.id]
        return replace(
            abstract,
            sentences=tuple(
                replace(sentence, rank=self.ranks[topic_id, abstract.id, sentence.n])
                for sentence in abstract.sentences
            ),
            alignments=tuple(
                Alignment(
                    annotator=annotator,
                    sentences=tuple(entries[n] for n in sample.NUMBERS if n in entries),
                )
                for annotator, entries in alignments.items()
            ),
        )


class CorpusMachine(StoreMachine):
    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.model.add("t1")

    # Edits

    def _apply(self, who: str, edit: Edit) -> None:
        self.store.apply(edit, who=who)
        self.model.write(edit)
        self.model.done[who].append(edit)
        self.model.undone[who].clear()

    def _edit(self, data: st.DataObject) -> Edit:
        """Returns an edit of what is stored: link, unlink, state, note or rank."""
        topic_id = data.draw(st.sampled_from(list(self.model.topics)), "topic")
        abstract_id, n = data.draw(ABSTRACTS, "abstract"), data.draw(NS, "n")
        if data.draw(st.integers(0, 4), "a rank if 0") == 0:
            old = self.model.ranks[topic_id, abstract_id, n]
            new = data.draw(st.sampled_from(["A", "B", "C", None]), "rank")
            return RankEdit(
                verb="rank", topic=topic_id, abstract=abstract_id, n=n, old=old, new=new
            )
        empty = SentenceAlignment(n=n)
        edit = sample.edit(
            empty, topic=topic_id, abstract=abstract_id, annotator=data.draw(PEOPLE, "annotator")
        )
        return replace(edit, old=self.model.value(edit), new=data.draw(_entries(n), "entry"))

    @rule(who=PEOPLE, data=st.data())
    def apply(self, who: str, data: st.DataObject) -> None:
        self._apply(who, self._edit(data))

    @rule(who=PEOPLE, data=st.data())
    def apply_what_is_stale(self, who: str, data: st.DataObject) -> None:
        edit = self._edit(data)
        if isinstance(edit, RankEdit):
            stale: Edit = replace(edit, old="B" if edit.old != "B" else "C")
        else:
            stale = replace(edit, old=replace(edit.old, note=(edit.old.note or "") + "!"))
        with pytest.raises(StaleEdit):
            self.store.apply(stale, who=who)

    # Undo and redo

    @rule(who=PEOPLE)
    def undo(self, who: str) -> None:
        if not self.model.done[who]:
            with pytest.raises(InputError, match="nothing to undo"):
                self.store.undo(who=who)
            return
        edit = self.model.done[who][-1].inverse()
        if self._is_current(edit):
            self.store.undo(who=who)
            self.model.write(edit)
            self.model.undone[who].append(self.model.done[who].pop())
        else:
            with pytest.raises(StaleEdit):
                self.store.undo(who=who)

    @rule(who=PEOPLE)
    def redo(self, who: str) -> None:
        if not self.model.undone[who]:
            with pytest.raises(InputError, match="nothing to redo"):
                self.store.redo(who=who)
            return
        edit = self.model.undone[who][-1]
        if self._is_current(edit):
            self.store.redo(who=who)
            self.model.write(edit)
            self.model.done[who].append(self.model.undone[who].pop())
        else:
            with pytest.raises(StaleEdit):
                self.store.redo(who=who)

    def _is_current(self, edit: Edit) -> bool:
        return self.model.value(edit) == edit.old

    # Imports, restarts, failures

    @precondition(lambda self: len(self.model.topics) < 4)
    @rule(who=PEOPLE)
    def add(self, who: str) -> None:
        topic_id = f"t{len(self.model.topics) + 1}"
        self.store.add(sample.addition(topic_id), who=f"{who}, importing")
        self.model.add(topic_id)

    @rule(who=PEOPLE)
    def add_what_contradicts(self, who: str) -> None:
        with pytest.raises(InputError, match="already has a topic"):
            self.store.add(Addition(topics=(sample.topic("new"), sample.topic("t1"))), who=who)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = CorpusStore.open(self.path, who="ann")

    @rule(who=PEOPLE, data=st.data(), at=st.integers(0, 2), code=st.sampled_from(CODES))
    def fail_to_apply(self, who: str, data: st.DataObject, at: int, code: int) -> None:
        with failing_write(at, code), pytest.raises(EnvironmentProblem):
            self.store.apply(self._edit(data), who=who)

    @rule(who=PEOPLE, at=st.integers(0, 2), code=st.sampled_from(CODES))
    def fail_to_undo_and_redo(self, who: str, at: int, code: int) -> None:
        for step in (self.store.undo, self.store.redo):
            with failing_write(at, code), pytest.raises((EnvironmentProblem, InputError)):
                step(who=who)

    @rule(who=PEOPLE, at=st.integers(0, 7), code=st.sampled_from(CODES))
    def fail_to_add(self, who: str, at: int, code: int) -> None:
        with failing_write(at, code), pytest.raises(EnvironmentProblem):
            self.store.add(sample.addition("never"), who=who)

    @rule(who=PEOPLE, data=st.data())
    def apply_on_a_full_disk(self, who: str, data: st.DataObject) -> None:
        edit = self._edit(data)
        long_note = "長" * 20000
        if isinstance(edit, AlignmentEdit):
            edit = replace(edit, new=replace(edit.new, note=long_note))
            with full_disk(), pytest.raises(EnvironmentProblem, match="is full"):
                self.store.apply(edit, who=who)

    # What must hold after each of them

    @invariant()
    def the_stored_corpus_equals_the_model(self) -> None:
        assert self.store.corpus() == self.model.corpus()

    @invariant()
    def the_history_is_what_the_model_says(self) -> None:
        for who in ("ann", "bob"):
            history = self.store.history(who)
            assert [operation.edit for operation in history.done] == self.model.done[who]
            assert [operation.edit for operation in history.undone] == self.model.undone[who]


def _entries(n: int) -> st.SearchStrategy[SentenceAlignment]:
    alternatives = st.lists(
        st.lists(st.sampled_from(sample.REFS), min_size=1, max_size=3).map(
            lambda refs: Alternative(tuple(refs))
        ),
        max_size=2,
    ).map(tuple)
    notes = st.sampled_from([None, "", "メモ"])
    linked = st.builds(
        SentenceAlignment,
        n=st.just(n),
        state=st.sampled_from([s for s in AlignmentState if s is not AlignmentState.NO_SOURCE]),
        alternatives=alternatives,
        note=notes,
    )
    without = st.builds(
        SentenceAlignment, n=st.just(n), state=st.just(AlignmentState.NO_SOURCE), note=notes
    )
    return linked | without | st.just(SentenceAlignment(n=n))


def test_that_the_store_does_what_the_model_does(template):
    run_machine(CorpusMachine, template, max_examples=60, n_steps=50)

"""What annotating sessions leave in a corpus file is, to the byte, what was recorded."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from tests.goldens.recording import tables_of
from tests.verbs import ids_in

from awase.core.annotation import actions, content
from awase.core.annotation.content import rewritten
from awase.core.records.abstract import Abstract, AbstractSentence, Alternative, SentenceAlignment
from awase.core.records.edits import Edit
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.resplitting import resplit
from awase.storage.store import CorpusStore

WHO = "次郎"
FIRST, SECOND, THIRD = (SentenceRef("980101001", n) for n in (1, 2, 3))
OTHER = SentenceRef("980102:002", 1)


class Annotating:
    """Somebody at work: each action is stored, and has taken longer than the one before."""

    def __init__(self, store: CorpusStore) -> None:
        self.store = store
        self._active_ms = count(250, 250)

    @property
    def topic(self) -> Topic:
        return self.store.topic("0310")

    @property
    def abstract(self) -> Abstract:
        return self.topic.abstracts[0]

    def do(self, edit: Edit | None) -> None:
        assert edit is not None
        self.store.apply(edit, who=WHO, active_ms=next(self._active_ms))

    def on(self, n, change, verb, subject="") -> None:
        alignment = self.abstract.alignment_by(WHO)
        before = alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)
        self.do(
            actions.alignment_edit(
                "0310", self.abstract, WHO, change(before), verb=verb, subject=subject
            )
        )

    def toggle(self, n, alternative_idx, ref, verb=actions.LINK) -> None:
        self.on(n, lambda entry: actions.with_toggled(entry, alternative_idx, ref), verb, str(ref))

    def change(self, new: Topic, verb: str, **more: str) -> None:
        self.do(content.topic_edit(self.topic, new, verb=verb, **more))


def align(at_work: Annotating) -> None:
    at_work.toggle(1, 0, FIRST)
    at_work.toggle(1, 0, OTHER)
    at_work.toggle(1, 1, SECOND)
    at_work.toggle(1, 1, THIRD)
    at_work.toggle(1, 1, SECOND, actions.UNLINK)
    at_work.on(1, lambda e: actions.with_duplicates(e, 0, lambda ref: (SECOND,) if ref == FIRST
               else ()), actions.ADD_DUPLICATES)  # fmt: skip
    at_work.on(1, lambda e: actions.without_alternative(e, 1), actions.REMOVE_ALTERNATIVE, "2")
    at_work.on(1, actions.as_confirmed, actions.CONFIRM)
    at_work.on(1, lambda e: actions.with_note(e, "「注」 & <b>\n"), actions.NOTE)
    at_work.on(2, actions.as_no_source, actions.NO_SOURCE)
    at_work.on(3, actions.as_no_source, actions.NO_SOURCE)
    at_work.on(3, actions.as_no_source, actions.REOPEN)
    at_work.on(3, actions.with_flag_toggled, actions.FLAG)
    at_work.on(3, actions.with_flag_toggled, actions.UNFLAG)
    at_work.do(actions.rank_edit("0310", at_work.abstract, 4, "C"))
    at_work.do(actions.rank_edit("0310", at_work.abstract, 1, None))


def go_back_and_forth(store: CorpusStore) -> None:
    for _ in range(4):
        store.undo(who=WHO)
    for _ in range(3):
        store.redo(who=WHO)


def rewrite(at_work: Annotating) -> None:
    at_work.do(content.source_text_edit(at_work.topic, FIRST, "犬が速く走った。"))
    at_work.do(content.abstract_text_edit("0310", at_work.abstract, 2, "鳥が高く鳴いた。"))
    texts = ("犬が走って", "止まった。", "鳥が高く鳴いた。空は青い。")
    whole = rewritten(at_work.abstract, texts).abstract
    at_work.change(at_work.topic.with_abstracts((whole,)), content.EDIT_ABSTRACT,
                   abstract="short", subject="short")  # fmt: skip
    added = Abstract(id="extra", length="long", sentences=(AbstractSentence(n=1, text="犬。"),))
    at_work.change(at_work.topic.with_abstracts((*at_work.topic.abstracts, added)),
                   content.ADD_ABSTRACT, abstract="extra", subject="extra")  # fmt: skip
    at_work.change(at_work.topic.with_abstracts(at_work.topic.abstracts[:-1]),
                   content.REMOVE_ABSTRACT, subject="extra")  # fmt: skip


def rearrange(at_work: Annotating) -> None:
    new = Document(id="990101001", sentences=(SourceSentence(n=1, text="雪。"),), title="雪")
    at_work.change(content.with_document(at_work.topic, new), content.ADD_DOCUMENT, subject=new.id)
    old = at_work.topic.documents[0]
    found = resplit([(s.n, s.text) for s in old.sentences],
                    ["犬が速く走った。猫は", "寝た。", "鳥が鳴いた。"])  # fmt: skip
    after = replace(old, sentences=tuple(SourceSentence(n=n, text=t) for n, t in found.sentences))
    at_work.change(
        content.with_replaced_document(at_work.topic, after, content.carried_in(old.id, found)),
        content.RESPLIT_DOCUMENT, subject=old.id,
    )  # fmt: skip
    at_work.change(content.without_document(at_work.topic, "980102:002"),
                   content.REMOVE_DOCUMENT, subject="980102:002")  # fmt: skip
    at_work.change(replace(at_work.topic, title="新しい題", language="en"), content.EDIT_TOPIC)
    guidelines = at_work.store.corpus().guidelines
    at_work.do(content.guidelines_edit(guidelines, f"{guidelines}\nNew rule: 一文ずつ。"))


@pytest.fixture
def at_work(run, folder) -> Iterator[Annotating]:
    run("import new.awase small.json --who me")
    with CorpusStore.open(folder / "new.awase", who=WHO) as store:
        yield Annotating(store)


def test_that_the_log_and_the_tables_of_a_session_are_those_recorded(at_work, run, golden, folder):
    align(at_work)
    go_back_and_forth(at_work.store)
    outputs = {"the log after aligning": tables_of(folder / "new.awase")["operation"]}
    rewrite(at_work)
    rearrange(at_work)
    for _ in range(5):
        at_work.store.undo(who=WHO)
    at_work.store.redo(who=WHO)
    at_work.store.close()
    outputs |= {f"table {name}": text for name, text in tables_of(folder / "new.awase").items()}
    for line in (
        "export new.awase -",
        "info new.awase",
        "time new.awase --by sentence --output-format csv",
        "time new.awase --by topic",
        "time new.awase --json",
        "score new.awase",
    ):
        outputs |= {f"{heading} ({line})": text for heading, text in run(line).items()}
    golden("sessions/annotating", outputs)


@pytest.mark.slow
def test_that_every_verb_of_the_log_was_used(at_work, folder):
    align(at_work)
    rewrite(at_work)
    rearrange(at_work)
    at_work.on(1, lambda entry: replace(entry, rank="B"), actions.OWN_RANK)
    suggested = (Alternative(members=(SECOND,)),)
    at_work.on(1, lambda entry: actions.with_accepted(entry, suggested), actions.TAKE)
    at_work.on(1, lambda entry: actions.with_exchanged(entry, 0, THIRD), actions.EXCHANGE)
    with closing(sqlite3.connect(folder / "new.awase")) as connection:
        used = {verb for (verb,) in connection.execute("select verb from operation")}
    assert {*ids_in(actions), *ids_in(content)} <= used

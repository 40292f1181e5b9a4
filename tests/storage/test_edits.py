from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.annotation.content import guidelines_edit
from awase.core.errors import EnvironmentProblem, InputError
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.abstract import Alignment, GoldEntry
from awase.core.records.addition import Addition, AlignmentPart
from awase.core.records.digests import EntryKey, entry_digest
from awase.core.records.source import SentenceRef
from awase.storage.edits import StaleEdit
from awase.storage.store import CorpusStore
from tests.in_part import in_part, in_turn
from tests.storage.sample import (
    CONFIRMED,
    LINKED,
    NUMBERS,
    REFS,
    abstract_text_edit,
    addition,
    edit,
    entry,
    gold_edit,
    rank_edit,
    source_text_edit,
    topic,
)
from tests.stored import sql
from tests.written import as_json


def _alignments(store: CorpusStore) -> tuple[Alignment, ...]:
    return store.topic("t1").abstracts[0].alignments


def _verbs(store: CorpusStore, who: str = "ann") -> tuple[list[str], list[str]]:
    history = store.history(who)
    return [o.edit.verb for o in history.done], [o.edit.verb for o in history.undone]


_DECIDED = GoldEntry(entry=CONFIRMED)


@pytest.mark.parametrize(
    ("first", "stale"),
    [
        ([edit(LINKED)], edit(CONFIRMED)),
        ([], rank_edit("B", old="C")),
        ([], source_text_edit("x", old="something else")),
        ([], abstract_text_edit("x", old="something else")),
        ([gold_edit(_DECIDED)], gold_edit(replace(_DECIDED, locked=True))),
        ([guidelines_edit("", "a")], guidelines_edit("", "b")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_that_an_edit_of_what_has_changed_since_is_refused(store, first, stale):
    for one in first:
        store.apply(one, who="bob")
    before = store.corpus()
    with pytest.raises(StaleEdit, match="been changed"):
        store.apply(stale, who="ann")
    assert store.corpus() == before
    assert _verbs(store) == ([], [])


@in_turn(
    "bad",
    [
        edit(topic="nowhere"),
        edit(abstract="nowhere"),
        edit(entry(6, (REFS[0],))),
        edit(entry(5, (SentenceRef("d:1", 99),))),
        edit(entry(5, (SentenceRef("d:1", 2**70),))),
        edit(annotator=""),
        edit(annotator="a\nb"),
        edit(annotator="\ud800"),
        replace(edit(), subject="\ud800"),
        rank_edit("Z"),
        rank_edit("A", n=6),
        source_text_edit("a\0b"),
        source_text_edit("\ud800"),
        source_text_edit("x", ref=SentenceRef("d:1", 99)),
        source_text_edit("x", ref=SentenceRef("nowhere", 1)),
        replace(source_text_edit("x"), topic="nowhere"),
        abstract_text_edit("a\0b"),
        abstract_text_edit("x", n=6),
        replace(abstract_text_edit("x"), abstract="nowhere"),
        guidelines_edit("", "a\0b"),
    ],
)
def test_that_an_edit_that_could_not_be_read_again_is_refused(store, bad):
    before = store.corpus()
    with pytest.raises(InputError):
        store.apply(bad, who="ann")
    assert store.corpus() == before
    assert _verbs(store) == ([], [])


def test_that_undo_and_redo_follow_the_log_across_restarts(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED, verb="confirm"), who="ann")
        store.undo(who="ann")
    with CorpusStore.open(stored, who="ann") as store:
        assert _verbs(store) == (["link"], ["confirm"])
        store.redo(who="ann")
        assert _alignments(store)[0].sentences == (CONFIRMED,)
        store.undo(who="ann")
        store.undo(who="ann")
        assert _verbs(store) == ([], ["confirm", "link"])
        store.apply(edit(CONFIRMED, verb="confirm"), who="ann")
        assert _verbs(store) == (["confirm"], [])
    with CorpusStore.open(stored, who="ann") as store:
        assert _verbs(store) == (["confirm"], [])  # what was undone before is not redone over it


def test_that_the_newest_steps_alone_can_be_undone(stored, monkeypatch):
    monkeypatch.setattr("awase.storage.rows.log.MAX_UNDO_STEPS", 2)
    with CorpusStore.open(stored, who="ann") as store:
        for n in NUMBERS:
            store.apply(edit(entry(n, (REFS[0],))), who="ann")
        newest = store.history("ann").done
    with CorpusStore.open(stored, who="ann") as store:
        assert [step.edit.new.n for step in newest] == [*NUMBERS[1:]]
        assert store.history("ann").done == newest


def test_that_a_step_that_is_not_understood_is_passed_over(stored):
    wanted = {"a!-": ([5], []), "!a--+": ([], [5]), "a-!": ([], [])}
    with CorpusStore.open(stored, who="ann") as store:
        for who, step in ((name, step) for name in wanted for step in name):
            if step in "-+":
                (store.undo if step == "-" else store.redo)(who=who)
            else:
                store.apply(edit(entry(9 if step == "!" else 5), annotator=who), who=who)
    sql(stored, "UPDATE operation SET new = '?' WHERE kind = 'edit' AND n = 9")
    with CorpusStore.open(stored, who="ann") as store:
        for who, (done, undone) in wanted.items():
            history = store.history(who)
            assert [one.edit.new.n for one in history.done] == done, who
            assert [one.edit.new.n for one in history.undone] == undone, who


def test_that_people_undo_only_their_own(store):
    store.apply(edit(LINKED), who="ann")
    store.apply(rank_edit("B"), who="bob")
    store.undo(who="ann")
    assert _alignments(store) == ()
    assert store.topic("t1").abstracts[0].sentences[0].rank == "B"
    for step, told in ((store.undo, "nothing to undo"), (store.redo, "nothing to redo")):
        with pytest.raises(InputError, match=told):
            step(who="bob" if step == store.redo else "ann")
    with pytest.raises(InputError, match="no topic “nowhere”"):
        store.topic("nowhere")
    store.apply(edit(), who="")  # nobody in particular has a history, too
    assert _verbs(store, "") == (["link"], [])


def test_that_an_undo_never_overwrites_what_somebody_else_did_since(store):
    store.apply(edit(LINKED), who="ann")
    store.apply(edit(CONFIRMED, old=LINKED), who="bob")
    with pytest.raises(StaleEdit):
        store.undo(who="ann")
    assert _alignments(store)[0].sentences == (CONFIRMED,)
    store.undo(who="bob")
    store.undo(who="ann")
    assert _alignments(store) == ()


def test_that_an_undo_in_another_store_is_not_undone_again(store, stored):
    """As on a server: the history kept in memory is checked against the log."""
    store.apply(edit(), who="ann")
    with CorpusStore.open(stored, who="ann", read_only=True) as reader:
        assert _verbs(reader) == (["link"], [])
        store.undo(who="ann")
        assert _verbs(reader) == ([], ["link"])


def test_that_a_step_of_a_copy_of_the_whole_file_is_not_counted_twice(store):
    store.apply(edit(), who="ann")
    rows = store.log_rows()
    assert store.join_log(rows, "copy") == 0
    assert store.join_log(({**one, "subject": "another"} for one in rows), "copy") == len(rows)


def test_that_an_edit_puts_imported_entries_in_the_order_of_the_abstract(store):
    imported = Alignment(annotator="ann", sentences=(entry(9), entry(5)))
    part = AlignmentPart(topic="t1", abstract="long", alignment=imported)
    store.add(Addition(alignments=(part,)), who="ann")
    assert _alignments(store) == (imported,)
    store.apply(edit(entry(2, (REFS[0],))), who="ann")
    assert tuple(e.n for e in _alignments(store)[0].sentences) == NUMBERS


def test_that_annotators_stand_in_the_order_of_their_first_edit(store):
    for annotator in ("zoe", "ann", "猫"):
        store.apply(edit(annotator=annotator), who=annotator)
    assert [a.annotator for a in _alignments(store)] == ["zoe", "ann", "猫"]


def test_that_an_edit_survives_an_import_into_its_topic(store):
    store.apply(edit(LINKED), who="ann")
    other = Alignment(annotator="bob", sentences=(CONFIRMED,))
    part = AlignmentPart(topic="t1", abstract="long", alignment=other, ranks=((5, "A"),))
    store.add(Addition(alignments=(part,)), who="bob")
    assert _alignments(store) == (Alignment(annotator="ann", sentences=(LINKED,)), other)
    store.undo(who="ann")
    assert _alignments(store) == (other,)


def test_that_a_number_that_no_database_holds_is_refused_in_words(store):
    content = topic("t2")
    sentence = replace(content.documents[0].sentences[0], n=2**70)
    document = replace(content.documents[0], id="big", sentences=(sentence,))
    before = store.corpus()
    with pytest.raises(InputError, match="cannot be stored"):
        store.add(Addition(documents=(("t1", document),)), who="ann")
    assert store.corpus() == before


def test_that_a_file_name_of_broken_characters_does_not_stop_its_import(store):
    store.add(Addition(topics=(topic("t2"),)), who="ann", source="caf\udce9.json")
    assert store.topic("t2") == topic("t2")


@pytest.mark.parametrize(
    "damaged",
    in_part(
        [
            lambda value: value[: len(value) // 2],
            lambda value: value[: len(value) // 2 + 1],
            lambda value: value[:-4],
            lambda value: f"{value[:90]}{'A' if value[90] != 'A' else 'B'}{value[91:]}",
        ]
    ),
)
def test_that_nothing_is_done_by_a_damaged_row_of_the_log(store, stored, damaged):
    store.add(addition(*(f"n{number}" for number in range(20))), who="ann")
    before = store.corpus()
    ((row, new),) = sql(stored, "SELECT id, new FROM operation WHERE new LIKE 'zlib:%'")
    sql(stored, f"UPDATE operation SET new = '{damaged(new)}' WHERE id = {row}")
    with pytest.raises(EnvironmentProblem, match="is damaged"):
        store.undo(who="ann")
    assert store.corpus() == before


GOLDEN = Path(__file__).parent / "golden"
KEY = EntryKey("t1", "long", "ann", 5)
JSON = format_by_id("awase-json")


def _digests(store: CorpusStore, key: EntryKey = KEY) -> list[str]:
    return [version.digest for version in store.ownership().versions.get(key, ())]


def test_that_new_corpora_are_never_taken_for_each_other(tmp_path):
    names = set()
    for name in ("a", "b"):
        with CorpusStore.create(tmp_path / f"{name}.awase", name="n", who="ann") as store:
            names |= {store.ownership().corpus, store.ownership().replica}
    assert len(names) == 4


def test_that_awase_json_with_sync_makes_another_copy_and_without_a_new_corpus(store, tmp_path):
    store.apply(edit(LINKED), who="ann")
    store.apply(edit(CONFIRMED, old=LINKED), who="ann")
    ours = store.ownership()
    for is_copy, is_later in ((True, False), (True, True), (False, False)):
        request = WriteRequest(corpus=store.corpus(), ownership=ours if is_copy else None)
        text = as_json(request)
        assert ('"sync"' in text) == is_copy
        addition = JSON.reader()(ReadRequest(text=text, source="c.json")).addition
        path = tmp_path / f"{is_copy}-{is_later}.awase"
        now, later = (None, addition) if is_later else (addition, Addition())
        with CorpusStore.create(path, name="", who="b", addition=now) as other:
            other.add(later, who="b")
            theirs = other.ownership()
            assert other.corpus() == store.corpus()
            other.add(Addition(ownership=ours), who="b")  # holds something, and stays itself
            assert other.ownership() == theirs
        assert (theirs.corpus == ours.corpus) == is_copy
        assert theirs.replica != ours.replica
        assert (theirs.versions == ours.versions) == is_copy
        assert theirs.versions[KEY][-1].digest == entry_digest(CONFIRMED)

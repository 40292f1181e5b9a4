import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from awase.core.annotation.content import without_topics
from awase.core.errors import Cancelled, EnvironmentProblem
from awase.core.records.addition import Addition
from awase.core.records.edits import REMOVE_TOPICS
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.reporters import Heard
from tests.storage import children
from tests.storage.failures import CODES, failing_write, full_disk
from tests.storage.sample import CONFIRMED, LINKED, addition, edit, rank_edit, topic
from tests.stored import sql

Work = Callable[[CorpusStore], object]

WORKS: dict[str, Work] = {
    "apply": lambda store: store.apply(edit(CONFIRMED, old=LINKED), who="ann"),
    "apply a rank": lambda store: store.apply(rank_edit("B"), who="ann"),
    "undo": lambda store: store.undo(who="ann"),
    "redo": lambda store: store.redo(who="bob"),
    "add": lambda store: store.add(addition("t2"), who="ann"),
}


def _annotated(store: CorpusStore) -> None:
    store.apply(edit(LINKED, abstract="short"), who="bob")
    store.undo(who="bob")
    store.apply(edit(LINKED), who="ann")


def _state(store: CorpusStore) -> object:
    return store.corpus(), store.history("ann"), store.history("bob"), [*store.rows_written]


def _fails(store: CorpusStore, work: Work, at: int) -> bool:
    """Returns whether the work has a write with number `at`, which then failed in words."""
    code = CODES[at % len(CODES)]
    told = "is full" if code == sqlite3.SQLITE_FULL else "could not be read or written"
    try:
        with failing_write(at, code):
            work(store)
    except EnvironmentProblem as problem:
        return f"{told}; nothing was changed" in str(problem)
    return False


@pytest.mark.parametrize("work", in_part(WORKS.values()), ids=WORKS)
def test_that_a_failure_at_any_write_changes_nothing(store, work):
    _annotated(store)
    before = _state(store)
    n_failures = 0
    while _fails(store, work, at=n_failures):
        assert _state(store) == before
        n_failures += 1
    assert n_failures > 1
    assert _state(store) != before


def test_that_an_unknown_error_of_the_driver_stays_a_defect(store):
    with (
        failing_write(0, sqlite3.SQLITE_MISUSE),
        pytest.raises(Exception, match="failed") as raised,
    ):
        store.apply(edit(), who="ann")
    assert not isinstance(raised.value, EnvironmentProblem)


def test_that_a_cancelled_creation_leaves_nothing_behind(path):
    many = addition("t2", "t3")
    with pytest.raises(Cancelled):
        CorpusStore.create(path, name="x", who="ann", addition=many, reporter=Heard(at=1))
    assert list(path.parent.iterdir()) == []


def test_that_what_is_stopped_half_way_leaves_the_corpus_as_it_was(store):
    store.add(addition("t2", "t3"), who="ann")
    before, removal = _state(store), partial(without_topics, ids=["t2", "t3"])
    for act in (
        partial(store.add, addition("t4", "t5")),
        partial(store.change, removal, verb=REMOVE_TOPICS, names=()),
        store.undo,
    ):
        for n_calls in (0, 1):
            with pytest.raises(Cancelled):
                act(who="ann", reporter=Heard(calls=n_calls))
            assert _state(store) == before
        assert not store.find_damage()


@pytest.mark.parametrize("n_pages_left", in_part([3, 0, 20, 40]))
def test_that_a_corpus_is_not_created_on_a_full_disk(path, n_pages_left):
    many = Addition(topics=tuple(topic(f"t{topic_idx}") for topic_idx in range(200)))
    with full_disk(n_pages_left), pytest.raises(EnvironmentProblem, match="is full"):
        CorpusStore.create(path, name="x", who="ann", addition=many)
    assert list(path.parent.iterdir()) == []
    CorpusStore.create(path, name="x", who="ann", addition=addition()).close()


@pytest.mark.parametrize("at", range(0, 33, 4))
def test_that_no_failure_while_creating_leaves_half_a_corpus(path, at):
    with failing_write(at), pytest.raises(EnvironmentProblem):
        CorpusStore.create(path, name="x", who="ann", addition=addition())
    assert list(path.parent.iterdir()) == []


def test_that_creating_in_a_missing_folder_or_over_a_file_is_refused_in_words(stored, tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be created"):
        CorpusStore.create(tmp_path / "missing" / "x.awase", name="x", who="ann")
    content = stored.read_bytes()
    with pytest.raises(EnvironmentProblem, match="already exists"):
        CorpusStore.create(stored, name="x", who="ann")
    assert stored.read_bytes() == content


TOPIC_IDS = [f"new{topic_idx}" for topic_idx in range(40)]


def test_that_what_a_creation_left_in_an_earlier_crash_is_cleared(stored):
    partial = stored.with_name(f".{stored.name}.part")
    partial.write_bytes(b"half")
    CorpusStore.open(stored, who="ann").close()
    assert not partial.exists()


def test_that_a_crash_while_the_side_file_is_moved_into_the_file_loses_nothing(stored):
    """The file's first page has been written, so that it says to be longer than it is."""
    with children.running(children.add, stored, TOPIC_IDS) as child:
        assert [child.pipe.recv(), child.pipe.recv()] == ["begins", "done"]
        child.kill()
    first_page = _newest_page(stored.with_name(stored.name + "-wal"), 1)
    with stored.open("r+b") as file:
        file.write(first_page)
    n_pages = int.from_bytes(first_page[28:32], "big")
    assert stored.stat().st_size < n_pages * len(first_page)
    for read_only in (True, False):
        with CorpusStore.open(stored, who="ann", read_only=read_only) as store:
            assert [topic.id for topic in store.corpus().topics] == ["t1", *TOPIC_IDS]
    assert sql(stored, "PRAGMA integrity_check") == [("ok",)]


def _newest_page(wal: Path, number: int) -> bytes:
    """Returns the last version of a page in SQLite's write-ahead log."""
    content = wal.read_bytes()
    page_size = int.from_bytes(content[8:12], "big")
    newest = b""
    for at in range(32, len(content), 24 + page_size):
        if int.from_bytes(content[at : at + 4], "big") == number:
            newest = content[at + 24 : at + 24 + page_size]
    return newest

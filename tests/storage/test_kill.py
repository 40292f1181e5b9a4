"""SIGKILL at any moment: what was confirmed is there, and nothing is half done."""

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from awase.core.records.alignment import SentenceAlignment
from awase.core.records.edits.edit import AlignmentEdit
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.storage import children
from tests.storage.sample import addition

TOPIC_IDS = [f"new{topic_idx}" for topic_idx in range(40)]

Entries = dict[tuple[str, int], SentenceAlignment]


def _said_until(child: children.Child, deadline: float) -> list:
    said = []
    while (left := deadline - time.monotonic()) > 0 and child.pipe.poll(left):
        said.append(child.pipe.recv())
    return said + child.kill()


def _entries(store: CorpusStore) -> Entries:
    return {
        (abstract.id, entry.n): entry
        for abstract in store.topic("t1").abstracts
        for alignment in abstract.alignments
        for entry in alignment.sentences
    }


def _with(entries: Entries, edit: AlignmentEdit) -> Entries:
    return entries | {(edit.abstract, edit.new.n): edit.new}


def _check_sound(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _said_before_killed(child: children.Child, generator: random.Random) -> list:
    """Kills the child while it opens the corpus, or after some words, wherever it then is."""
    if generator.random() < 0.2:
        return _said_until(child, time.monotonic() + generator.uniform(0.0, 0.2))
    said = [child.pipe.recv() for _ in range(generator.randint(1, 25))]
    return said + child.kill()


def _run_and_kill(path: Path, expected: Entries, generator: random.Random) -> Entries:
    """Returns the entries after a run that was killed, checked against what it had confirmed."""
    child = children.Child(children.annotate, path, generator.randrange(10**9))
    said = _said_before_killed(child, generator)
    for word, edit in said:
        if word == "confirmed":
            expected = _with(expected, edit)
    begun = expected
    if said and said[-1][0] == "about":
        begun = _with(expected, said[-1][1])
    with CorpusStore.open(path, who="ann") as store:
        stored = _entries(store)
        assert stored in (expected, begun)
        done = store.history("ann").done
        if done:
            store.undo(who="ann")
            store.redo(who="ann")
            assert _entries(store) == stored
    _check_sound(path)
    return stored


def _kill_many_times(path: Path, n_kills: int) -> None:
    generator = random.Random(n_kills)
    entries: Entries = {}
    for _ in range(n_kills):
        entries = _run_and_kill(path, entries, generator)
    assert entries


def test_that_no_confirmed_edit_is_lost_when_the_program_is_killed(stored: Path):
    _kill_many_times(stored, 4)


@pytest.mark.slow
def test_that_no_confirmed_edit_is_lost_in_many_kills(stored: Path):
    _kill_many_times(stored, 200)


@pytest.mark.parametrize("seed", in_part(range(8), first=2))
def test_that_a_killed_creation_leaves_a_whole_corpus_or_none(path: Path, seed: int):
    child = children.Child(children.create, path, TOPIC_IDS)
    assert child.pipe.recv() == "begins"
    _said_until(child, time.monotonic() + random.Random(seed).uniform(0.0, 0.25))
    if path.exists():
        with CorpusStore.open(path, who="ann") as store:
            assert [topic.id for topic in store.corpus().topics] == TOPIC_IDS
        return
    with CorpusStore.create(path, name="new", who="ann", addition=addition()) as store:
        assert [topic.id for topic in store.corpus().topics] == ["t1"]
    left = {file.name for file in path.parent.iterdir()}
    assert left == {"corpus.awase", "corpus.awase-lock"}


@pytest.mark.parametrize("seed", in_part(range(8), first=2))
def test_that_a_killed_import_is_there_whole_or_not_at_all(stored: Path, seed: int):
    child = children.Child(children.add, stored, TOPIC_IDS)
    assert child.pipe.recv() == "begins"
    said = _said_until(child, time.monotonic() + random.Random(seed).uniform(0.0, 0.15))
    with CorpusStore.open(stored, who="ann") as store:
        topic_ids = [topic.id for topic in store.corpus().topics]
    assert topic_ids in (["t1"], ["t1", *TOPIC_IDS])
    if "done" in said:
        assert topic_ids == ["t1", *TOPIC_IDS]
    _check_sound(stored)


def test_that_what_a_creation_left_in_an_earlier_crash_is_cleared(stored: Path):
    partial = stored.with_name(f".{stored.name}.part")
    partial.write_bytes(b"half")
    CorpusStore.open(stored, who="ann").close()
    assert not partial.exists()


def test_that_a_crash_while_the_side_file_is_moved_into_the_file_loses_nothing(stored: Path):
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
    _check_sound(stored)


def _newest_page(wal: Path, number: int) -> bytes:
    """Returns the last version of a page in SQLite's write-ahead log."""
    content = wal.read_bytes()
    page_size = int.from_bytes(content[8:12], "big")
    newest = b""
    for at in range(32, len(content), 24 + page_size):
        if int.from_bytes(content[at : at + 4], "big") == number:
            newest = content[at + 24 : at + 24 + page_size]
    return newest

"""What a killed program leaves behind; tests/proofs/kills.py kills it at any moment."""

import sqlite3
from contextlib import closing
from pathlib import Path

from awase.storage.store import CorpusStore
from tests.storage import children

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
    with closing(sqlite3.connect(stored)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _newest_page(wal: Path, number: int) -> bytes:
    """Returns the last version of a page in SQLite's write-ahead log."""
    content = wal.read_bytes()
    page_size = int.from_bytes(content[8:12], "big")
    newest = b""
    for at in range(32, len(content), 24 + page_size):
        if int.from_bytes(content[at : at + 4], "big") == number:
            newest = content[at + 24 : at + 24 + page_size]
    return newest

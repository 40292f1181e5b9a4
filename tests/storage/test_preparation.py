"""Large files are looked at and backed up in the background, before they are first written to."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from awase.core.errors import EnvironmentProblem
from awase.core.progress import Silent
from awase.jobs.checking import check_corpus
from awase.storage.databases import sqlite
from awase.storage.opening import preparation
from awase.storage.opening.backups import backup_folder, backups_of
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, edit


@pytest.fixture(autouse=True)
def _every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "LARGE_BYTES", 0)


@pytest.fixture
def held_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Keeps pages from being looked at until it is set."""
    goes_on = Event()
    look = sqlite.check_content

    def wait_and_look(*arguments: object) -> None:
        assert goes_on.wait(60)
        look(*arguments)

    monkeypatch.setattr(sqlite, "check_content", wait_and_look)
    yield goes_on
    goes_on.set()


class _LetsGoOn:
    """A reporter that lets the background go on when somebody waits for it."""

    def __init__(self, goes_on: Event) -> None:
        self._goes_on = goes_on

    def advance(self, done: int, total: int, what: str = "") -> None:
        self._goes_on.set()


def test_that_a_large_file_is_open_before_its_backup_is_made(stored: Path, held_back: Event):
    with CorpusStore.open(stored, who="ann") as store:
        assert store.topic("t1").id == "t1"
        assert backups_of(stored) == ()
        held_back.set()
        store.wait_until_writable()
        assert len(backups_of(stored)) == 1


def test_that_the_first_write_finds_a_backup_of_what_was_before(stored: Path):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        store.apply(edit(LINKED), who="ann")
        (copy,) = backups_of(stored)
        assert store.corpus() != before
    with CorpusStore.open(copy, who="", read_only=True) as reader:
        assert reader.corpus() == before


def test_that_closing_ends_what_was_not_needed(stored: Path, held_back: Event):
    store = CorpusStore.open(stored, who="ann")
    held_back.set()
    store.close()
    store.close()
    assert not [*backup_folder(stored).glob("*.part")] if backup_folder(stored).exists() else True
    with CorpusStore.open(stored, who="bob") as again:
        again.apply(edit(LINKED), who="bob")


def test_that_a_damaged_file_can_be_read_and_not_written(stored: Path):
    with closing(sqlite3.connect(stored)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        page = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'human_score'"
        ).fetchone()[0]
    with stored.open("r+b") as file:
        file.seek((root - 1) * page)
        file.write(b"\xff" * 200)
    with CorpusStore.open(stored, who="ann") as store:
        with pytest.raises(EnvironmentProblem, match="damaged"):
            store.apply(edit(LINKED), who="ann")
        with pytest.raises(EnvironmentProblem, match="damaged"):
            check_corpus(store, Silent())
    assert backups_of(stored) == ()


def test_that_a_missing_backup_is_told_and_work_goes_on(stored: Path):
    backup_folder(stored).write_text("in the way")
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        (warning,) = store.warnings
        assert "No backup" in warning.what


def test_that_the_check_tells_of_a_missing_backup(stored: Path, held_back: Event):
    backup_folder(stored).write_text("in the way")
    with CorpusStore.open(stored, who="ann") as store:
        assert store.warnings == ()
        found = check_corpus(store, _LetsGoOn(held_back))
        assert found.damage == ()
        assert ["No backup" in remark.what for remark in found.remarks] == [True]
        assert check_corpus(store, Silent()).remarks == ()


def test_that_a_backup_leaves_room_for_work(stored: Path, monkeypatch: pytest.MonkeyPatch):
    from awase.storage.opening import backups

    monkeypatch.setattr(backups, "ROOM_BYTES", 1 << 62)
    with CorpusStore.open(stored, who="ann") as store:
        store.wait_until_writable()
        (warning,) = store.warnings
        assert "No backup" in warning.what
    assert backups_of(stored) == ()

"""Large files are looked at and backed up beside people's work, as they were at the opening."""

import time
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from awase.core.errors import Cancelled, EnvironmentProblem, Silent
from awase.jobs.checking import check_corpus
from awase.storage.files import locks_and_backups, opening, sqlite_files
from awase.storage.files.locks_and_backups import Preparation, backup_folder, backups_of
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, as_first_format, edit
from tests.stored import sql


@pytest.fixture(autouse=True)
def _every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks_and_backups, "LARGE_BYTES", 0)


def test_that_a_write_waits_for_no_backup_and_the_backup_is_of_what_was_before(stored, held_back):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        store.apply(edit(LINKED), who="ann")
        after = store.corpus()
        assert (after != before, backups_of(stored), store.owes_backup) == (True, (), True)
        held_back.set()
        store.wait_until_backed_up()
        (copy,) = backups_of(stored)
        assert not store.owes_backup
    assert FileReader(copy).corpus() == before
    assert FileReader(stored).corpus() == after


def test_that_a_file_that_has_gone_is_not_called_damaged(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be opened"):
        Preparation(tmp_path / "gone.awase", "20300101T000000Z-1")


def test_that_closing_finishes_the_backup_of_what_was_before_the_first_write(stored):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        store.apply(edit(LINKED), who="ann")
    (copy,) = backups_of(stored)
    assert FileReader(copy).corpus() == before


def test_that_where_a_held_state_keeps_writers_out_the_first_write_waits_for_the_backup(
    stored, held_back, monkeypatch
):
    monkeypatch.setattr(sqlite_files, "TO_WRITE", ("foreign_keys = ON", "journal_mode = DELETE"))
    monkeypatch.setattr(
        opening.sqlite_files, "TO_WRITE", ("foreign_keys = ON", "journal_mode = DELETE")
    )
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        assert store.blocks_writers
        held_back.set()
        store.apply(edit(LINKED), who="ann")
        (copy,) = backups_of(stored)
    assert FileReader(copy).corpus() == before


def test_that_a_backup_given_up_leaves_nothing_behind_and_nothing_is_written_any_more(
    stored, held_back
):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        giving_up = Thread(target=store.cancel_backup)
        giving_up.start()
        while store.owes_backup:
            time.sleep(0.001)
        held_back.set()
        giving_up.join()
        with pytest.raises(EnvironmentProblem, match="closed"):
            store.undo(who="ann")
    assert backups_of(stored) == ()
    assert not backup_folder(stored).exists() or not [*backup_folder(stored).iterdir()]


_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000000)"


def test_that_closing_ends_what_was_not_needed(stored, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            locks_and_backups,
            "check_content",
            lambda connection, _: connection.execute(f"{_ENDLESS} SELECT max(i) FROM n"),
        )
        CorpusStore.open(stored, who="ann").close()
    assert not backup_folder(stored).exists()
    with CorpusStore.open(stored, who="bob") as again:
        again.apply(edit(LINKED), who="bob")


def _damage(path: Path) -> None:
    query = "SELECT rootpage FROM sqlite_master WHERE name = 'human_score'"
    ((root,),) = sql(path, "PRAGMA journal_mode = DELETE", query)
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 200)


def test_that_a_file_that_was_found_damaged_can_be_read_and_not_written(stored):
    _damage(stored)
    with CorpusStore.open(stored, who="ann") as store:
        with pytest.raises(EnvironmentProblem, match="damaged"):
            store.wait_until_backed_up()
        with pytest.raises(EnvironmentProblem, match="damaged"):
            store.apply(edit(LINKED), who="ann")
        for work in (lambda: check_corpus(store, Silent()), store.back_up):
            with pytest.raises(EnvironmentProblem, match="damaged"):
                work()
    assert backups_of(stored) == ()


def test_that_a_small_file_is_looked_at_before_it_is_backed_up(stored, monkeypatch):
    monkeypatch.setattr(locks_and_backups, "LARGE_BYTES", 1 << 30)
    _damage(stored)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        CorpusStore.open(stored, who="ann")
    assert backups_of(stored) == ()  # it would push out one that is sound


def test_that_what_is_written_before_damage_is_found_stays_and_no_more_is_written(
    stored, held_back
):
    _damage(stored)
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        held_back.set()
        with pytest.raises(EnvironmentProblem, match="damaged"):
            check_corpus(store, Silent())
        with pytest.raises(EnvironmentProblem, match="damaged"):
            store.undo(who="ann")
        assert len(store.history("ann").done) == 1
    assert backups_of(stored) == ()


@pytest.mark.slow
def test_that_an_older_file_is_stopped_while_it_is_looked_at_and_left_as_it_was(stored, held_back):
    def go_on_and_stop(*_: object) -> None:
        held_back.set()
        raise Cancelled

    before = as_first_format(stored).read_bytes()
    with pytest.raises(Cancelled):
        CorpusStore.open(stored, who="ann", reporter=SimpleNamespace(advance=go_on_and_stop))
    assert (stored.read_bytes(), backups_of(stored)) == (before, ())
    CorpusStore.open(stored, who="ann").close()
    assert len(backups_of(stored)) == 1


@pytest.mark.parametrize("large_bytes", [0, 1 << 30])
def test_that_an_older_file_that_is_damaged_or_without_backup_is_not_converted(
    stored, monkeypatch, large_bytes
):
    monkeypatch.setattr(locks_and_backups, "LARGE_BYTES", large_bytes)
    before = as_first_format(stored).read_bytes()
    backup_folder(stored).write_text("in the way")
    with pytest.raises(EnvironmentProblem, match="No backup"):
        CorpusStore.open(stored, who="ann")
    assert stored.read_bytes() == before
    _damage(stored)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        CorpusStore.open(stored, who="ann")


@pytest.mark.parametrize("large_bytes", [0, 1 << 30, None])
def test_that_a_missing_backup_is_told_and_work_goes_on(stored, monkeypatch, large_bytes):
    if large_bytes is None:  # the disk has no room for a backup and work
        room = SimpleNamespace(free=locks_and_backups.ROOM_BYTES + 4096)
        monkeypatch.setattr("shutil.disk_usage", lambda _: room)
    else:
        monkeypatch.setattr(locks_and_backups, "LARGE_BYTES", large_bytes)
        backup_folder(stored).write_text("in the way")
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.wait_until_backed_up()
        (warning,) = store.warnings
        assert warning.what == "No backup could be written to “{path}” ({error})."
    assert backups_of(stored) == ()


def test_that_the_check_tells_of_a_missing_backup(stored, held_back):
    backup_folder(stored).write_text("in the way")
    with CorpusStore.open(stored, who="ann") as store:
        assert store.warnings == ()
        goes_on = SimpleNamespace(advance=lambda *_: held_back.set())
        found = check_corpus(store, goes_on)
        assert found.damage == ()
        assert ["No backup" in remark.what for remark in found.remarks] == [True]
        assert check_corpus(store, Silent()).remarks == ()

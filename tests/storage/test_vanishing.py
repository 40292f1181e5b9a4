"""A file goes away under the program, or is exchanged: a stick is pulled, a backup copied over."""

import os
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from awase.cli.corpora import open_corpus
from awase.core.errors import EnvironmentProblem, Silent
from awase.core.records.edits import AlignmentEdit
from awase.jobs.checking import rescue, restore
from awase.jobs.team.copies import read_copies
from awase.storage.files import opening, sqlite_files
from awase.storage.files.corpus_file import has_pending, lock_file
from awase.storage.files.locks_and_backups import (
    CorpusLocked,
    HardLinked,
    backup_folder,
    backups_of,
    take_lock,
)
from awase.storage.files.opening import OpenFile
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.storage import children
from tests.storage.sample import LINKED, addition, edit, entry
from tests.stored import sql
from tests.threads import run_all

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away")


def _next(store: CorpusStore, note: str) -> AlignmentEdit:
    alignment = store.topic("t1").abstracts[0].alignment_by("ann")
    old = alignment.of_sentence(5) if alignment else None
    return edit(entry(5, note=note), old=old)


def _note(path: Path, *, read_only: bool = True) -> str | None:
    with CorpusStore.open(path, who="ann", read_only=read_only) as store:
        alignment = store.topic("t1").abstracts[0].alignment_by("ann")
        return alignment.of_sentence(5).note if alignment else None


def _annotate(store: CorpusStore, n_edits: int) -> None:
    for number in range(n_edits):
        store.apply(_next(store, str(number)), who="ann")


def _wait_until(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.mark.parametrize("is_exchanged", in_part([False, True]))
def test_that_nothing_is_written_into_a_file_that_is_gone(stored, is_exchanged):
    with CorpusStore.open(stored, who="ann") as store:
        away = stored.with_name("away")
        os.rename(stored, away)
        if is_exchanged:
            stored.write_bytes(away.read_bytes())
        for change in (lambda: store.apply(edit(LINKED), who="ann"), lambda: store.undo(who="ann")):
            with pytest.raises(EnvironmentProblem, match="no longer there"):
                change()
        os.replace(away, stored)
        store.apply(edit(LINKED), who="ann")
    with CorpusStore.open(stored, who="ann") as store:
        assert store.topic("t1").abstracts[0].alignments[0].sentences == (LINKED,)


def test_that_a_file_that_is_away_is_told_as_such_and_the_corpus_can_still_be_read(stored):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        with store.snapshot():
            os.rename(stored, stored.with_name("away"))
            with pytest.raises(EnvironmentProblem, match="no longer there"):
                store.apply(edit(LINKED), who="ann")  # the connection that was open is in use
        store.look_at_file()
        assert "no longer there" in str(store.file_problem)
        assert store.corpus() == before
        os.rename(stored.with_name("away"), stored)


@pytest.mark.parametrize(("folder", "n_edits"), in_part([("moved", 4), (".", 400), ("moved", 400)]))
def test_that_a_file_renamed_while_it_is_open_has_every_confirmed_edit(stored, folder, n_edits):
    new = stored.parent / folder / "renamed.awase"
    new.parent.mkdir(exist_ok=True)
    store = CorpusStore.open(stored, who="ann")
    _annotate(store, n_edits)
    os.rename(stored, new)
    with pytest.raises(EnvironmentProblem, match=f"was renamed to “{new}”"):
        store.close()
    for read_only in (True, False):
        with CorpusStore.open(new, who="ann", read_only=read_only) as renamed:
            assert len(renamed.history("ann").done) == n_edits
            assert not renamed.find_damage()
    assert not [one for one in stored.parent.iterdir() if one.name.startswith("corpus.awase-wal")]
    with CorpusStore.open(new, who="ann"):
        os.rename(new, stored)  # nothing was written: nothing is told


def test_that_a_file_that_moved_is_noticed_before_the_next_edit(stored, monkeypatch):
    monkeypatch.setattr(opening, "LOOK_S", 0.02)
    with CorpusStore.open(stored, who="ann") as store:
        assert store.file_problem is None
        os.rename(stored, stored.with_name("away"))
        _wait_until(lambda: store.file_problem is not None)
        assert "no longer there" in str(store.file_problem)
        os.rename(stored.with_name("away"), stored)
        _wait_until(lambda: store.file_problem is None)


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(opening, "QUIET_S", 0.5)


@pytest.mark.slow
@pytest.mark.usefixtures("soon")
def test_that_a_file_copied_while_it_is_open_soon_has_every_confirmed_edit(stored):
    copy = stored.with_name("copy.awase")
    with CorpusStore.open(stored, who="ann") as store:
        _annotate(store, 3)
        assert has_pending(stored)
        _wait_until(lambda: not has_pending(stored))
        shutil.copy(stored, copy)
        assert _note(copy) == "2"
        store.apply(_next(store, "more"), who="ann")
    assert _note(stored) == "more"


def test_that_what_somebody_without_a_pause_confirms_is_moved_into_the_file(stored, monkeypatch):
    monkeypatch.setattr(opening, "LOOK_S", 0.01)
    now, lock = [0.0], take_lock(stored)
    keeper = opening.Checkpointer(stored, lambda: now[0])
    sql(stored, "UPDATE corpus SET name = 'x'")
    for now[0] in range(1, 31):
        keeper.wrote()
    assert has_pending(stored)
    now[0] = 31  # seconds
    _wait_until(lambda: not has_pending(stored))
    keeper.close()
    lock.release()


def test_that_what_is_written_during_a_checkpoint_is_moved_by_the_next(stored, monkeypatch):
    monkeypatch.setattr(opening, "LOOK_S", 0.01)
    now, lock, checkpoint = [0.0], take_lock(stored), sqlite_files.checkpoint
    keeper = opening.Checkpointer(stored, lambda: now[0])

    def interrupted(connection: sqlite3.Connection, kind: str) -> tuple[bool, bool]:
        done = checkpoint(connection, kind)
        if kind == "TRUNCATE" and now[0] == 31:
            sql(stored, "UPDATE corpus SET name = 'y'")
            keeper.wrote()
            now[0] = 62
        return done

    monkeypatch.setattr(sqlite_files, "checkpoint", interrupted)
    sql(stored, "UPDATE corpus SET name = 'x'")
    keeper.wrote()
    now[0] = 31
    _wait_until(lambda: now[0] == 62 and not has_pending(stored))
    keeper.close()
    lock.release()


@pytest.mark.slow
@pytest.mark.usefixtures("soon")
def test_that_what_a_reader_still_reads_is_moved_when_it_is_done(stored):
    with CorpusStore.open(stored, who="ann") as store:
        with FileReader(stored).snapshot() as corpus:
            _annotate(store, 3)
            assert corpus.topic("t1") is not None
            assert has_pending(stored)
        _wait_until(lambda: not has_pending(stored))


def test_that_another_who_reads_in_this_process_leaves_the_file_locked(stored):
    """POSIX drops all locks of a process on a file with any descriptor of it that is closed."""
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        FileReader(stored).corpus()
        with children.running(children.read, stored) as child:
            assert child.pipe.recv() == "read"
        assert stored.with_name(stored.name + "-wal").exists()


@pytest.mark.parametrize("is_exchanged", in_part([False, True]))
def test_that_what_was_confirmed_is_saved_when_the_file_is_removed_or_exchanged(
    stored, template, is_exchanged
):
    store = CorpusStore.open(stored, who="ann")
    _annotate(store, 5)
    if is_exchanged:
        other = stored.with_name("other")
        shutil.copy(template, other)
        os.replace(other, stored)
    else:
        stored.unlink()
    with pytest.raises(EnvironmentProblem, match="Everything that was confirmed was saved"):
        store.close()
    (saved,) = stored.parent.glob("corpus-saved-*.awase")
    assert _note(saved) == "4"
    if is_exchanged:
        assert stored.read_bytes() == template.read_bytes()
        assert _note(stored, read_only=False) is None


def test_that_a_file_overwritten_while_it_is_open_stays_what_was_copied_over_it(stored, template):
    store = CorpusStore.open(stored, who="ann")
    _wait_until(lambda: not has_pending(stored))
    _annotate(store, 2)
    shutil.copyfile(template, stored)
    with pytest.raises(EnvironmentProblem, match="was overwritten"):
        store.apply(edit(LINKED), who="ann")
    with pytest.raises(EnvironmentProblem, match="was set aside as"):
        store.close()
    assert stored.read_bytes() == template.read_bytes()
    assert len([*stored.parent.glob("corpus-aside-*.awase-wal")]) == 1
    assert _note(stored, read_only=False) is None


def _exchange(backup: Path, stored: Path) -> None:
    os.replace(shutil.copy(backup, f"{stored}.new"), stored)


@pytest.mark.parametrize("how", in_part([shutil.copyfile, _exchange]))
def test_that_a_backup_copied_over_a_file_is_not_mixed_with_what_lies_beside_it(stored, how):
    with CorpusStore.open(stored, who="ann") as store:
        _annotate(store, 1)
    children.leave_unfinished(stored, edit(entry(5, note="newest"), old=entry(5, note="0")))
    (backup, *_) = sorted(backup_folder(stored).glob("*.awase"))
    how(backup, stored)
    with CorpusStore.open(stored, who="ann", read_only=True) as store:
        assert store.topic("t1").abstracts[0].alignments == ()
        assert "are not read" in store.warnings[0].what
    reader = FileReader(stored)
    assert reader.corpus().topics[0].abstracts[0].alignments == ()
    assert reader.warnings == open_corpus(str(stored)).warnings
    assert "are not read" in reader.warnings[0].what
    with read_copies([stored], Silent()) as (copy,):
        assert copy.copy.corpus == reader.corpus()
    rescued = stored.with_name("rescued.awase")
    (told,) = rescue(stored, rescued, who="ann", reporter=Silent()).lost
    assert "are not read" in told.what
    with CorpusStore.open(rescued, who="ann", read_only=True) as store:
        assert "link" not in {row["verb"] for row in store.log_rows()}
    with CorpusStore.open(stored, who="ann") as store:
        assert store.topic("t1").abstracts[0].alignments == ()
        assert "were set aside" in store.warnings[0].what
        assert not store.find_damage()
    assert len([*stored.parent.glob("corpus-aside-*.awase-wal")]) == 1
    with CorpusStore.open(stored, who="ann") as store:
        assert store.warnings == ()


def test_that_a_folder_copied_whole_after_a_crash_keeps_what_lies_beside_the_file(
    stored, tmp_path_factory
):
    children.leave_unfinished(stored, edit(entry(5, note="kept")))
    assert has_pending(stored)
    copied = tmp_path_factory.mktemp("copied") / "all"
    shutil.copytree(stored.parent, copied)
    for path in (stored, copied / stored.name):
        assert _note(path) == "kept"
        assert _note(path, read_only=False) == "kept"


def test_that_a_file_with_a_second_name_is_only_read_and_says_so(stored):
    os.link(stored, stored.with_name("second.awase"))
    with pytest.raises(HardLinked, match="hard links"):
        CorpusStore.open(stored, who="ann")
    with CorpusStore.open_or_read_only(stored, who="ann") as store:
        assert store.read_only
        assert ["hard links" in one.what for one in store.warnings] == [True]
    stored.with_name("second.awase").unlink()
    CorpusStore.open(stored, who="ann").close()


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_that_a_strangers_neighbour_is_neither_waited_for_nor_written_through(
    stored, tmp_path, suffix, kind
):
    neighbour, victim = stored.with_name(stored.name + suffix), tmp_path / "victim"
    victim.write_text("mine")
    if kind == "pipe":
        os.mkfifo(neighbour)
    else:
        neighbour.symlink_to(victim)
    for read_only in (True, False):
        with pytest.raises(EnvironmentProblem, match="a link, a folder or a pipe"):
            CorpusStore.open(stored, who="ann", read_only=read_only)
    assert victim.read_text() == "mine"


def test_that_a_lock_that_is_a_link_or_a_folder_is_not_taken(stored, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    lock_file(stored).symlink_to(victim)
    for is_folder in (False, True):
        if is_folder:
            lock_file(stored).unlink()
            lock_file(stored).mkdir()
        with CorpusStore.open_or_read_only(stored, who="ann") as store:
            assert store.read_only
    assert victim.read_text() == "mine"


def test_that_a_link_in_place_of_the_backups_deletes_nothing_of_another_corpus(stored, tmp_path):
    other = tmp_path / "other.awase-backups"
    other.mkdir()
    names = {f"2026010{day}T000000Z-{day}.awase" for day in range(1, 7)}
    for name in names:
        (other / name).write_bytes(b"another's")
    backup_folder(stored).symlink_to(other)
    with CorpusStore.open(stored, who="ann") as store:
        assert ["No backup could be written" in one.what for one in store.warnings] == [True]
    assert {one.name for one in other.iterdir()} == names


def test_that_a_log_without_room_for_another_row_is_told_as_damage(stored):
    sql(stored, "UPDATE operation SET id = 9223372036854775807 WHERE id = 1")
    for read_only in (True, False):
        with pytest.raises(EnvironmentProblem, match="damaged"):
            CorpusStore.open(stored, who="ann", read_only=read_only)


def test_that_a_path_that_is_too_long_for_a_database_is_told(stored, tmp_path):
    folder = tmp_path
    while len(os.fsencode(folder)) < 520:
        folder /= "資料" * 10
    folder.mkdir(parents=True)
    path = folder / "corpus.awase"
    shutil.copy(stored, path)
    for access in (
        lambda: CorpusStore.open(path, who="ann"),
        lambda: CorpusStore.open(path, who="ann", read_only=True),
        lambda: CorpusStore.create(folder / "new.awase", name="n", who="ann"),
    ):
        with pytest.raises(EnvironmentProblem, match="too long"):
            access()


def test_that_a_restored_backup_keeps_what_was_there_with_what_lay_beside_it(stored):
    with CorpusStore.open(stored, who="ann") as store:
        replica = store.bare_ownership().replica
        _annotate(store, 1)
    children.leave_unfinished(stored, edit(entry(5, note="newest"), old=entry(5, note="0")))
    told = restore(stored, None, Silent())
    assert _note(stored) == "0"
    assert told.fields["path"] == str(stored)
    assert Path(told.fields["backup"]) in backups_of(stored)
    assert _note(Path(told.fields["aside"])) == "newest"
    assert "is kept as" in told.hint
    with CorpusStore.open(stored, who="ann") as store:
        assert store.warnings == ()
        assert store.bare_ownership().replica not in (replica, "")
        assert not store.find_damage()
    oldest = min(backup_folder(stored).iterdir())
    stored.unlink()
    told = restore(stored, oldest, Silent())
    assert (told.fields["aside"], told.hint) == ("", "")
    assert _note(stored) is None


def test_that_a_backup_is_not_restored_where_that_would_be_wrong(stored, template, tmp_path):
    with pytest.raises(EnvironmentProblem, match="has no backup"):
        restore(stored, None, Silent())
    with pytest.raises(EnvironmentProblem, match="replace itself"):
        restore(stored, stored, Silent())
    other = tmp_path / "other.awase"
    CorpusStore.create(other, name="other", who="ann", addition=addition()).close()
    with pytest.raises(EnvironmentProblem, match="backup of another corpus"):
        restore(stored, other, Silent())
    copy = shutil.copy(template, tmp_path / "copy.awase")
    sql(copy, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
    with pytest.raises(EnvironmentProblem, match="is damaged itself"):
        restore(stored, Path(copy), Silent())
    with CorpusStore.open(stored, who="ann"), pytest.raises(CorpusLocked, match="ann"):
        restore(stored, template, Silent())
    assert not [*tmp_path.glob("*replaced*")]


@pytest.mark.slow
def test_that_threads_that_look_at_the_same_time_see_the_same_file(stored):
    """A place in the file that two threads shared once made it another's."""
    file, seen = OpenFile(stored), set()

    def look() -> None:
        seen.update(file.header() for _ in range(20_000))

    run_all(threading.Thread(target=look) for _ in range(4))
    file.close()
    assert seen == {stored.read_bytes()[:100]}

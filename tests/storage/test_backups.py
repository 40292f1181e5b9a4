from pathlib import Path

import pytest

from awase.storage.files.locks_and_backups import KEPT, back_up, backup_folder
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, edit, entry


def _copies(path: Path) -> list[Path]:
    return sorted(backup_folder(path).iterdir()) if backup_folder(path).exists() else []


def _annotate(path: Path, note: str, old_note: str | None) -> None:
    old = entry(5, note=old_note) if old_note else None
    with CorpusStore.open(path, who="ann") as store:
        store.apply(edit(entry(5, note=note), old=old), who="ann")


def test_that_a_backup_holds_what_was_there_before_the_session(stored):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        store.apply(edit(LINKED), who="ann")
        (copy,) = _copies(stored)
        assert FileReader(copy).corpus() == before


def test_that_a_backup_of_the_same_content_is_not_made_again(stored):
    CorpusStore.open(stored, who="ann").close()
    first = _copies(stored)
    CorpusStore.open(stored, who="bob").close()
    assert _copies(stored) == first


@pytest.mark.slow
def test_that_the_newest_backups_are_kept(stored):
    notes = [str(step_idx) for step_idx in range(KEPT + 2)]
    for old_note, note in zip([None, *notes], notes, strict=False):
        _annotate(stored, note, old_note)
    copies = _copies(stored)
    assert len(copies) == KEPT
    with CorpusStore.open(copies[-1], who="ann", read_only=True) as reader:
        assert len(reader.history("ann").done) == len(notes) - 1


def test_that_a_new_backup_is_kept_though_the_clock_was_set_back(stored):
    for content in range(KEPT):
        back_up(stored, f"2030010{content + 1}T000000Z-{content}")
    new = back_up(stored, "20200101T000000Z-99")
    assert new in _copies(stored)
    assert len(_copies(stored)) == KEPT


def test_that_files_of_the_user_among_the_backups_stay(stored):
    backup_folder(stored).mkdir()
    own = backup_folder(stored) / "before the review.awase"
    own.write_bytes(b"mine")
    for content in range(KEPT + 2):
        back_up(stored, f"2030010{content + 1}T000000Z-{content}")
    assert own.read_bytes() == b"mine"
    assert len(_copies(stored)) == KEPT + 1


def test_that_a_backup_that_was_broken_off_is_cleared(stored):
    backup_folder(stored).mkdir()
    broken_off = backup_folder(stored) / "20200101T000000Z-1.awase.part"
    broken_off.write_bytes(b"half")
    CorpusStore.open(stored, who="ann").close()
    assert not broken_off.exists()


def test_that_a_backup_that_cannot_be_made_is_a_warning_and_work_goes_on(stored):
    backup_folder(stored).write_text("in the way")
    with CorpusStore.open(stored, who="ann") as store:
        assert [warning.what for warning in store.warnings] == [
            "No backup could be written to “{path}” ({error})."
        ]
        store.apply(edit(LINKED), who="ann")

from pathlib import Path

from awase.storage.files.locks_and_backups import KEPT, back_up, backup_folder, backups_of
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, edit


def _copies(path: Path) -> list[Path]:
    return sorted(backup_folder(path).iterdir()) if backup_folder(path).exists() else []


def test_that_a_backup_holds_what_was_there_before_the_session(stored):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        store.apply(edit(LINKED), who="ann")
        (copy,) = _copies(stored)
        assert FileReader(copy).corpus() == before
        assert copy.read_bytes()[18:20] == b"\1\1"  # read where nothing can lie beside it


def test_that_a_backup_of_the_same_content_is_not_made_again(stored):
    CorpusStore.open(stored, who="ann").close()
    first = _copies(stored)
    assert back_up(stored, first[0].stem) is None
    CorpusStore.open(stored, who="bob").close()
    assert _copies(stored) == first


def test_that_the_newest_backups_are_kept_and_a_new_one_though_the_clock_was_set_back(stored):
    made = [back_up(stored, f"2030010{day}T000000Z-{day}") for day in range(1, KEPT + 3)]
    assert _copies(stored) == made[-KEPT:]
    new = back_up(stored, "20200101T000000Z-99")
    assert _copies(stored) == [new, *made[-KEPT + 1 :]]


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
    assert backups_of(stored) == ()
    CorpusStore.open(stored, who="ann").close()
    assert not broken_off.exists()

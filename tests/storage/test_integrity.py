"""Letters that change on the disk: seen, named, and a good backup found."""

import shutil
from pathlib import Path

import pytest

from awase.core.errors import Cancelled
from awase.core.records.abstract import GoldEntry
from awase.core.records.edits import GoldEdit
from awase.storage.files import opening
from awase.storage.files.locks_and_backups import backup_folder
from awase.storage.store import CorpusStore
from tests.storage.sample import CONFIRMED, LINKED, addition, edit, entry, rank_edit
from tests.stored import sql


@pytest.fixture(scope="module")
def worked_on_once(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(template, tmp_path_factory.mktemp("worked-on")))
    with CorpusStore.open(path, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        store.undo(who="ann")
        store.apply(rank_edit("B"), who="ann")
        decided = GoldEntry(entry=entry(9))
        made = GoldEdit(verb="take", topic="t1", abstract="short", n=9, old=None, new=decided)
        store.apply(made, who="ann")
        store.add(addition("t2"), who="ann")
    return path


@pytest.fixture
def worked_on(worked_on_once: Path, path: Path) -> Path:
    return Path(shutil.copy(worked_on_once, path))


def _change(path: Path, statement: str) -> None:
    assert sql(path, statement, "SELECT changes()") == [(1,)]


def _damage(path: Path) -> list[str]:
    with CorpusStore.open(path, who="ann", read_only=True) as store:
        return [str(problem) for problem in store.find_damage()]


def test_that_nothing_is_found_in_what_the_program_wrote(worked_on):
    assert _damage(worked_on) == []


class _StopsInTheLookAtPages:
    """A reporter that stops before any topic is counted; only then it is told of no total."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        assert not total, "topics are looked at"
        raise Cancelled


def test_that_the_look_at_pages_can_be_stopped_and_reading_goes_on(worked_on, monkeypatch):
    monkeypatch.setattr(opening, "STEPS_BETWEEN_REPORTS", 10)
    with CorpusStore.open(worked_on, who="ann") as store:
        with pytest.raises(Cancelled):
            store.find_damage(_StopsInTheLookAtPages())
        assert store.find_damage() == ()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE source_sentence SET text = text || 'x' WHERE id = 1", "Texts of topic “t1”"),
        ("UPDATE abstract_sentence SET text = 'x' WHERE id = 1", "Texts of topic “t1”"),
        ("UPDATE abstract_sentence SET rank = 'C' WHERE id = 1", "Titles, ranks or systems"),
        ("UPDATE document SET title = 'x' WHERE id = 1", "Titles, ranks or systems"),
        ("UPDATE output SET system = 'x' WHERE id = 1", "ranks or systems of topic “t1”"),
        ("UPDATE sentence_alignment SET note = 'x'", "The work of “ann” on sentence 5"),
        ("DELETE FROM sentence_alignment", "The work of “ann” on sentence 5"),
        ("UPDATE sentence_alignment SET alternatives = '['", "Topic “t1” cannot be read"),
        ("UPDATE gold_entry SET cause = 'x'", "The work of “gold” on sentence 9"),
        ("UPDATE topic SET title = 'x' WHERE key = 't2'", "systems of topic “t2”"),
        ("UPDATE corpus SET guidelines = 'x'", "The name, the rank weights, the guidelines"),
        ("UPDATE corpus SET rank_weights = '['", "The name, the rank weights, the guidelines"),
        ("UPDATE operation SET who = 'bob' WHERE id = 3", "Row 3 of the operation log"),
        ("UPDATE operation SET old = '{}' WHERE id = 4", "Row 4 of the operation log"),
    ],
)
def test_that_a_change_on_the_disk_is_seen_and_named(worked_on, statement, told):
    _change(worked_on, statement)
    (problem,) = _damage(worked_on)
    assert told in problem


def test_that_the_newest_backup_in_which_nothing_is_damaged_is_offered(worked_on):
    for n in range(2):
        with CorpusStore.open(worked_on, who="ann") as store:
            store.apply(rank_edit("CB"[n], old="BC"[n]), who="ann")
    older, newer = sorted(backup_folder(worked_on).iterdir())[-2:]
    with CorpusStore.open(worked_on, who="ann", read_only=True) as store:
        assert store.newest_sound_backup() == newer
        _change(newer, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
        assert store.newest_sound_backup() == older
        newer.write_bytes(newer.read_bytes()[:5000])
        assert store.newest_sound_backup() == older
        for backup in backup_folder(worked_on).iterdir():
            backup.unlink()
        assert store.newest_sound_backup() is None


def test_that_a_log_without_any_digest_is_damaged_and_excuses_nothing(worked_on):
    sql(worked_on, "UPDATE operation SET digest = NULL")
    _change(worked_on, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
    found = _damage(worked_on)
    assert any("Texts of topic “t1”" in problem for problem in found)
    assert sum("of the operation log" in problem for problem in found) == 8

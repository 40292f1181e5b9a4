"""Letters that change on the disk: seen, named, and a good backup found."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from awase.core.records.edits.edit import GoldEdit
from awase.core.records.edits.ownership import EntryKey
from awase.core.records.encoding.digests import entry_digest
from awase.core.records.gold import GoldEntry
from awase.storage.opening.backups import backup_folder
from awase.storage.store import CorpusStore
from tests.storage.sample import CONFIRMED, LINKED, addition, edit, entry, rank_edit


@pytest.fixture
def worked_on(stored: Path) -> Path:
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        store.undo(who="ann")
        store.apply(rank_edit("B"), who="ann")
        decided = GoldEntry(entry=entry(9))
        made = GoldEdit(verb="take", topic="t1", abstract="short", n=9, old=None, new=decided)
        store.apply(made, who="ann")
        store.add(addition("t2"), who="ann")
    return stored


def _change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(statement).rowcount == 1
        connection.commit()


def _damage(path: Path) -> list[str]:
    with CorpusStore.open(path, who="ann", read_only=True) as store:
        return [str(problem) for problem in store.find_damage()]


def test_that_nothing_is_found_in_what_the_program_wrote(worked_on: Path):
    assert _damage(worked_on) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE source_sentence SET text = text || 'x' WHERE id = 1", "Texts of topic “t1”"),
        ("UPDATE abstract_sentence SET text = 'x' WHERE id = 1", "Texts of topic “t1”"),
        ("UPDATE abstract_sentence SET rank = 'C' WHERE id = 1", "Titles, ranks or systems"),
        ("UPDATE document SET title = 'x' WHERE id = 1", "Titles, ranks or systems"),
        ("UPDATE output SET system = 'x' WHERE id = 1", "Titles, ranks or systems of topic “t1”"),
        ("UPDATE sentence_alignment SET note = 'x'", "What “ann” said about sentence 5"),
        ("UPDATE sentence_alignment SET alternatives = '['", "Topic “t1” cannot be read"),
        ("UPDATE gold_entry SET cause = 'x'", "What “gold” said about sentence 9"),
        ("UPDATE topic SET title = 'x' WHERE key = 't2'", "systems of topic “t2”"),
        ("UPDATE corpus SET guidelines = 'x'", "The name, the rank weights, the guidelines"),
        ("UPDATE corpus SET rank_weights = '['", "The name, the rank weights, the guidelines"),
        ("UPDATE operation SET who = 'bob' WHERE id = 3", "Row 3 of the operation log"),
        ("UPDATE operation SET old = '{}' WHERE id = 4", "Row 4 of the operation log"),
    ],
)
def test_that_a_change_on_the_disk_is_seen_and_named(worked_on: Path, statement: str, told: str):
    _change(worked_on, statement)
    (problem,) = _damage(worked_on)
    assert told in problem


def test_that_the_newest_backup_in_which_nothing_is_damaged_is_offered(worked_on: Path):
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


def test_that_what_a_program_without_digests_wrote_is_no_damage_and_is_taken_note_of(
    worked_on: Path,
):
    _change(worked_on, "UPDATE sentence_alignment SET state = 'flagged'")
    _change(
        worked_on,
        "INSERT INTO operation (at, who, kind, verb, subject, active_ms)"
        " VALUES ('2026-11-22T00:00:00.000+00:00', 'ann', 'import', 'import', '', 0)",
    )
    assert _damage(worked_on) == []
    with CorpusStore.open(worked_on, who="ann") as store:
        assert store.find_damage() == ()
        (now,) = store.topic("t1").abstracts[0].alignments[0].sentences
        versions = store.ownership().versions[EntryKey("t1", "long", "ann", 5)]
        assert versions[-1].digest == entry_digest(now)
        assert len(versions) == 4
    _change(worked_on, "UPDATE sentence_alignment SET state = 'todo'")
    assert len(_damage(worked_on)) == 1

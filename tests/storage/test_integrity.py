"""Letters that change on the disk: seen, named, and a good backup found."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.errors import Cancelled
from awase.core.records.edits.edit import GoldEdit, GuidelinesEdit
from awase.core.records.edits.ownership import EntryKey
from awase.core.records.encoding.digests import entry_digest
from awase.core.records.gold import GoldEntry
from awase.storage.databases import sqlite
from awase.storage.databases.format_version import USER_VERSION
from awase.storage.opening.backups import backup_folder
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.storage.sample import CONFIRMED, LINKED, addition, edit, entry, rank_edit


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
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(statement).rowcount == 1
        connection.commit()


def _damage(path: Path) -> list[str]:
    with CorpusStore.open(path, who="ann", read_only=True) as store:
        return [str(problem) for problem in store.find_damage()]


def test_that_nothing_is_found_in_what_the_program_wrote(worked_on: Path):
    assert _damage(worked_on) == []


class _StopsInTheLookAtPages:
    """A reporter that stops before any topic is counted; only then it is told of no total."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        assert not total, "topics are looked at"
        raise Cancelled


def test_that_the_look_at_pages_can_be_stopped_and_reading_goes_on(
    worked_on: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite, "STEPS_BETWEEN_REPORTS", 10)
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
    with CorpusStore.open(worked_on, who="ann", read_only=True) as store:
        assert store.sound_copy() == store.copy()
    _change(worked_on, statement)
    (problem,) = _damage(worked_on)
    assert told in problem
    with CorpusStore.open(worked_on, who="ann", read_only=True) as store:
        assert store.sound_copy() is None


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


def _as_older_program(path: Path, *, from_row: int, n_rows: int) -> None:
    """Makes the last rows of the log, and what they did, as a program without digests leaves it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE operation SET digest = NULL WHERE id >= ?", [from_row])
        done = connection.execute("SELECT changes()").fetchone()
        assert done == (n_rows,)
        connection.commit()


def _older_import(path: Path, *, topics: str) -> None:
    _change(
        path,
        "INSERT INTO operation (at, who, kind, verb, subject, active_ms, new) VALUES"
        " ('2026-11-22T00:00:00.000+00:00', 'ann', 'import', 'import', 'f', 0,"
        f" '{{\"topics\":{topics}}}')",
    )


@pytest.fixture(scope="module")
def worked_on_by_older_once(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    stored = Path(shutil.copy(template, tmp_path_factory.mktemp("by-older")))
    with CorpusStore.open(stored, who="ann") as store:
        store.add(addition("t2"), who="ann")
        store.apply(edit(LINKED, topic="t2"), who="ann")
    with closing(sqlite3.connect(stored)) as connection:
        digests = connection.execute("SELECT key, text_digest, digest FROM topic").fetchall()
        (frame,) = connection.execute("SELECT digest FROM corpus").fetchone()
        (last,) = connection.execute("SELECT max(id) FROM entry_version").fetchone()
        (row,) = connection.execute("SELECT max(id) FROM operation").fetchone()
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        store.undo(who="ann")
        store.apply(rank_edit("B"), who="ann")
        guidelines = GuidelinesEdit(verb=EDIT_GUIDELINES, old="", new="Read.")
        store.apply(guidelines, who="ann")
    with closing(sqlite3.connect(stored)) as connection:
        for key, texts, content in digests:
            connection.execute(
                "UPDATE topic SET text_digest = ?, digest = ? WHERE key = ?", [texts, content, key]
            )
        connection.execute("UPDATE corpus SET digest = ?", [frame])
        connection.execute("DELETE FROM entry_version WHERE id > ?", [last])
        connection.commit()
    _as_older_program(stored, from_row=row + 1, n_rows=5)
    return stored


@pytest.fixture
def worked_on_by_older(worked_on_by_older_once: Path, path: Path) -> Path:
    """Worked on by this program, then by one that writes neither digests nor versions."""
    return Path(shutil.copy(worked_on_by_older_once, path))


def _damage_once_open(path: Path) -> list[str]:
    """What is found after the file was opened for writing, then, and ever after."""
    with CorpusStore.open(path, who="ann") as store:
        assert store.warnings == ()
        found = [str(problem) for problem in store.find_damage()]
    assert _damage(path) == found
    return found


def test_that_what_an_older_program_logged_is_no_damage_and_is_taken_note_of(
    worked_on_by_older: Path,
):
    path = worked_on_by_older
    assert _damage(path) == []
    assert _damage_once_open(path) == []
    with CorpusStore.open(path, who="ann") as store:
        (now,) = store.topic("t1").abstracts[0].alignments[0].sentences
        assert now == LINKED
        versions = store.ownership().versions[EntryKey("t1", "long", "ann", 5)]
        assert versions[-1].digest == entry_digest(now)
        assert store.corpus().guidelines == "Read."
    _change(path, "UPDATE sentence_alignment SET state = 'todo' WHERE id = 1")
    assert len(_damage(path)) == 1


@pytest.mark.parametrize(
    ("statement", "told", "is_told_on_reading"),
    in_part([
        ("UPDATE sentence_alignment SET note = 'x' WHERE id = 1", "sentence 5 of .* “t2”", True),
        ("UPDATE topic SET title = 'x' WHERE key = 't2'", "Titles.* “t2”", True),
        ("UPDATE topic SET digest = NULL WHERE key = 't2'", "Titles.* “t2”", True),
        ("UPDATE sentence_alignment SET note = 'x' WHERE id = 2", "sentence 5 of .* “t1”", False),
        ("UPDATE source_sentence SET text = 'x' WHERE id = 1", "Texts of topic “t1”", False),
        ("UPDATE corpus SET name = 'x'", "The name, the rank weights", False),
        ("UPDATE operation SET digest = NULL WHERE id = 3", "Row 3 of the operation log", True),
        ("UPDATE operation SET old = '{' WHERE kind = 'edit' AND n = 5 AND verb = 'rank'",
         "Titles, ranks.* “t1”", False),
    ], first=2),
)  # fmt: skip
def test_that_opening_what_an_older_program_wrote_into_blesses_no_damage(
    worked_on_by_older: Path, statement: str, told: str, is_told_on_reading: bool
):
    _change(worked_on_by_older, statement)
    on_reading = _damage(worked_on_by_older)
    assert bool(on_reading) == is_told_on_reading
    (problem,) = _damage_once_open(worked_on_by_older)
    assert re.search(told, problem)


def test_that_conversion_to_a_newer_format_blesses_no_damage_either(worked_on_by_older: Path):
    _change(worked_on_by_older, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
    with closing(sqlite3.connect(worked_on_by_older)) as connection:
        connection.execute(f"PRAGMA user_version = {USER_VERSION - 1}")
    (problem,) = _damage_once_open(worked_on_by_older)
    assert "Texts of topic “t1”" in problem


def test_that_an_older_programs_import_that_cannot_be_told_from_damage_is_told_once(
    worked_on: Path,
):
    _change(worked_on, "UPDATE sentence_alignment SET state = 'flagged'")
    _change(worked_on, "UPDATE topic SET title = 'new' WHERE key = 't2'")
    _older_import(worked_on, topics='["t2"]')
    with CorpusStore.open(worked_on, who="ann") as store:
        (warning,) = store.warnings
        assert str(warning).startswith("An older version of Awase has imported")
        assert warning.fields == {"topics": "t2"}
        (problem,) = store.find_damage()
        assert "What “ann” said about sentence 5" in str(problem)
    with CorpusStore.open(worked_on, who="ann") as store:
        assert store.warnings == ()
        assert len(store.find_damage()) == 1


def test_that_an_older_programs_import_of_a_new_topic_is_taken_note_of_without_a_word(
    worked_on: Path,
):
    _change(worked_on, "UPDATE topic SET text_digest = NULL, digest = NULL WHERE key = 't2'")
    _older_import(worked_on, topics='["t2"]')
    assert _damage_once_open(worked_on) == []


def test_that_an_entry_that_is_gone_from_the_disk_is_named(worked_on: Path):
    _change(worked_on, "DELETE FROM sentence_alignment")
    (problem,) = _damage(worked_on)
    assert "What “ann” said about sentence 5" in problem


def test_that_a_log_without_any_digest_is_damaged_and_excuses_nothing(worked_on: Path):
    _as_older_program(worked_on, from_row=1, n_rows=8)
    _change(worked_on, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
    found = _damage_once_open(worked_on)
    assert any("Texts of topic “t1”" in problem for problem in found)
    assert sum("of the operation log" in problem for problem in found) == 8

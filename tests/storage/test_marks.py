import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from awase.core.errors import EnvironmentProblem
from awase.storage.files import corpus_file
from awase.storage.store import CorpusStore
from tests.storage.sample import edit


def _pragma(path: Path, name: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _set_pragma(path: Path, name: str, value: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA {name} = {value}")


def test_that_a_corpus_carries_its_marks(stored):
    assert stored.read_bytes()[68:72] == b"AWAS"
    assert (
        _pragma(stored, "user_version")
        == 65536 * corpus_file.FORMAT_MAJOR + corpus_file.FORMAT_MINOR
    )
    assert _pragma(stored, "journal_mode") == "wal"


def test_that_every_write_reaches_the_disk_before_it_is_confirmed(store):
    seen = set()

    @event.listens_for(Engine, "begin")
    def look(connection):
        for name in ("journal_mode", "synchronous", "foreign_keys", "fullfsync", "trusted_schema"):
            seen.add((name, connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()))

    try:
        store.apply(edit(), who="ann")
    finally:
        event.remove(Engine, "begin", look)
    full = 2
    assert seen == {
        ("journal_mode", "wal"),
        ("synchronous", full),
        ("foreign_keys", 1),
        ("fullfsync", 1),
        ("trusted_schema", 0),
    }


def test_that_the_format_version_is_told(store, stored):
    assert store.format_version() == "1.4"
    with CorpusStore.open(stored, who="ann", read_only=True) as reader:
        assert reader.format_version() == "1.4"


def test_that_a_later_minor_version_is_opened_as_it_is(stored):
    later = corpus_file.USER_VERSION + 3
    _set_pragma(stored, "user_version", later)
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(), who="ann")
        assert store.format_version() == "1.7"
    assert _pragma(stored, "user_version") == later


def assert_refused_and_left_alone(path: Path, told: str, *, read_only: bool) -> None:
    before = path.read_bytes()
    with pytest.raises(EnvironmentProblem, match=told):
        CorpusStore.open(path, who="ann", read_only=read_only)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("read_only", [True, False])
def test_that_a_newer_major_version_is_refused_and_left_alone(stored, read_only):
    _set_pragma(stored, "user_version", 65536 * 2 + 1)
    assert_refused_and_left_alone(
        stored, r"newer version of Awase \(file format 2\.1", read_only=read_only
    )


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_that_another_programs_database_is_refused_and_left_alone(path, journal_mode, read_only):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal_mode}")
        connection.execute("CREATE TABLE corpus (id)")
        connection.commit()
    assert_refused_and_left_alone(path, "database of another program", read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("content", [b"", b"{}", "日本語".encode(), b"SQLite format 2\0" * 99])
def test_that_any_other_file_is_refused_and_left_alone(path, content, read_only):
    path.write_bytes(content)
    assert_refused_and_left_alone(path, "is not an Awase corpus", read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
def test_that_a_missing_file_or_a_folder_is_told(path, read_only):
    with pytest.raises(EnvironmentProblem, match="There is no file"):
        CorpusStore.open(path, who="ann", read_only=read_only)
    with pytest.raises(EnvironmentProblem, match="is not an Awase corpus"):
        CorpusStore.open(path.parent, who="ann", read_only=read_only)


@pytest.mark.parametrize(
    ("error", "reason"),
    [(PermissionError(13, "Permission denied"), "Permission denied"), (OSError("odd"), "odd")],
)
def test_that_a_file_that_cannot_be_read_says_why(stored, monkeypatch, error, reason):
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(EnvironmentProblem, match=rf"cannot be read \({reason}\)"):
        corpus_file.check_file(stored)


def test_that_a_file_that_is_not_there_is_told_apart_from_one_that_cannot_be_read(tmp_path):
    with pytest.raises(EnvironmentProblem, match="There is no file"):
        corpus_file.check_file(tmp_path / "none.awase")

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.pool import StaticPool

from awase.core.errors import EnvironmentProblem
from awase.storage.files import corpus_file
from awase.storage.files.sqlite_files import (
    in_plain_blanks,
    known,
    make_tables,
    statements,
    statements_of_steps,
    upgrade,
)
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.storage.sample import addition, edit
from tests.stored import sql


def _pragma(path: Path, name: str) -> object:
    return sql(path, f"PRAGMA {name}")[0][0]


def test_that_a_corpus_carries_its_marks(stored):
    assert stored.read_bytes()[68:72] == b"AWAS"
    version = 65536 * corpus_file.FORMAT_MAJOR + corpus_file.FORMAT_MINOR
    assert _pragma(stored, "user_version") == version
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
        ("journal_mode", "wal"), ("synchronous", full), ("foreign_keys", 1), ("fullfsync", 1),
        ("trusted_schema", 0),
    }  # fmt: skip


@pytest.mark.parametrize("n_later", [0, 3])
def test_that_a_later_minor_version_is_opened_as_it_is_and_told(stored, n_later):
    version = corpus_file.USER_VERSION + n_later
    sql(stored, f"PRAGMA user_version = {version}")
    for read_only in (False, True):
        with CorpusStore.open(stored, who="ann", read_only=read_only) as store:
            assert read_only or store.apply(edit(), who="ann")
            assert store.format_version() == f"1.{4 + n_later}"
    assert _pragma(stored, "user_version") == version


def assert_refused_and_left_alone(path: Path, told: str, *, read_only: bool) -> None:
    before = path.read_bytes()
    with pytest.raises(EnvironmentProblem, match=told):
        CorpusStore.open(path, who="ann", read_only=read_only)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("read_only", [True, False])
def test_that_a_newer_major_version_is_refused_and_left_alone(stored, read_only):
    sql(stored, f"PRAGMA user_version = {65536 * 2 + 1}")
    assert_refused_and_left_alone(
        stored, r"newer version of Awase \(file format 2\.1", read_only=read_only
    )


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_that_another_programs_database_is_refused_and_left_alone(path, journal_mode, read_only):
    sql(path, f"PRAGMA journal_mode = {journal_mode}", "CREATE TABLE corpus (id)")
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


STATEMENTS = {
    "a trigger “sly”": [
        "CREATE TRIGGER sly AFTER INSERT ON topic BEGIN UPDATE source_sentence SET text = 'x'; END"
    ],
    "a view “sly”": ["CREATE VIEW sly AS SELECT 1"],
    "a view “holder”": [
        "DROP TABLE holder",
        "CREATE VIEW holder AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS id FROM n",
    ],
    "a table “sly”": ["CREATE TABLE sly (x)"],
    "a table “parse”": [
        "DROP TABLE parse",
        "CREATE TABLE parse (id INTEGER NOT NULL, model TEXT NOT NULL, digest VARCHAR(64) NOT NULL,"
        " conllu TEXT NOT NULL, PRIMARY KEY (id), UNIQUE (model, digest) ON CONFLICT REPLACE)",
    ],
    "a table “topic”": ["ALTER TABLE topic RENAME COLUMN title TO headline"],
    "an index “sly”": ["CREATE INDEX sly ON topic (abs(position))"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "c.awase"
    CorpusStore.create(path, name="x", who="ann", addition=addition("t1")).close()
    return path


def _changed(made: Path, path: Path, statements: list[str]) -> Path:
    shutil.copy(made, path)
    sql(path, *statements)
    return path


@pytest.mark.parametrize("named", in_part(STATEMENTS, first=2))
def test_that_a_foreign_statement_is_refused_and_named(made, tmp_path, named):
    path = _changed(made, tmp_path / "c.awase", STATEMENTS[named])
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(EnvironmentProblem, match=named):
            CorpusStore.open(path, who="ann", read_only=read_only)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if "backups" in file.name] == []


def test_that_many_foreign_statements_are_told_in_short(made, tmp_path):
    many = [f"CREATE TABLE sly{n} (x)" for n in range(5)]
    path = _changed(made, tmp_path / "c.awase", many)
    with pytest.raises(EnvironmentProblem, match=r"“sly0”, a table “sly1”, a table “sly2”, …\."):
        CorpusStore.open(path, who="ann", read_only=True)


def test_that_what_sqlite_does_to_a_file_itself_is_nothing_foreign(made, tmp_path):
    path = _changed(made, tmp_path / "c.awase", ["ANALYZE", "VACUUM"])
    with CorpusStore.open(path, who="ann") as store:
        assert [topic.id for topic in store.corpus().topics] == ["t1"]


def test_that_a_new_file_is_what_the_steps_make():
    databases = []
    for make in (make_tables, upgrade):
        engine = create_engine("sqlite://", poolclass=StaticPool)
        with engine.begin() as connection:
            make(connection)
            found = [
                (kind, name, in_plain_blanks(sql)) for kind, name, sql in statements(connection)
            ]
            step = connection.execute(text("SELECT version_num FROM alembic_version")).all()
        engine.dispose()
        databases.append((sorted(found), step))
    assert databases[0] == databases[1]
    assert len(databases[0][0]) > 20


def test_that_every_statement_of_the_steps_is_known_and_no_other():
    """Add what is missing to `statements`: without it every opening is slower."""
    assert statements_of_steps() == known()


def test_that_only_blanks_are_overlooked():
    assert in_plain_blanks('CREATE TABLE a (\n\tb TEXT, \n\t"c d" TEXT\n)') == (
        'CREATE TABLE a(b TEXT,"c d" TEXT)'
    )
    assert in_plain_blanks("CREATE TABLE A(b)") != in_plain_blanks("CREATE TABLE a(b)")

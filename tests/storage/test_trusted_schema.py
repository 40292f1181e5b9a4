"""A corpus file from a stranger: statements that are not Awase's own are refused, unread."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import StaticPool

from awase.core.errors import EnvironmentProblem
from awase.storage.files.sqlite_files import statements
from awase.storage.files.statements import (
    in_plain_blanks,
    known,
    make_tables,
    statements_of_steps,
    upgrade,
)
from awase.storage.store import CorpusStore
from tests.storage.sample import addition

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
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


@pytest.mark.parametrize("named", STATEMENTS)
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


def test_that_sqlites_own_statistics_are_no_foreign_tables(made, tmp_path):
    path = _changed(made, tmp_path / "c.awase", ["ANALYZE"])
    with CorpusStore.open(path, who="ann") as store:
        assert [topic.id for topic in store.corpus().topics] == ["t1"]


def test_that_a_vacuumed_file_opens(made, tmp_path):
    CorpusStore.open(_changed(made, tmp_path / "c.awase", ["VACUUM"]), who="ann").close()


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


def test_that_every_statement_of_the_steps_is_known():
    """Add what is missing to `statements`: without it every opening is slower."""
    assert statements_of_steps() - known() == set()


def test_that_nothing_is_known_that_no_step_makes():
    assert known() - statements_of_steps() == set()


def test_that_only_blanks_are_overlooked():
    assert in_plain_blanks('CREATE TABLE a (\n\tb TEXT, \n\t"c d" TEXT\n)') == (
        'CREATE TABLE a(b TEXT,"c d" TEXT)'
    )
    assert in_plain_blanks("CREATE TABLE A(b)") != in_plain_blanks("CREATE TABLE a(b)")

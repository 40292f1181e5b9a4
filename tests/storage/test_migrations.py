import ast
import shutil
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from awase.core.errors import EnvironmentProblem
from awase.storage.files import corpus_file, sqlite_files
from awase.storage.files.locks_and_backups import backup_folder
from awase.storage.files.opening import engine_to_migrate, engine_to_read, for_writing
from awase.storage.rows.schema import Base
from awase.storage.store import CorpusStore
from tests.storage.failures import failing_write
from tests.storage.sample import CONFIRMED, LINKED, addition, as_first_format, edit, rank_edit
from tests.stored import sql

GOLDEN = Path(__file__).parent / "golden"
GOLDEN_FILES = ("golden-1.3", "converted-1.0", "converted-1.2")
"""Of the first format, and two that versions from before the first release brought to 1.4."""
VERSIONS = Path(sqlite_files.__file__).parent / "migrations" / "versions"


@pytest.mark.parametrize("minor", [0, 2])
def test_that_a_file_from_before_the_first_format_is_refused_in_words(stored, minor):
    sql(stored, f"PRAGMA user_version = {65536 + minor}")
    before = stored.read_bytes()
    for read_only in (True, False):
        with pytest.raises(EnvironmentProblem, match="from before the first release"):
            CorpusStore.open(stored, who="ann", read_only=read_only)
    assert stored.read_bytes() == before


def _user_version(path: Path) -> int:
    return sql(path, "PRAGMA user_version")[0][0]


def test_that_the_steps_make_the_tables_of_the_schema(stored):
    with engine_to_read(stored).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_that_the_newest_step_is_the_one_that_is_looked_for():
    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == sqlite_files.NEWEST_STEP


@pytest.mark.parametrize("step", sorted(VERSIONS.glob("step_*.py")), ids=lambda path: path.stem)
def test_that_a_step_imports_nothing_of_the_program(step):
    imported = set()
    for node in ast.walk(ast.parse(step.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= {"alembic", "sqlalchemy"}


@pytest.mark.parametrize("name", GOLDEN_FILES)
def test_that_a_golden_file_opens_for_ever(path, name):
    shutil.copy(GOLDEN / f"{name}.awase", path)
    with CorpusStore.open(path, who="ann") as store:
        corpus = store.corpus()
        assert corpus.name == "golden"
        abstract = corpus.topics[0].abstracts[0]
        assert [sentence.rank for sentence in abstract.sentences] == ["B", "A", "A"]
        assert abstract.alignments[0].sentences == (CONFIRMED,)
        assert corpus.topics[0].documents == addition().topics[0].documents
        assert corpus.topics[0].outputs == addition().topics[0].outputs
        assert [operation.edit.verb for operation in store.history("ann").undone] == ["rank"]
        for _ in range(3):
            store.undo(who="ann")
        assert store.corpus().topics == addition().topics


def test_that_an_older_file_is_not_read_before_it_is_converted(stored):
    as_first_format(stored)
    before = stored.read_bytes()
    with pytest.raises(EnvironmentProblem, match="older version and has to be converted"):
        CorpusStore.open(stored, who="ann", read_only=True)
    assert stored.read_bytes() == before


def test_that_a_conversion_that_fails_leaves_the_old_file(stored, monkeypatch):
    def broken(connection):
        connection.exec_driver_sql("DROP TABLE human_score")
        connection.exec_driver_sql("DELETE FROM document")  # without its sentences: no longer sound

    as_first_format(stored)
    monkeypatch.setattr(sqlite_files, "upgrade", broken)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        CorpusStore.open(stored, who="ann")
    monkeypatch.undo()
    with CorpusStore.open(stored, who="ann") as store:
        assert store.corpus().topics == addition().topics


def test_that_a_step_is_all_that_a_new_column_takes(path):
    """The worked example: `step_0005_split.py`, `schema.py`, `sqlite_files.py`, `FORMAT_MINOR`."""
    shutil.copy(GOLDEN / "golden-1.3.awase", path)
    columns = "SELECT name FROM pragma_table_info('document') WHERE name = 'split'"
    for is_converted in (False, True):
        assert bool(sql(path, columns)) is is_converted
        CorpusStore.open(path, who="ann").close()
    assert _user_version(path) == corpus_file.USER_VERSION
    assert _user_version(next(backup_folder(path).iterdir())) == 65536 + 3


@pytest.mark.slow
def test_that_a_step_may_rebuild_a_table_that_others_refer_to(stored, monkeypatch):
    upgrade = sqlite_files.upgrade

    def rebuild(connection):
        upgrade(connection)
        connection.exec_driver_sql("CREATE TABLE new_topic AS SELECT * FROM topic")
        connection.exec_driver_sql("DROP TABLE topic")
        connection.exec_driver_sql(
            "CREATE TABLE topic (id INTEGER PRIMARY KEY, key TEXT UNIQUE, position INTEGER,"
            " title TEXT, language TEXT, text_digest TEXT, digest TEXT)"
        )
        connection.exec_driver_sql("INSERT INTO topic SELECT * FROM new_topic")
        connection.exec_driver_sql("DROP TABLE new_topic")

    as_first_format(stored)
    monkeypatch.setattr(sqlite_files, "upgrade", rebuild)
    with CorpusStore.open(stored, who="ann") as store:
        assert store.corpus().topics == addition().topics


def test_that_converting_twice_changes_nothing_more(stored):
    tables = "SELECT name, sql FROM sqlite_master ORDER BY 1"
    before = sql(stored, tables)
    engine = engine_to_migrate(stored)
    for _ in range(2):
        with for_writing(engine).begin() as connection, failing_write(0) as failure:
            sqlite_files.upgrade(connection)
        assert failure.n_writes == 0
    engine.dispose()
    assert sql(stored, tables) == before


def make_golden(path: Path) -> None:
    """Writes a golden file of the current format; run once a format, by hand, and committed."""
    with CorpusStore.create(path, name="golden", who="ann", addition=addition()) as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED, verb="confirm"), who="ann")
        store.apply(rank_edit("B"), who="ann")
        store.apply(rank_edit("C", n=2), who="ann")
        store.undo(who="ann")


if __name__ == "__main__":
    make_golden(GOLDEN / f"golden-{corpus_file.FORMAT_MAJOR}.{corpus_file.FORMAT_MINOR}.awase")

"""SQLite through SQLAlchemy: engines, transactions, checks."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, Pool, QueuePool
from sqlalchemy.util import LRUCache

from awase.core.progress import Reporter
from awase.storage.files.corpus_file import damaged
from awase.storage.files.sqlite_files import (
    TO_MIGRATE,
    TO_READ,
    TO_WRITE,
    Connect,
    reader,
    writer,
)
from awase.storage.querying import Readable, only_row_of

_BEGIN = "awase_begin"
# SQLite's steps: pages or virtual machine instructions, some milliseconds.
STEPS_BETWEEN_REPORTS: Final = 10_000


def engine_to_read(path: Path) -> Engine:
    """Returns an engine that changes neither the file nor side files."""
    # Connections are not pooled, so that a reader never keeps a writer from checkpointing.
    return _engine(reader(path), TO_READ, NullPool)


def engine_to_write(path: Path) -> Engine:
    """Returns an engine on a file that exists."""
    return _engine(writer(path), TO_WRITE, QueuePool)


def engine_to_migrate(path: Path) -> Engine:
    """Returns an engine that allows rebuilding tables; see `check_references`."""
    return _engine(writer(path), TO_MIGRATE, QueuePool)


def engine_in_memory() -> Engine:
    """Returns an engine on a temporary in-memory database."""
    return create_engine("sqlite://")


class Dialect(SQLiteDialect_pysqlite):
    """SQLite's dialect, one instance for all files."""

    # SQLAlchemy compiles statements once a dialect, which takes longer than running most of them.

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.awase", __name__, Dialect.__name__)
_COMPILED: Final[LRUCache[object, object]] = LRUCache(500)


def _engine(connect: Connect, pragmas: tuple[str, ...], pool: type[Pool]) -> Engine:
    engine = create_engine(
        "sqlite+awase://",
        creator=connect,
        poolclass=pool,
        execution_options={"compiled_cache": _COMPILED},
    )
    event.listen(engine, "connect", _set_pragmas(pragmas))
    event.listen(engine, "begin", _begin)
    return engine


def for_writing(engine: Engine) -> Engine:
    """Returns the engine with `BEGIN IMMEDIATE` transactions."""
    # A transaction that reads first and then wants to write cannot wait for another writer.
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def _set_pragmas(pragmas: tuple[str, ...]) -> Callable[[DBAPIConnection, object], None]:
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return set_pragmas


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


# What the driver raises, with SQLAlchemy and without.
DRIVER_ERRORS: Final = (sqlite3.Error, DBAPIError)


def check_content(connection: Readable, path: Path) -> None:
    """Raises unless SQLite finds every page of the file intact."""
    if only_row_of(connection, "PRAGMA quick_check(1)") != ("ok",):
        raise damaged(str(path))


def is_consistent(connection: Connection, reporter: Reporter) -> bool:
    """Returns whether constraints hold and indices are consistent; True on a server."""
    # `check_content` checks less, as this takes several times as long.
    if connection.dialect.name != "sqlite":
        return True
    with _stopped_by(connection, reporter):
        return connection.execute(text("PRAGMA integrity_check(1)")).scalar() == "ok"


@contextmanager
def _stopped_by(connection: Connection, reporter: Reporter) -> Iterator[None]:
    """Lets the reporter interrupt a slow statement."""

    def ask() -> None:
        reporter.advance(0, 0)  # SQLite aborts where this raises, with an error of its own

    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.set_progress_handler(ask, STEPS_BETWEEN_REPORTS)
    try:
        yield
    except DBAPIError:
        ask()
        raise
    finally:
        driver.set_progress_handler(None, 0)


def check_references(connection: Connection, path: Path) -> None:
    """Raises unless all foreign keys are valid."""
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise damaged(str(path))

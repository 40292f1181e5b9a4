"""Everything that only SQLite has in its SQL: pragmas, transactions, marks, copies of a file."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import NullPool, Pool, QueuePool
from sqlalchemy.util import LRUCache

from awase.core.errors import EnvironmentProblem
from awase.storage.databases.header import APPLICATION_ID, USER_VERSION, has_pending
from awase.storage.databases.sqlite_errors import damaged, lacks_side_file

SIDE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Of the files that SQLite keeps beside an open database."""

_Connect = Callable[[], sqlite3.Connection]

_BUSY_TIMEOUT_S = 5.0
_PAGES_AT_ONCE = 8192
_BEGIN = "awase_begin"

_ALWAYS = (
    "foreign_keys = ON",
    "trusted_schema = OFF",  # corpora come from strangers
    "cell_size_check = ON",
)
_TO_READ = (*_ALWAYS, "query_only = ON")
_TO_WRITE = (
    *_ALWAYS,
    "journal_mode = WAL",
    # FULL: a confirmed action survives a power cut, not only a crash of the program.
    "synchronous = FULL",
    "fullfsync = ON",  # macOS: fsync alone does not reach the disk
)
_TO_FILL = (*_TO_WRITE, "journal_mode = DELETE")  # the new file is whole without its side files
# A step that rebuilds a table drops the old one, which would delete the rows that refer to it.
_TO_MIGRATE = (*_TO_WRITE, "foreign_keys = OFF")


def engine_to_read(path: Path) -> Engine:
    """Returns an engine that changes neither the file nor what lies beside it.

    No connection outlives its use, so that a reader never keeps a writer from tidying up.
    """
    return _engine(_reader(path), _TO_READ, NullPool)


def engine_to_write(path: Path) -> Engine:
    """Returns an engine on a file that exists."""
    return _engine(_connector(path, _writing_mode), _TO_WRITE, QueuePool)


def engine_to_fill(path: Path) -> Engine:
    """Returns an engine that makes a new file."""
    return _engine(_connector(path, _creating_mode), _TO_FILL, QueuePool)


def engine_to_migrate(path: Path) -> Engine:
    """Returns an engine whose connections let tables be rebuilt; see `check_references`."""
    return _engine(_connector(path, _writing_mode), _TO_MIGRATE, QueuePool)


def engine_in_memory() -> Engine:
    """Returns an engine on a database of its own that is gone with it."""
    return create_engine("sqlite://")


class Dialect(SQLiteDialect_pysqlite):
    """SQLite, the same for every file: a statement compiled for one serves all.

    Compiling takes longer than running most of them, and SQLAlchemy does it once a dialect.
    """

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.awase", __name__, Dialect.__name__)
_COMPILED: Final[LRUCache[object, object]] = LRUCache(500)


def _engine(connect: _Connect, pragmas: tuple[str, ...], pool: type[Pool]) -> Engine:
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
    """Returns the engine with transactions that are writers from their beginning.

    A transaction that reads first and then wants to write cannot wait for another writer.
    """
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def _reader(path: Path) -> _Connect:
    """Returns what connects to the file as it is, on a full disk too.

    SQLite makes files beside the corpus even to read it; where there is no room for them, nobody
    else can be writing, as a writer needs them, too.
    """

    def connect() -> sqlite3.Connection:
        connection = _connector(path, _reading_mode)()
        try:
            connection.execute("SELECT 1 FROM sqlite_master").close()
        except sqlite3.Error as error:
            connection.close()
            if not lacks_side_file(error):
                raise
            return _in_memory(path) if has_pending(path) else _connector(path, _frozen_mode)()
        return connection

    return connect


def _in_memory(path: Path) -> sqlite3.Connection:
    """Returns a copy of the file with what waits beside it; both stay as they are."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            shutil.copyfile(path.with_name(path.name + suffix), f"{copy}{suffix}")
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with closing(sqlite3.connect(copy)) as whole:
            whole.backup(memory)
        return memory


def _connector(path: Path, mode: Callable[[Path], str]) -> _Connect:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(os.fsencode(path))}?mode={mode(path)}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=_BUSY_TIMEOUT_S,
        )

    return connect


def _creating_mode(_path: Path) -> str:
    return "rwc"


def _frozen_mode(_path: Path) -> str:
    return "ro&immutable=1"


def _writing_mode(_path: Path) -> str:
    return "rw"


def _reading_mode(path: Path) -> str:
    """Returns how to open the file so that reading leaves no trace.

    Changes that wait in the side file belong to whoever writes, or died writing: they are read
    where they are. Without any, a connection that may write takes its own side files away on
    closing; where nothing may be written, nothing can change either.
    """
    if has_pending(path):
        return "ro"
    return "rw" if is_writable(path) else "ro&immutable=1"


def is_writable(path: Path) -> bool:
    """Returns whether this user may write the file and files beside it."""
    is_effective = os.access in os.supports_effective_ids
    return all(os.access(p, os.W_OK, effective_ids=is_effective) for p in (path, path.parent))


def _set_pragmas(pragmas: tuple[str, ...]) -> Callable[[DBAPIConnection, object], None]:
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return set_pragmas


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def check_content(connection: Connection, path: Path) -> None:
    """Does nothing when SQLite finds every page of the file sound.

    Raises:
        EnvironmentProblem: It finds damage.
    """
    if connection.execute(text("PRAGMA quick_check(1)")).scalar() != "ok":
        raise damaged(str(path))


def is_consistent(connection: Connection) -> bool:
    """Returns whether rows are as tables demand, and indices lead to them; true on a server.

    `check_content` looks at less, as this takes several times as long; a wrong index hides rows
    that are there.
    """
    if connection.dialect.name != "sqlite":
        return True
    return connection.execute(text("PRAGMA integrity_check(1)")).scalar() == "ok"


def check_references(connection: Connection, path: Path) -> None:
    """Does nothing when every row refers to rows that exist.

    Raises:
        EnvironmentProblem: One does not.
    """
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise damaged(str(path))


def statements(connection: Connection) -> list[tuple[object, object, object]]:
    """Returns kind, name and text of every statement in the file's description of itself."""
    rows = connection.execute(
        text("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    )
    return [(kind, name, sql) for kind, name, sql in rows]


def user_version(connection: Connection) -> int:
    """Returns the version of the format in which the file is."""
    return int(connection.execute(text("PRAGMA user_version")).scalar_one())


def set_marks(connection: Connection) -> None:
    """Marks the file as an Awase corpus of this version's format."""
    connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
    connection.execute(text(f"PRAGMA user_version = {USER_VERSION}"))


def copy_database(source: Path, target: Path, check: Callable[[], None] = lambda: None) -> None:
    """Makes `target` a sound copy of `source`, even while `source` is being written.

    Args:
        source: A corpus file.
        target: Where the copy comes to stand when it is whole.
        check: Called now and then; raises what ends it.

    Raises:
        EnvironmentProblem: The copy cannot be written.
    """
    partial = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy_pages(source, partial, check)
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise no_backup(target.parent, error) from error
    finally:
        remove_database(partial)


def no_backup(folder: Path, error: Exception) -> EnvironmentProblem:
    """Returns the error that tells why no backup could be written."""
    return EnvironmentProblem(
        "No backup could be written to “{path}” ({error}).",
        "Make room on the disk or check the folder's permissions.",
        path=str(folder),
        error=str(error),
    )


def _copy_pages(source: Path, target: Path, check: Callable[[], None]) -> None:
    remove_database(target)
    with (
        closing(_reader(source)()) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new, pages=_PAGES_AT_ONCE, progress=lambda *_: check())
        new.execute("PRAGMA journal_mode = DELETE")


def remove_database(path: Path) -> None:
    """Removes the file and what SQLite keeps beside it, as far as that is possible."""
    for suffix in ("", *SIDE_SUFFIXES):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

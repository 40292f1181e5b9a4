"""Corpus files through sqlite3: connections, settings, copies, statements of the schema."""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import quote

from awase.core.errors import EnvironmentProblem, Listing
from awase.storage.files.corpus_file import (
    APPLICATION_ID,
    SIDE_SUFFIXES,
    USER_VERSION,
    damaged,
    has_pending,
    is_pending_foreign,
    lacks_side_file,
)
from awase.storage.migrations.versions.step_0004_first_format import STATEMENTS
from awase.storage.querying import Readable, Writable, change, only_row_of, rows_of, server_of

if TYPE_CHECKING:
    from alembic.config import Config


FileConnection: TypeAlias = sqlite3.Connection
Connect: TypeAlias = Callable[[], FileConnection]

_BUSY_TIMEOUT_S = 5.0
_PAGES_AT_ONCE = 8192

_ALWAYS = (
    "foreign_keys = ON",
    "trusted_schema = OFF",  # corpora may be untrusted
    "cell_size_check = ON",
)
TO_READ = (*_ALWAYS, "query_only = ON")
TO_WRITE = (
    *_ALWAYS,
    "journal_mode = WAL",
    "wal_autocheckpoint = 0",  # the checkpointer does it, and never while a key is answered
    # FULL: a confirmed action survives a power cut, not only a crash of the program.
    "synchronous = FULL",
    "fullfsync = ON",  # macOS: fsync alone does not reach the disk
)
TO_FILL = (*TO_WRITE, "journal_mode = DELETE")  # the new file is whole without its side files
# A step that rebuilds a table drops the old one, which would delete the rows that refer to it.
TO_MIGRATE = (*TO_WRITE, "foreign_keys = OFF")


TO_CHECKPOINT = (
    *_ALWAYS,
    "synchronous = FULL",
    "fullfsync = ON",
    "busy_timeout = 0",  # readers are not waited for
)
FileError = sqlite3.Error  # what SQLite's own driver raises


def connected_to_checkpoint(path: Path) -> sqlite3.Connection:
    """Returns a connection for checkpoints."""
    connection = writer(path)()
    try:
        set_pragmas(connection, TO_CHECKPOINT)
        connection.execute("SELECT 1 FROM sqlite_master").close()  # opens side files
    except BaseException:
        connection.close()
        raise
    return connection


def checkpoint(connection: sqlite3.Connection, kind: str) -> tuple[bool, bool]:
    """Checkpoints the WAL file; returns whether it was blocked, and whether it is complete.

    `connection` is from `connected_to_checkpoint`.
    """
    row = connection.execute(f"PRAGMA wal_checkpoint({kind})").fetchone()
    return bool(row[0]), row[1] == row[2]


def writes_beside(connection: sqlite3.Connection) -> bool:
    """Returns whether the file is in WAL mode; some network drives lack it."""
    return only_row_of(connection, "PRAGMA journal_mode") == ("wal",)


@contextmanager
def connected_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Yields a connection to a snapshot of the file, changing no file."""
    with closing(reader(path)()) as connection:
        set_pragmas(connection, TO_READ)
        connection.execute("BEGIN").close()
        yield connection


def connected_to_make(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Yields a transaction that fills a new file."""
    return _transaction(_connector(path, lambda _: "rwc"), TO_FILL)


def connected_to_write(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Yields a transaction on an existing file."""
    return _transaction(writer(path), TO_WRITE)


@contextmanager
def _transaction(connect: Connect, pragmas: tuple[str, ...]) -> Iterator[sqlite3.Connection]:
    """Begins immediately; commits at the end, or rolls back on an error."""
    with closing(connect()) as connection:
        set_pragmas(connection, pragmas)
        connection.execute("BEGIN IMMEDIATE").close()
        try:
            yield connection
            connection.commit()
        except BaseException:
            connection.rollback()
            raise


def set_pragmas(connection: sqlite3.Connection, pragmas: Iterable[str]) -> None:
    """Changes settings of a connection."""
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").close()


def reader(path: Path) -> Connect:
    """Returns a factory of read connections, also on a full disk."""
    # SQLite creates side files even to read; where there is no room for them, nobody else can be
    # writing.

    def connect() -> sqlite3.Connection:
        connection = _connector(path, _reading_mode)()
        try:
            connection.execute("SELECT 1 FROM sqlite_master").close()
        except sqlite3.Error as error:
            connection.close()
            if not lacks_side_file(error):
                raise
            return (
                _in_memory(path)
                if has_pending(path)
                else _connector(path, lambda _: "ro&immutable=1")()
            )
        return connection

    return connect


def _in_memory(path: Path) -> sqlite3.Connection:
    """Returns an in-memory copy of file and WAL; both stay unchanged."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            shutil.copyfile(path.with_name(path.name + suffix), f"{copy}{suffix}")
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with closing(sqlite3.connect(copy)) as whole:
            whole.backup(memory)
        return memory


def _connector(path: Path, mode: Callable[[Path], str]) -> Connect:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(os.fsencode(path))}?mode={mode(path)}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=_BUSY_TIMEOUT_S,
        )

    return connect


def _reading_mode(path: Path) -> str:
    """Returns the mode in which reading leaves no trace."""
    # Pending changes belong to a writer, alive or dead: they are read in place. Without any, a
    # read-write connection removes its own side files on closing; where nothing is writable,
    # nothing changes either.
    if has_pending(path):
        return "ro&immutable=1" if is_pending_foreign(path) else "ro"
    return "rw" if is_writable(path) else "ro&immutable=1"


def is_writable(path: Path) -> bool:
    """Returns whether this user may write the file and side files."""
    is_effective = os.access in os.supports_effective_ids
    return all(os.access(p, os.W_OK, effective_ids=is_effective) for p in (path, path.parent))


def writer(path: Path) -> Connect:
    """Returns a factory of connections to an existing file, for writing."""
    return _connector(path, lambda _: "rw")


def statements(connection: Readable) -> list[tuple[object, object, object]]:
    """Returns kind, name and text of every statement in the file's description of itself."""
    rows = rows_of(connection, "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return [(kind, name, sql) for kind, name, sql in rows]


def user_version(connection: Readable) -> int:
    """Returns the version of the format in which the file is."""
    return int(only_row_of(connection, "PRAGMA user_version")[0])


def write_header(connection: Writable) -> int:
    """Rewrites the file's header, incrementing its counter, and returns the format's version."""
    version = user_version(connection)
    change(connection, f"PRAGMA user_version = {version}")
    return version


def set_marks(connection: Writable) -> None:
    """Marks the file as an Awase corpus of this version's format."""
    change(connection, f"PRAGMA application_id = {APPLICATION_ID}")
    change(connection, f"PRAGMA user_version = {USER_VERSION}")


class HeldState:
    """A snapshot of a file, readable while the file is written.

    Threads may take turns with its connection. Unless it `lets_write`, as the file is in WAL mode,
    writers wait until it is closed.
    """

    def __init__(self, path: Path) -> None:
        """Opens a snapshot of the present state."""
        self.connection = _connector(path, lambda _: "ro")()
        try:
            self.lets_write = self._begin()
        except sqlite3.Error:
            self.connection.close()
            self.connection = reader(path)()  # of what cannot be written to either
            self._begin()
            self.lets_write = False

    def _begin(self) -> bool:
        set_pragmas(self.connection, TO_READ)
        self.connection.execute("BEGIN").close()
        rows_of(self.connection, "SELECT 1 FROM sqlite_master LIMIT 1")  # the state is held now
        return writes_beside(self.connection)

    def close(self) -> None:
        """Closes the connection."""
        self.connection.close()


def copy_database(
    source: Path | HeldState | sqlite3.Connection,
    target: Path,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Copies `source` to `target` atomically, even while it is written.

    `check` is called now and then and may raise to stop.
    """
    partial = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opened, written_beside(target, partial):
            if isinstance(source, HeldState):
                connection = source.connection
            elif isinstance(source, sqlite3.Connection):
                connection = source
            else:
                connection = opened.enter_context(closing(reader(source)()))
            copy_pages(connection, partial, check)
    except (OSError, sqlite3.Error) as error:
        raise no_backup(target.parent, error) from error


def no_backup(folder: Path, error: Exception) -> EnvironmentProblem:
    """Returns the error that no backup could be written."""
    return EnvironmentProblem(
        "No backup could be written to “{path}” ({error}).",
        "Free disk space or check the folder's permissions.",
        path=str(folder),
        error=str(error),
    )


@contextmanager
def written_beside(target: Path, partial: Path) -> Iterator[None]:
    """Lets the caller fill `partial`, which replaces `target` durably (fsync) on success."""
    remove_database(partial)
    try:
        yield
        os.replace(partial, target)
        if os.name == "posix":
            handle = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    finally:
        remove_database(partial)


def copy_pages(source: sqlite3.Connection, target: Path, check: Callable[[], None]) -> None:
    """Copies a connection's snapshot to `target`; `check` may raise to stop."""
    with closing(sqlite3.connect(target)) as new:
        source.backup(new, pages=_PAGES_AT_ONCE, progress=lambda *_: check())
        new.execute("PRAGMA journal_mode = DELETE")


def check_content(connection: Readable, path: Path) -> None:
    """Raises unless SQLite finds every page of the file intact."""
    if only_row_of(connection, "PRAGMA quick_check(1)") != ("ok",):
        raise damaged(str(path))


def remove_database(path: Path) -> None:
    """Removes the file and its side files, as far as possible."""
    for suffix in ("", *SIDE_SUFFIXES):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


_WITH_SPLIT: Final = ("abstract", "document", "output")  # since step 0005
_VERSION_TABLE: Final = (
    "CREATE TABLE alembic_version(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc "
    "PRIMARY KEY(version_num))"
)


def _at_present(sql: str) -> str:
    """Returns a statement of the first format as the later steps left it."""
    if not sql.startswith(tuple(f"CREATE TABLE {name}(" for name in _WITH_SPLIT)):
        return sql
    return sql.replace(", PRIMARY KEY", ", split TEXT, PRIMARY KEY")


# Of a file of this version: its tables, then their indices. They are those of storage/migrations;
# new files take them from here, as importing Alembic takes longer than the rest of creating a file.
_FIRST: Final = (*STATEMENTS[:2], _VERSION_TABLE, *STATEMENTS[2:])
NEWEST_STATEMENTS: Final = tuple(map(_at_present, _FIRST))

FIRST_STEP = "0004"
NEWEST_STEP = "0005"


def make_tables(connection: Writable) -> None:
    """Creates this version's tables in an empty database, in the caller's transaction."""
    if server_of(connection) is not None:
        upgrade(connection)
        return
    for sql in NEWEST_STATEMENTS:
        change(connection, sql)
    change(connection, "INSERT INTO alembic_version (version_num) VALUES (:step)", step=NEWEST_STEP)


def upgrade(connection: Writable, step: str = "head") -> None:
    """Applies every step up to `step` that the database lacks, within the caller's transaction."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, step)


def step_names() -> tuple[str, ...]:
    """Returns the names of all steps, the first one first."""
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(reversed([step.revision for step in steps]))


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def lacks_steps(connection: Readable, location: str) -> bool:
    """Returns whether the database has older tables than this version's."""
    (step,) = only_row_of(connection, "SELECT version_num FROM alembic_version")
    if step > NEWEST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase.",
            "Install the newest Awase.",
            path=location,
        )
    if step < FIRST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a version of Awase from before the first release.",
            "Export the corpus as Awase JSON with that version, and import it here.",
            path=location,
        )
    return bool(step < NEWEST_STEP)


# A corpus file may be untrusted, and databases have code that runs by itself: a trigger rewrites
# imported rows, a view or a virtual table replaces a table, and a table of the right name may
# replace rows where it should refuse (`ON CONFLICT REPLACE`). So every statement of the file must
# equal one of Awase's migrations but for blanks, before a row is read.
_KINDS: Final = {
    "trigger": "a trigger",
    "view": "a view",
    "index": "an index",
    "table": "a table",
}
_OF_SQLITE: Final = re.compile(
    r"CREATE TABLE sqlite_(?:stat[14]\((?:tbl,idx,stat|tbl,idx,neq,nlt,ndlt,sample)\)"
    r"|sequence\(name,seq\))"
)
_N_TOLD: Final = 3


@cache
def known() -> frozenset[str]:
    """Returns the statements of this version's steps, as SQLAlchemy wrote them so far."""
    return frozenset(map(in_plain_blanks, (*NEWEST_STATEMENTS, *STATEMENTS)))


def check_statements(connection: Readable, location: str) -> None:
    """Raises unless all of the file's statements are Awase's."""
    own = known()
    foreign = [
        (kind, name)
        for kind, name, sql in statements(connection)
        if not (isinstance(sql, str) and _is_own(sql, own))
    ]
    if foreign:
        told = (f"{_KINDS.get(str(kind), kind)} “{name}”" for kind, name in foreign)
        raise EnvironmentProblem(
            "“{path}” contains what Awase did not create: {names}. Such a file can change what "
            "you write into it, so it was not opened.",
            "Ask where it comes from. If a newer Awase made it, install that; otherwise ask its "
            "owner for an export as Awase JSON.",
            path=location,
            names=Listing(told, most=_N_TOLD),
        )


@lru_cache(maxsize=256)  # the same few in every file
def in_plain_blanks(sql: str) -> str:
    """Normalises a statement's blanks."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _is_own(sql: str, known_here: frozenset[str]) -> bool:
    plain = in_plain_blanks(sql)
    return (
        plain in known_here
        or _OF_SQLITE.fullmatch(plain) is not None
        or plain in statements_of_steps()
    )


@cache
def statements_of_steps() -> frozenset[str]:
    """Returns the statements that the migrations produce here, after each step."""
    # Another SQLAlchemy may format them differently from `known`. Only for unknown ones: it takes a
    # third of a second.
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    made: set[str] = set()
    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            for step in step_names():
                upgrade(connection, step)
                made |= {in_plain_blanks(str(sql)) for *_, sql in statements(connection)}
    finally:
        engine.dispose()
    return frozenset(made)

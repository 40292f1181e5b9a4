"""Everything that only SQLite has: the file's marks, pragmas, backups, and its error codes.

A corpus file carries `application_id` so that tools can tell it, and `user_version` as
major * 65536 + minor of the file format. A newer major is refused, an older version migrates.
"""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import QueuePool

from awase.core.errors import EnvironmentProblem

APPLICATION_ID = 0x41574153  # "AWAS"
FORMAT_MAJOR = 1
FORMAT_MINOR = 0
_BUSY_TIMEOUT_MS = 5000
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"


def engine_of_file(path: Path, *, read_only: bool) -> Engine:
    """Returns an engine on the file, which must exist unless it is to be created by migrations.

    A reader that may write to the folder opens the file like a writer and forbids itself to
    change anything: only so does SQLite take its side files away again on closing.
    """
    mode = "rw" if path.exists() else "rwc"
    if read_only and not _is_writable(path):
        mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False,
            timeout=_BUSY_TIMEOUT_MS / 1000,
        )  # fmt: skip

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    event.listen(engine, "connect", _pragmas(read_only=read_only))
    event.listen(engine, "begin", _begin(read_only=read_only))
    return engine


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _pragmas(*, read_only: bool) -> Callable[[DBAPIConnection, object], None]:
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        if read_only:
            cursor.execute("PRAGMA query_only = ON")
        else:
            cursor.execute("PRAGMA journal_mode = WAL")
            # FULL: a confirmed action survives a power cut, not only a crash of the program.
            cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    return set_pragmas


def _begin(*, read_only: bool) -> Callable[[Connection], None]:
    statement = "BEGIN" if read_only else "BEGIN IMMEDIATE"

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    return begin


def check_file(path: Path) -> None:
    """Does nothing when the file at least begins like a complete SQLite file.

    Raises:
        EnvironmentProblem: It is missing, unreadable, something else, or cut short.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from error
    if header[:16] != _MAGIC:
        raise EnvironmentProblem(
            "“{path}” is not an Awase corpus.",
            "Choose an .awase file, or import the file into a new corpus.",
            path=str(path),
        )
    page_size = int.from_bytes(header[16:18], "big")
    expected = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")
    is_count_valid = header[24:28] == header[92:96]
    if len(header) < _HEADER_BYTES or (is_count_valid and path.stat().st_size < expected):
        raise _damaged(path)


def _unreadable(path: Path, error: OSError) -> EnvironmentProblem:
    if isinstance(error, FileNotFoundError):
        return EnvironmentProblem("There is no file “{path}”.", "Check the name.", path=str(path))
    return EnvironmentProblem(
        "“{path}” cannot be read ({error}).",
        "Check the file's permissions.",
        path=str(path),
        error=error.strerror or str(error),
    )


def _damaged(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” is damaged or was cut short.",
        "Copy it again from where it came from, or open the newest file in “{backups}”.",
        path=str(path),
        backups=str(backup_folder(path)),
    )


def backup_folder(path: Path) -> Path:
    """Returns the folder beside the corpus in which its backups are kept."""
    return path.with_name(path.name + "-backups")


def check_content(connection: Connection, path: Path) -> None:
    """Does nothing when SQLite finds every page of the file sound.

    Raises:
        EnvironmentProblem: It finds damage.
    """
    if connection.execute(text("PRAGMA quick_check(1)")).scalar() != "ok":
        raise _damaged(path)


def check_marks(connection: Connection, path: Path) -> bool:
    """Returns whether the file is of this version's format; False = it is older.

    Raises:
        EnvironmentProblem: Another program's file, or one of a newer major version.
    """
    application_id = connection.execute(text("PRAGMA application_id")).scalar_one()
    if application_id != APPLICATION_ID:
        raise EnvironmentProblem(
            "“{path}” is a database of another program.",
            "Choose an .awase file.",
            path=str(path),
        )
    major, minor = divmod(connection.execute(text("PRAGMA user_version")).scalar_one(), 65536)
    if major > FORMAT_MAJOR:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase (file format {major}.{minor}; "
            "this program knows {known}.x).",
            "Install the newest Awase, or export the corpus as JSON there and import it here.",
            path=str(path),
            major=major,
            minor=minor,
            known=FORMAT_MAJOR,
        )
    return (major, minor) >= (FORMAT_MAJOR, FORMAT_MINOR)


def set_marks(connection: Connection) -> None:
    """Marks the file as an Awase corpus of this version's format."""
    connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
    connection.execute(text(f"PRAGMA user_version = {FORMAT_MAJOR * 65536 + FORMAT_MINOR}"))


def copy_database(source: Path, target: Path) -> None:
    """Makes `target` a sound copy of `source`, even while `source` is being written.

    Raises:
        EnvironmentProblem: The copy cannot be written.
    """
    partial = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with_source = sqlite3.connect(f"file:{quote(str(source.resolve()))}?mode=rw", uri=True)
        try:
            with_target = sqlite3.connect(partial)
            try:
                with_source.backup(with_target)
                with_target.execute("PRAGMA journal_mode = DELETE")
            finally:
                with_target.close()
        finally:
            with_source.close()
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        partial.unlink(missing_ok=True)
        raise EnvironmentProblem(
            "No backup could be written to “{path}” ({error}).",
            "Make room on the disk or check the folder's permissions.",
            path=str(target.parent),
            error=str(error),
        ) from error


_CODES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: (
        "The disk of “{path}” is full; nothing was changed.",
        "Make room and try again.",
    ),
    sqlite3.SQLITE_BUSY: (
        "“{path}” is being written by another program; nothing was changed.",
        "Close the other program and try again.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "“{path}” is being written by another program; nothing was changed.",
        "Close the other program and try again.",
    ),
    sqlite3.SQLITE_READONLY: (
        "“{path}” cannot be written; nothing was changed.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "“{path}” cannot be opened.",
        "Check that the file and its folder exist and can be written.",
    ),
    sqlite3.SQLITE_IOERR: (
        "“{path}” could not be read or written; nothing was changed.",
        "Check that the drive is still connected.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "“{path}” is damaged or was cut short.",
        "Copy it again from where it came from, or open the newest file in “{path}-backups”.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "“{path}” is not an Awase corpus.",
        "Choose an .awase file, or import the file into a new corpus.",
    ),
}


def environment_problem(error: BaseException | None, location: str) -> EnvironmentProblem | None:
    """Returns what the user can do about a driver's error; None when it is a defect."""
    code = getattr(error, "sqlite_errorcode", None)
    known = _CODES.get(code & 0xFF) if isinstance(code, int) else None
    return EnvironmentProblem(known[0], known[1], path=location) if known else None

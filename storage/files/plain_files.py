"""Reading, locking and creating files without SQLAlchemy, which is slow to import."""

import errno
import getpass
import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from filelock import BaseFileLock, FileLock, Timeout

from awase.core.errors import EnvironmentProblem, Missing, Problem
from awase.storage.files import sqlite_files
from awase.storage.files.corpus_file import (
    check_file,
    check_length,
    file_errors_translated,
    file_writes_translated,
    is_beside_corpus,
    is_current,
    is_pending_foreign,
    lock_file,
)
from awase.storage.files.sqlite_files import connected_to_read, user_version
from awase.storage.files.statements import check_statements
from awase.storage.querying import Readable, Writable, change
from awase.storage.rows.inserting import newest_state

MEGABYTE: Final = 1_000_000
# A corpus takes about three times its file in memory: see docs/performance.md.
MOST_BYTES: Final = 500 * MEGABYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """The present writer of a corpus."""

    who: str
    host: str
    pid: int
    since: str

    @classmethod
    def this_process(cls, who: str) -> "Holder":
        """Returns this process as a holder."""
        return cls(
            who=who or _user(),
            host=socket.gethostname(),
            pid=os.getpid(),
            since=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name, as in some containers
        return "?"


class CorpusLocked(EnvironmentProblem):
    """Another process has the corpus open for writing; it can be opened read-only.

    Attributes:
        holder: Who; None when unknown.
    """

    def __init__(self, location: str, holder: Holder | None) -> None:
        self.holder = holder
        hint = "Close it there, or open it read-only."
        if holder is None:
            super().__init__("“{path}” is open in another process.", hint, path=location)
        else:
            super().__init__(
                "“{path}” is open for {who} on {host} (process {pid}, since {since}).",
                hint,
                path=location,
                who=holder.who,
                host=holder.host,
                pid=holder.pid,
                since=holder.since,
            )


class NotWritable(EnvironmentProblem):
    """The corpus, or the folder it is in, cannot be written; it can be opened read-only."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(
            "“{path}” or its folder cannot be written ({error}).",
            "Open it read-only, or copy it to a folder of your own.",
            path=location,
            error=reason,
        )


class HardLinked(EnvironmentProblem):
    """The file has several hard links, which a lock beside one of them does not protect."""

    def __init__(self, location: str) -> None:
        super().__init__(
            "“{path}” has other names as well (hard links, as some backups make them), so it is "
            "only read: who opens it by another name would overwrite what is written here.",
            "Copy it, and work on the copy.",
            path=location,
        )


def take_lock(path: Path) -> BaseFileLock | None:
    """Locks the corpus at `path`; None when another process has it."""
    # The lock file gets the corpus's permissions: whoever may write the corpus may lock it.
    if os.path.lexists(lock_file(path)) and not stat.S_ISREG(os.lstat(lock_file(path)).st_mode):
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(lock_file(path)))
    mode = stat.S_IMODE(path.stat().st_mode) & 0o666 if path.exists() else 0o644
    # A corpus is opened by a background job and closed by the window: not one lock a thread.
    lock = FileLock(lock_file(path), timeout=0, mode=mode, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    except NotImplementedError as error:  # older filelock: a file system without locks
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from error
    return lock


# Creates and fills the tables of a corpus in a transaction.
Fill = Callable[[Writable], None]


class MadeFile(NamedTuple):
    """A created file."""

    path: Path
    lock: BaseFileLock


@contextmanager
def create_corpus_file(location: Path, fill: Fill) -> Iterator[MadeFile]:
    """Creates a corpus file atomically; on success the lock passes to the caller.

    Raises:
        CorpusLocked: Somebody else is creating it.
    """
    path = Path(os.path.realpath(location))
    _check_free(path)
    try:
        os.scandir(path.parent).close()  # the lock would make a folder that is missing
        lock = take_lock(path)
    except OSError as error:
        raise cannot_create(location, error) from error
    if lock is None:
        raise CorpusLocked(str(location), None)
    is_made = False
    try:
        _check_free(path)  # again: now nobody else creates it
        with file_writes_translated(str(location)):
            _make(path, fill)
        is_made = True
        yield MadeFile(path, lock)
    except BaseException as error:
        if is_made:
            sqlite_files.remove_database(path)
        if not os.path.exists(path):
            with suppress(OSError):  # Windows locks an open file
                lock_file(path).unlink()
        lock.release()
        if isinstance(error, OSError):
            raise cannot_create(location, error) from error
        raise


def create_and_close(location: Path, who: str, fill: Fill) -> None:
    """Creates a corpus file and releases the lock; raises as `create_corpus_file`."""
    with create_corpus_file(location, fill) as made:
        with (
            file_writes_translated(str(location)),
            sqlite_files.connected_to_write(made.path) as connection,
        ):
            write_holder(connection, Holder.this_process(who))
        made.lock.release()


def write_holder(connection: Writable, holder: Holder) -> None:
    """Writes who has the file open for writing."""
    change(connection, "DELETE FROM holder")
    change(
        connection,
        "INSERT INTO holder (who, host, pid, since) VALUES (:who, :host, :pid, :since)",
        who=holder.who, host=holder.host, pid=holder.pid, since=holder.since,
    )  # fmt: skip


def _check_free(path: Path) -> None:
    check_length(partial_of(path))
    if is_beside_corpus(path):
        raise EnvironmentProblem(
            "“{path}” is a name that belongs to the corpus beside it.",
            "Choose another name.",
            path=str(path),
        )
    if os.path.exists(path):  # pathlib raises where a name is too long
        raise EnvironmentProblem("“{path}” exists already.", "Choose another name.", path=str(path))


def _make(path: Path, fill: Fill) -> None:
    partial = partial_of(path)
    with (
        sqlite_files.written_beside(path, partial),
        sqlite_files.connected_to_make(partial) as connection,
    ):
        fill(connection)
        sqlite_files.set_marks(connection)


def partial_of(path: Path) -> Path:
    """Returns the temporary path of a new file."""
    return path.with_name(f".{path.name}.part")


def cannot_create(location: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error that a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be created ({error}).",
        "Check that the folder exists and can be written, and that the disk has room.",
        path=str(location),
        error=error.strerror or str(error),
    )


def readable_file(location: Path) -> Path:
    """Returns the one path that all names of a file lead to, when it can be read as a corpus."""
    path = Path(os.path.realpath(location))
    check_file(path)
    with file_errors_translated(str(location)), connected_to_read(path) as connection:
        check_to_read(connection, path, str(location))
    return path


def check_to_read(connection: Readable, path: Path, location: str) -> int:
    """Returns the version of the format in which a file is."""
    check_statements(connection, location)
    newest_state(connection)  # or its log has no room for another row
    version = user_version(connection)
    if not is_current(version, path):
        raise EnvironmentProblem(
            "“{path}” was made by an older version and has to be converted first.",
            "Open it once for writing; a backup is kept.",
            path=location,
        )
    return version


def size_warnings(path: Path) -> tuple[Problem, ...]:
    """Returns a warning about a file that is too large for memory."""
    n_bytes = path.stat().st_size
    if n_bytes <= MOST_BYTES:
        return ()
    return (
        Problem(
            what="“{path}” has {size} MB, more than {most}; in memory it takes some {memory} GB.",
            hint="Divide it, or use a machine with more memory.",
            fields={
                "path": str(path),
                "size": n_bytes // MEGABYTE,
                "most": MOST_BYTES // MEGABYTE,
                "memory": f"{3 * n_bytes / 1e9:.1f}",
            },
        ),
    )


def foreign_warnings(path: Path) -> tuple[Problem, ...]:
    """Returns a warning about side files of another file."""
    if not is_pending_foreign(path):
        return ()
    return (
        Problem(
            what="“{path}” was exchanged, or a backup was copied over it, while changes to the "
            "file before lay beside it. They do not fit it and are not read.",
            hint="Another time, let the program go back to a backup: it keeps both.",
            fields={"path": str(path), "missing": Missing.BACKUP.value},
        ),
    )

"""New corpus files: made complete or not at all, by SQLite's own driver, which loads at once."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from filelock import BaseFileLock

from awase.core.errors import EnvironmentProblem
from awase.storage.databases import sqlite_files
from awase.storage.databases.format_version import check_length
from awase.storage.databases.querying import Writable, change
from awase.storage.databases.side_files import lock_file
from awase.storage.databases.sqlite_errors import file_writes_translated
from awase.storage.opening.lock import CorpusLocked, Holder, take_lock

Fill = Callable[[Writable], None]
"""Makes the tables of a corpus, and what stands in them, within a transaction."""


class MadeFile(NamedTuple):
    """A file that was made.

    Attributes:
        path: Where it is.
        lock: On it, held.
    """

    path: Path
    lock: BaseFileLock


@contextmanager
def made_file(location: Path, fill: Fill) -> Iterator[MadeFile]:
    """Makes a corpus file; the lock is the caller's, unless something is raised within.

    It appears under its name when `fill` has written all of it; a failure leaves nothing behind.

    Raises:
        CorpusLocked: Somebody else is creating it.
        EnvironmentProblem: Something of that name exists, or it cannot be written.
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
            with suppress(OSError):  # Windows keeps a file that is open
                lock_file(path).unlink()
        lock.release()
        if isinstance(error, OSError):
            raise cannot_create(location, error) from error
        raise


def create_and_close(location: Path, who: str, fill: Fill) -> None:
    """Makes a corpus file and lets others write to it; raises as `made_file` does."""
    with made_file(location, fill) as made:
        with (
            file_writes_translated(str(location)),
            sqlite_files.connected_to_write(made.path) as connection,
        ):
            _write_holder(connection, Holder.this_process(who))
        made.lock.release()


def _write_holder(connection: Writable, holder: Holder) -> None:
    change(connection, "DELETE FROM holder")
    change(
        connection,
        "INSERT INTO holder (who, host, pid, since) VALUES (:who, :host, :pid, :since)",
        who=holder.who, host=holder.host, pid=holder.pid, since=holder.since,
    )  # fmt: skip


def _check_free(path: Path) -> None:
    check_length(partial_of(path))
    if os.path.exists(path):  # pathlib raises where a name is too long
        raise EnvironmentProblem("“{path}” exists already.", "Choose another name.", path=str(path))


def _make(path: Path, fill: Fill) -> None:
    partial = partial_of(path)
    sqlite_files.remove_database(partial)
    try:
        with sqlite_files.connected_to_make(partial) as connection:
            fill(connection)
            sqlite_files.set_marks(connection)
        partial.rename(path)
        write_through(path.parent)
    finally:
        sqlite_files.remove_database(partial)


def partial_of(path: Path) -> Path:
    """Returns where a new file stands until it is whole."""
    return path.with_name(f".{path.name}.part")


def write_through(folder: Path) -> None:
    """Sees to it that a file's new name survives a power cut, where folders can be opened."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def cannot_create(location: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error that a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be created ({error}).",
        "Check that the folder exists and can be written, and that the disk has room.",
        path=str(location),
        error=error.strerror or str(error),
    )

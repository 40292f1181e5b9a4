"""The error codes of SQLite in words that the user can act on."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem, InputError, Missing, Problem

_BUSY = Problem(
    what="“{path}” is being written by another program; nothing was changed.",
    hint="Close the other program and try again.",
)
_READ_ONLY = Problem(
    what="“{path}” cannot be written; nothing was changed.",
    hint="Check the permissions of the file and its folder.",
)
_FULL = Problem(
    what="The disk of “{path}” is full; nothing was changed.",
    hint="Make room and try again.",
)
_DAMAGED = Problem(
    what="“{path}” is damaged or was cut short.",
    hint="Copy it again from where it came from, or go back to the newest backup.",
    fields={"missing": Missing.BACKUP.value},
)
_PROBLEM_BY_CODE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Problem(
        what="“{path}” cannot be opened.",
        hint="Check that the file and its folder exist and can be written.",
    ),
    sqlite3.SQLITE_IOERR: Problem(
        what="“{path}” could not be read or written; nothing was changed.",
        hint="Check that the drive is still connected.",
    ),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    # "No such table": the statements are fixed, so the file's own description of itself is broken.
    sqlite3.SQLITE_ERROR: _DAMAGED,
    sqlite3.SQLITE_NOTADB: Problem(
        what="“{path}” is not an Awase corpus.",
        hint="Choose an .awase file, or import the file into a new corpus.",
    ),
}


# A reader and a writer share a small file beside the corpus; a full disk cannot take it.
_NO_SIDE_FILE = {sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN}
_LEAST_ROOM_BYTES = 64 * 1024


NOT_UNDERSTOOD: Final = (
    ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError,
)  # fmt: skip
"""What rows raise that are no corpus: everything was checked when it was written."""


class DiskFull(EnvironmentProblem):
    """There is no room to write the corpus; it can still be read."""


def lacks_side_file(error: sqlite3.Error) -> bool:
    """Returns whether the files beside the corpus could not be made."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code in _NO_SIDE_FILE or code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def environment_problem(error: BaseException | None, location: str) -> EnvironmentProblem | None:
    """Returns what the user can do about a driver's error; None when it is a defect."""
    if not isinstance(error, sqlite3.Error):
        return None
    if str(error).startswith("Could not decode to UTF-8"):  # of the driver: it has no code
        return damaged(location)
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_FULL or (code in _NO_SIDE_FILE and _is_full(location)):
        return DiskFull(_FULL.what, _FULL.hint, path=location)
    problem = _PROBLEM_BY_CODE.get(code & 0xFF)
    if problem is None:
        return None
    return EnvironmentProblem(problem.what, problem.hint, **{**problem.fields, "path": location})


def _is_full(location: str) -> bool:
    try:
        return shutil.disk_usage(Path(location).parent).free < _LEAST_ROOM_BYTES
    except OSError:
        return False


def not_storable(error: BaseException) -> InputError:
    """Returns the problem that a value is none that a database takes."""
    return InputError.of(
        "A value cannot be stored ({error}).",
        "Correct it in the file that it comes from.",
        error=str(error),
    )


def damaged(location: str) -> EnvironmentProblem:
    """Returns the problem that the corpus is not whole."""
    return EnvironmentProblem(_DAMAGED.what, _DAMAGED.hint, **{**_DAMAGED.fields, "path": location})


@contextmanager
def file_errors_translated(location: str) -> Iterator[None]:
    """Turns an error of SQLite's driver, and of rows that are no corpus, into one of ours."""
    try:
        yield
    except sqlite3.Error as error:
        problem = environment_problem(error, location)
        if problem is None:
            raise
        raise problem from error
    except NOT_UNDERSTOOD as error:
        raise damaged(location) from error


@contextmanager
def file_writes_translated(location: str) -> Iterator[None]:
    """Turns an error of SQLite's driver that the user can act on into one of ours."""
    try:
        yield
    except (sqlite3.DataError, OverflowError, UnicodeEncodeError) as error:
        raise not_storable(error) from error
    except sqlite3.Error as error:
        problem = environment_problem(error, location)
        if problem is None:
            raise
        raise problem from error

"""Access to an open database, and translation of its errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from filelock import BaseFileLock
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, MultipleResultsFound, NoResultFound

from awase.core.errors import EnvironmentProblem, Problem
from awase.storage.files.backups import Preparation
from awase.storage.files.corpus_file import (
    NOT_UNDERSTOOD,
    damaged,
    environment_problem,
    not_storable,
)


class Keeping(Protocol):
    """Watches a file that is open for writing."""

    @property
    def problem(self) -> EnvironmentProblem | None:
        """What happened to the file; None = it is in place, unchanged."""
        ...

    def check(self) -> None:
        """Checks the file now; raises `problem`."""
        ...

    def wrote(self) -> None:
        """Registers a write."""
        ...

    def close(self) -> None:
        """Checkpoints everything; EnvironmentProblem if the file was moved or replaced."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """An open database."""

    location: str  # path or URL, without a password, for people
    format_version: str  # major and minor of the file format, such as `1.0`
    reading: Engine
    writing: Engine | None = None  # its transactions may write; None when changes are refused
    # Held as long as the database is open for writing; a server needs none.
    lock: BaseFileLock | None = None
    warnings: tuple[Problem, ...] = ()
    # Sees to the file that is open to write; None on a server, and of what is only read.
    keeper: Keeping | None = None
    preparation: Preparation | None = None  # background work beside the first writes

    def close(self) -> None:
        """Closes idle connections, then releases the lock."""
        if self.preparation is not None:
            self.preparation.stop()
        self.reading.dispose()
        if self.writing is not None:
            self.writing.dispose()
        try:
            if self.keeper is not None:
                self.keeper.close()
        finally:
            if self.lock is not None:
                self.lock.release()


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turns a driver's error that the user can act on into one of ours."""
    try:
        yield
    except DataError as error:
        raise not_storable(error.orig or error) from error
    except DBAPIError as error:
        problem = environment_problem(error.orig, location)
        if problem is None:
            from awase.storage.postgresql.connections import server_problem

            problem = server_problem(error.orig, location)
        if problem is None:
            raise
        raise problem from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise not_storable(error) from error
    except (NoResultFound, MultipleResultsFound, UnicodeDecodeError) as error:
        # Rows that every corpus has, or the driver's own words about a damaged description.
        raise damaged(location) from error


# What rows raise that are no corpus, when SQLAlchemy reads them.
ROWS_NOT_UNDERSTOOD: Final = (
    *NOT_UNDERSTOOD, NoResultFound, MultipleResultsFound,
)  # fmt: skip


@contextmanager
def translate_row_errors(location: str) -> Iterator[None]:
    """Converts errors from invalid stored rows into an EnvironmentProblem."""
    # Everything was validated when written, so something else changed the file.
    try:
        yield
    except ROWS_NOT_UNDERSTOOD as error:
        raise damaged(location) from error

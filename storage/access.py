"""How an open database is reached, and what its errors mean to the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from filelock import BaseFileLock
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, NoResultFound

from awase.core.errors import InputError, Problem
from awase.storage import postgresql, sqlite_errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """An open database.

    Attributes:
        location: Path or URL, without a password, for people.
        format_version: Major and minor of the file format, such as `1.0`.
        reading: Its transactions see one state of the corpus from beginning to end.
        writing: Its transactions may write; None when changes are refused.
        lock: Held as long as the database is open for writing; a server needs none.
        warnings: What the user should know although it was opened.
    """

    location: str
    format_version: str
    reading: Engine
    writing: Engine | None = None
    lock: BaseFileLock | None = None
    warnings: tuple[Problem, ...] = ()

    def close(self) -> None:
        """Closes the connections that are not in use, and then lets others write."""
        self.reading.dispose()
        if self.writing is not None:
            self.writing.dispose()
        if self.lock is not None:
            self.lock.release()


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turns a driver's error that the user can act on into one of ours."""
    try:
        yield
    except DataError as error:
        raise _not_storable(error.orig or error) from error
    except DBAPIError as error:
        problem = sqlite_errors.environment_problem(
            error.orig, location
        ) or postgresql.environment_problem(error.orig, location)
        if problem is None:
            raise
        raise problem from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise _not_storable(error) from error


def _not_storable(error: BaseException) -> InputError:
    return InputError.of(
        "A value cannot be stored ({error}).",
        "Correct it in the file that it comes from.",
        error=str(error),
    )


@contextmanager
def rows_understood(location: str) -> Iterator[None]:
    """Turns whatever stored rows that are no corpus raise into an EnvironmentProblem.

    Everything was checked when it was written, so the file was changed by something else.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, InputError, NoResultFound) as error:
        raise sqlite_errors.damaged(location) from error

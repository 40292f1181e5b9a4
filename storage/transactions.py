"""Access to an open corpus, its transactions, and translation of their errors."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Condition, get_ident
from typing import Final, Protocol

from filelock import BaseFileLock
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, MultipleResultsFound, NoResultFound

from awase.core.errors import EnvironmentProblem, Problem
from awase.core.records.abstract import EditEffort
from awase.core.records.edits import AlignmentEdit, Changes, Edit
from awase.storage.edits import changes_of
from awase.storage.files.corpus_file import damaged, environment_problem, not_storable
from awase.storage.files.locks_and_backups import Preparation
from awase.storage.files.sqlite_files import lacks_steps
from awase.storage.postgresql.connections import BUSY, WHOLE, Parts, lock, parts_of, server_problem
from awase.storage.querying import is_server, new_uid
from awase.storage.rows import log

_ROWS_REMEMBERED: Final = 1000


class Keeping(Protocol):
    """Watches a file that is open for writing."""

    @property
    def problem(self) -> EnvironmentProblem | None:
        """What happened to the file; None = it is in place, unchanged."""
        ...

    def look(self) -> None:
        """Looks at the file now, for `problem`."""
        ...

    def check(self) -> None:
        """Looks at the file now; raises `problem`."""
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
            problem = server_problem(error.orig, location)
        if problem is None:
            raise
        raise problem from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise not_storable(error) from error
    except (NoResultFound, MultipleResultsFound, UnicodeDecodeError) as error:
        # Rows that every corpus has, or the driver's own words about a damaged description.
        raise damaged(location) from error


@contextmanager
def translate_row_errors(location: str) -> Iterator[None]:
    """Converts errors from invalid stored rows into an EnvironmentProblem."""
    # Everything was validated when written, so something else changed the file.
    try:
        yield
    except log.ROWS_NOT_UNDERSTOOD as error:
        raise damaged(location) from error


class EditStep:
    """A transaction of a person's edit."""

    def __init__(self, connection: Connection, history: log.History) -> None:
        self.connection = connection
        self.history = history
        self.logged: tuple[int, Changes, log.History] | None = None

    def record(self, row: int, changes: Changes, history: log.History) -> None:
        """Records log row, changes and history."""
        self.logged = row, changes, history

    def log_edit(self, operation: log.Operation | None, changes: Changes) -> None:
        """Records a logged edit; None = no difference."""
        if operation is not None:
            self.record(operation.id, changes, self.history.after_edit(operation))


class Transactions:
    """Transactions on an open corpus; thread-safe."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._closing_guard = ClosingGuard()
        self._histories = log.Histories()
        self.window = new_uid()
        self.rows_written: deque[int] = deque(maxlen=_ROWS_REMEMBERED)

    def close(self) -> None:
        """Closes the database after other threads' transactions."""
        if self._closing_guard.close():
            self._access.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yields a connection in one read transaction."""
        with (
            self._closing_guard.passage(),
            translated(self._access.location),
            translate_row_errors(self._access.location),
            self._access.reading.connect() as connection,
        ):
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[log.Reads]:
        """Yields a reader of one transaction; errors of the caller's own work pass unchanged."""
        location = self._access.location

        @contextmanager
        def read() -> Iterator[Connection]:
            with translated(location), translate_row_errors(location):
                yield connection

        with self._closing_guard.passage(), ExitStack() as open_connection:
            with translated(location):
                connection = open_connection.enter_context(self._access.reading.connect())
            yield read

    @contextmanager
    def writing(
        self, parts: Callable[[Connection], Parts] | None = lambda _: WHOLE
    ) -> Iterator[Connection]:
        """Yields a connection in one write transaction.

        `parts` returns the locks on a server; None = the caller locks.
        """
        location = self._access.location
        if self._access.writing is None:
            raise EnvironmentProblem(
                "“{path}” is open read-only.", "Open it for writing first.", path=location
            )
        if self._access.preparation is not None:
            self._access.preparation.before_write()
        with self._closing_guard.passage():
            self._check_file()  # first: a new connection would say less about a missing one
            with translated(location), self._access.writing.begin() as connection:
                self._check_file()
                # A server has many writers: each waits until those at the same thing are done.
                if parts is not None and is_server(connection):
                    _lock(connection, parts, location)
                yield connection
        if self._access.keeper is not None:
            self._access.keeper.wrote()

    def _check_file(self) -> None:
        if self._access.keeper is not None:
            self._access.keeper.check()

    @contextmanager
    def editing(
        self, who: str, parts: Callable[[Connection], Parts] = lambda _: WHOLE
    ) -> Iterator[EditStep]:
        """Yields a transaction of a person's edit; others are notified on commit."""
        with self.writing(parts) as connection:
            step = EditStep(connection, self.history_of(connection, who))
            yield step
            if step.logged is not None:
                row, changes, _ = step.logged
                self.send_notice(connection, who, changes, row)
        if step.logged is not None:
            row, _, history = step.logged
            self._wrote(who, row, history)

    def send_notice(self, connection: Connection, who: str, changes: Changes, row: int = 0) -> None:
        """Notifies others of this transaction's changes, on commit; no-op for files.

        `row` is the edit's in the log; 0 = no edit.
        """
        if is_server(connection):
            from awase.storage.postgresql.notices import Notice, send_word

            send_word(connection, Notice(window=self.window, who=who, row=row, changes=changes))

    def edit_at_once(self, edit: AlignmentEdit, who: str, effort: EditEffort) -> Changes | None:
        """Applies a usual edit on a server in two round trips; None = take the general path."""
        from awase.storage.postgresql.edits import Step, apply_at_once

        known: list[log.History] = []

        def is_newest(row: int) -> bool:
            history = self._histories.known(who, row)
            known.extend([] if history is None else [history])
            return history is not None

        step = Step(who=who, window=self.window, effort=effort)
        with self.writing(None) as connection:
            operation = apply_at_once(connection, edit, step, is_newest)
        if operation is None:
            return None
        self._wrote(who, operation.id, known[0].after_edit(operation))
        return changes_of(edit)

    @contextmanager
    def reversing(self, who: str, kind: str) -> Iterator[EditStep]:
        """Yields a transaction to undo or redo a person's last operation."""

        def parts(connection: Connection) -> Parts:
            step = self.history_of(connection, who).next_of(kind)
            return parts_of(step.edit if step is not None else None, who)

        with self.editing(who, parts) as step:
            yield step

    def history_of(self, connection: Connection, who: str) -> log.History:
        """Returns a person's undo history."""
        with translate_row_errors(self._access.location):
            return self._histories.history_of(connection, who)

    def edit_of(self, connection: Connection, operation: log.Operation) -> Edit:
        """Returns an operation's edit with its values."""
        with translate_row_errors(self._access.location):
            return log.edit_of(connection, operation)

    def _wrote(self, who: str, row: int, history: log.History) -> None:
        self._histories.remember(who, row, history)
        self.rows_written.append(row)


def _lock(connection: Connection, parts: Callable[[Connection], Parts], location: str) -> None:
    wanted = parts(connection)
    lock(connection, wanted)
    lacks_steps(connection, location)  # raises where others have newer tables by now
    if parts(connection) != wanted:  # by the person's own hand, on another machine
        raise EnvironmentProblem.about(BUSY, path=location)


class ClosingGuard:
    """Admits threads until it is closed; closing waits for those inside."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._inside: Counter[int] = Counter()
        self._is_closed = False

    @contextmanager
    def passage(self) -> Iterator[None]:
        """Counts the thread as inside; `RuntimeError` when closed."""
        me = get_ident()
        with self._condition:
            if self._is_closed and not self._inside[me]:
                raise RuntimeError("a closed corpus is not used again")
            self._inside[me] += 1
        try:
            yield
        finally:
            with self._condition:
                self._inside[me] -= 1
                self._condition.notify_all()

    def close(self) -> bool:
        """Closes the guard, waits for the other threads, and returns whether it was open."""
        me = get_ident()
        with self._condition:
            was_open, self._is_closed = not self._is_closed, True
            self._condition.wait_for(
                lambda: not any(n for thread, n in self._inside.items() if thread != me)
            )
            return was_open

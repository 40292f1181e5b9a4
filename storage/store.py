"""The door to a corpus file: open, read, and change it one committed transaction at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import BaseFileLock
from sqlalchemy import Connection, Engine, create_engine, delete, insert, select
from sqlalchemy.exc import DBAPIError

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.progress import Reporter, Silent
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.core.records.edit import Edit
from awase.core.records.topic import Topic
from awase.storage import sqlite
from awase.storage.applying import write_edit
from awase.storage.backups import back_up
from awase.storage.changes import Changes
from awase.storage.lock import CorpusLocked, Holder, take_lock
from awase.storage.migrating import upgrade
from awase.storage.operations import (
    REDO,
    UNDO,
    History,
    history_of,
    latest_operation_id,
    log_act,
    log_edit,
    log_reversal,
)
from awase.storage.reading import read_corpus, read_topics
from awase.storage.schema import HolderRow
from awase.storage.writing import write_difference, write_new

Location = str | Path


def is_url(location: Location) -> bool:
    """Returns whether `location` is a database URL rather than a file."""
    return "://" in str(location)


class CorpusStore:
    """An open corpus.

    Every change is one committed transaction with its row in the operation log; when a method
    raises, nothing was changed. Use it as a context manager, or call `close`.

    Attributes:
        location: Path or URL it was opened with.
        read_only: Whether changes are refused.
        holder: Who has it open for writing, when this store is read-only because of that.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        location: str,
        read_only: bool,
        lock: BaseFileLock | None = None,
        holder: Holder | None = None,
    ) -> None:
        self._engine = engine
        self._lock = lock
        self._histories: dict[str, History] = {}
        self.location = location
        self.read_only = read_only
        self.holder = holder

    @classmethod
    def create(
        cls,
        location: Location,
        *,
        name: str,
        who: str,
        addition: Addition | None = None,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Returns a new corpus, open for writing, holding `addition` when it is given.

        The file appears under its name when it is complete; a failure leaves nothing behind.

        Raises:
            EnvironmentProblem: Something of that name exists, or it cannot be written.
            CorpusFormatError: The addition contradicts itself.
            Cancelled: The reporter asked to stop.
        """
        if is_url(location):
            return cls._create_in_database(str(location), name, who, addition, source, reporter)
        path = Path(location)
        if path.exists():
            raise EnvironmentProblem(
                "“{path}” exists already.", "Choose another name.", path=str(path)
            )
        partial = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with translated(str(path)):
                _fill_new(sqlite.engine_of_file(partial, read_only=False), name, who)
            with cls(
                sqlite.engine_of_file(partial, read_only=False),
                location=str(path),
                read_only=False,
            ) as store:
                if addition is not None:
                    store.add(addition, who=who, source=source, reporter=reporter)
            partial.rename(path)
        except OSError as error:
            raise _cannot_create(path, error) from error
        finally:
            for leftover in path.parent.glob(f"{partial.name}*"):
                leftover.unlink()
        return cls.open(path, who=who)

    @classmethod
    def _create_in_database(
        cls,
        url: str,
        name: str,
        who: str,
        addition: Addition | None,
        source: str,
        reporter: Reporter | None,
    ) -> Self:
        with translated(url):
            _fill_new(create_engine(url), name, who)
        store = cls(create_engine(url), location=url, read_only=False)
        if addition is not None:
            store.add(addition, who=who, source=source, reporter=reporter)
        return store

    @classmethod
    def open(cls, location: Location, *, who: str, read_only: bool = False) -> Self:
        """Returns the corpus at `location`.

        Opening for writing takes the lock, migrates an older file (after a backup) and keeps a
        backup of what was there.

        Args:
            location: An `.awase` file, or a database URL.
            who: The person, for the lock and the log.
            read_only: Refuse changes; needs no lock.

        Raises:
            CorpusLocked: Another process has it open for writing.
            EnvironmentProblem: It is missing, damaged, of a newer version or not a corpus.
        """
        if is_url(location):
            return cls(create_engine(str(location)), location=str(location), read_only=read_only)
        path = Path(location)
        sqlite.check_file(path)
        if read_only:
            return cls._open_to_read(path)
        return cls._open_to_write(path, who)

    @classmethod
    def open_or_read_only(cls, location: Location, *, who: str) -> Self:
        """Returns the corpus open for writing, or read-only with `holder` when it is locked."""
        try:
            return cls.open(location, who=who)
        except CorpusLocked as locked:
            store = cls.open(location, who=who, read_only=True)
            store.holder = locked.holder
            return store

    @classmethod
    def _open_to_read(cls, path: Path) -> Self:
        engine = sqlite.engine_of_file(path, read_only=True)
        try:
            with translated(str(path)), engine.connect() as connection:
                is_current = sqlite.check_marks(connection, path)
            if not is_current:
                raise EnvironmentProblem(
                    "“{path}” was made by an older version and has to be converted first.",
                    "Open it once for writing; a backup is kept.",
                    path=str(path),
                )
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, location=str(path), read_only=True)

    @classmethod
    def _open_to_write(cls, path: Path, who: str) -> Self:
        lock = take_lock(path)
        if lock is None:
            raise CorpusLocked(str(path), _holder_of(path))
        engine = sqlite.engine_of_file(path, read_only=False)
        try:
            with translated(str(path)):
                _prepare_to_write(engine, path, who)
        except BaseException:
            engine.dispose()
            lock.release()
            raise
        return cls(engine, location=str(path), read_only=False, lock=lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database and lets others write; a closed store is not used again."""
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def corpus(self) -> Corpus:
        """Returns everything as records."""
        with self._reading() as connection:
            return read_corpus(connection)

    def topic(self, topic_id: str) -> Topic:
        """Returns one topic as records.

        Raises:
            InputError: There is no such topic.
        """
        with self._reading() as connection:
            topics = read_topics(connection, only=topic_id)
        if not topics:
            raise InputError.of("The corpus has no topic “{topic}”.", topic=topic_id)
        return topics[0]

    def apply(self, edit: Edit, *, who: str, active_ms: int = 0) -> Changes:
        """Makes an edit and logs it; the edit can then be undone.

        Args:
            edit: The values before and after.
            who: The person.
            active_ms: Milliseconds the person worked on it.

        Raises:
            StaleEdit: The stored value is not the edit's old one.
            InputError: It names something that does not exist.
            EnvironmentProblem: It cannot be written.
        """
        history = self.history(who)
        with self._writing() as connection:
            changes = write_edit(connection, edit)
            operation = log_edit(connection, who=who, edit=edit, active_ms=active_ms)
        self._histories[who] = history.after_edit(operation)
        return changes

    def undo(self, *, who: str) -> Changes:
        """Takes back the person's last edit that is not undone.

        Raises:
            InputError: There is nothing to undo, or somebody changed the same thing since.
            EnvironmentProblem: It cannot be written.
        """
        history = self.history(who)
        if not history.done:
            raise InputError.of("There is nothing to undo.")
        operation = history.done[-1]
        with self._writing() as connection:
            changes = write_edit(connection, operation.edit.inverse())
            log_reversal(connection, who=who, kind=UNDO, operation=operation)
        self._histories[who] = history.after_undo()
        return changes

    def redo(self, *, who: str) -> Changes:
        """Makes the person's last undone edit again.

        Raises:
            InputError: There is nothing to redo, or somebody changed the same thing since.
            EnvironmentProblem: It cannot be written.
        """
        history = self.history(who)
        if not history.undone:
            raise InputError.of("There is nothing to redo.")
        operation = history.undone[-1]
        with self._writing() as connection:
            changes = write_edit(connection, operation.edit)
            log_reversal(connection, who=who, kind=REDO, operation=operation)
        self._histories[who] = history.after_redo()
        return changes

    def history(self, who: str) -> History:
        """Returns what `who` can undo and redo, from the log of this and earlier sessions."""
        if who not in self._histories:
            with self._reading() as connection:
                self._histories[who] = history_of(connection, who)
        return self._histories[who]

    def add(
        self,
        addition: Addition,
        *,
        who: str,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Changes:
        """Joins an import to the corpus: all of it, or nothing.

        Args:
            addition: What was read.
            who: The person.
            source: Where it was read from, for the log.
            reporter: Told of each topic.

        Raises:
            CorpusFormatError: It contradicts the corpus; with every conflict.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter asked to stop.
        """
        with self._writing() as connection:
            old = read_corpus(connection)
            changes = write_difference(connection, old, merge(old, addition), reporter or Silent())
            log_act(
                connection,
                who=who,
                kind="import",
                subject=source,
                details={"topics": sorted(changes.touched_topics())},
            )
        return changes

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self.location), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if self.read_only:
            raise EnvironmentProblem(
                "“{path}” is open read-only.", "Open it for writing first.", path=self.location
            )
        with translated(self.location), self._engine.begin() as connection:
            yield connection


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turns a driver's error that the user can act on into an EnvironmentProblem."""
    try:
        yield
    except DBAPIError as error:
        problem = sqlite.environment_problem(error.orig, location)
        if problem is None:
            raise
        raise problem from error


def _fill_new(engine: Engine, name: str, who: str) -> None:
    is_file = engine.dialect.name == "sqlite"
    try:
        with engine.begin() as connection:
            upgrade(connection)
            if is_file:
                sqlite.set_marks(connection)
            write_new(connection, Corpus(name=name))
            log_act(connection, who=who, kind="create", subject=name, details={})
    finally:
        engine.dispose()


def _prepare_to_write(engine: Engine, path: Path, who: str) -> None:
    with engine.connect() as connection:
        sqlite.check_content(connection, path)
        is_current = sqlite.check_marks(connection, path)
        content = latest_operation_id(connection)
    back_up(path, content)
    with engine.begin() as connection:
        if not is_current:
            upgrade(connection)
            sqlite.set_marks(connection)
        holder = Holder.this_process(who)
        connection.execute(delete(HolderRow))
        connection.execute(
            insert(HolderRow).values(
                who=holder.who, host=holder.host, pid=holder.pid, since=holder.since
            )
        )


def _holder_of(path: Path) -> Holder | None:
    engine = sqlite.engine_of_file(path, read_only=True)
    try:
        with engine.connect() as connection:
            row = connection.execute(
                select(HolderRow.who, HolderRow.host, HolderRow.pid, HolderRow.since)
            ).first()
    except DBAPIError:
        return None
    finally:
        engine.dispose()
    return Holder(who=row[0], host=row[1], pid=row[2], since=row[3]) if row else None


def _cannot_create(path: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” cannot be created ({error}).",
        "Check that the folder exists and can be written, and that the disk has room.",
        path=str(path),
        error=error.strerror or str(error),
    )

"""Corpus files through SQLAlchemy: locked by one writer, backed up, migrated, checkpointed.

SQLite writes to a `-wal` file, and a file that is renamed, copied or replaced loses that. So it is
checkpointed two seconds after the last edit, while idle; a connection stays open from the start, by
which the rest can be checkpointed or saved when the file is no longer at its path.
"""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final, NamedTuple

from filelock import BaseFileLock
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, Pool, QueuePool
from sqlalchemy.util import LRUCache

from awase.core.errors import EnvironmentProblem, Missing, Problem, Reporter
from awase.storage.files import sqlite_files
from awase.storage.files.corpus_file import (
    HEADER_BYTES,
    FileIdentity,
    _open_files,
    check_file,
    damaged,
    dated,
    file_errors_translated,
    has_pending,
    identity_of,
    is_current,
    is_pending_foreign,
    remember,
    set_pending_aside,
    version_text,
)
from awase.storage.files.locks_and_backups import (
    Fill,
    HardLinked,
    Holder,
    NotWritable,
    Preparation,
    check_to_read,
    create_corpus_file,
    foreign_warnings,
    is_large,
    lock_to_write,
    partial_of,
    prepare_now,
    real_path,
    size_warnings,
    take_lock,
    write_holder,
)
from awase.storage.querying import newest_state
from awase.storage.transactions import Access, translate_row_errors, translated

QUIET_S: Final = 2.0  # idle time before a checkpoint
_MOST_S: Final = 30.0  # maximal delay of a checkpoint
LOOK_S: Final = 1.0


_BEGIN = "awase_begin"
# SQLite's steps: pages or virtual machine instructions, some milliseconds.
STEPS_BETWEEN_REPORTS: Final = 10_000


def engine_to_read(path: Path) -> Engine:
    """Returns an engine that changes neither the file nor side files."""
    # Connections are not pooled, so that a reader never keeps a writer from checkpointing.
    return _engine(sqlite_files.reader(path), sqlite_files.TO_READ, NullPool)


def engine_to_write(path: Path) -> Engine:
    """Returns an engine on a file that exists."""
    return _engine(sqlite_files.writer(path), sqlite_files.TO_WRITE, QueuePool)


def engine_to_migrate(path: Path) -> Engine:
    """Returns an engine that allows rebuilding tables; see `check_references`."""
    return _engine(sqlite_files.writer(path), sqlite_files.TO_MIGRATE, QueuePool)


def engine_in_memory() -> Engine:
    """Returns an engine on a temporary in-memory database."""
    return create_engine("sqlite://")


class Dialect(SQLiteDialect_pysqlite):
    """SQLite's dialect, one instance for all files."""

    # SQLAlchemy compiles statements once a dialect, which takes longer than running most of them.

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.awase", __name__, Dialect.__name__)
_COMPILED: Final[LRUCache[object, object]] = LRUCache(500)


def _engine(connect: sqlite_files.Connect, pragmas: tuple[str, ...], pool: type[Pool]) -> Engine:
    engine = create_engine(
        "sqlite+awase://",
        creator=connect,
        poolclass=pool,
        execution_options={"compiled_cache": _COMPILED},
    )
    event.listen(
        engine, "connect", lambda connection, _: sqlite_files.set_pragmas(connection, pragmas)
    )
    event.listen(engine, "begin", _begin)
    return engine


def for_writing(engine: Engine) -> Engine:
    """Returns the engine with `BEGIN IMMEDIATE` transactions."""
    # A transaction that reads first and then wants to write cannot wait for another writer.
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def is_consistent(connection: Connection, reporter: Reporter) -> bool:
    """Returns whether constraints hold and indices are consistent; True on a server."""
    # `check_content` checks less, as this takes several times as long.
    if connection.dialect.name != "sqlite":
        return True
    with _stopped_by(connection, reporter):
        return connection.execute(text("PRAGMA integrity_check(1)")).scalar() == "ok"


@contextmanager
def _stopped_by(connection: Connection, reporter: Reporter) -> Iterator[None]:
    """Lets the reporter interrupt a slow statement."""

    def ask() -> None:
        reporter.advance(0, 0)  # SQLite aborts where this raises, with an error of its own

    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.set_progress_handler(ask, STEPS_BETWEEN_REPORTS)
    try:
        yield
    except DBAPIError:
        ask()
        raise
    finally:
        driver.set_progress_handler(None, 0)


def check_references(connection: Connection, path: Path) -> None:
    """Raises unless all foreign keys are valid."""
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise damaged(str(path))


class OpenFile:
    """A file that stays accessible while open, even when renamed."""

    def __init__(self, path: Path) -> None:
        self.path = path  # when it was opened
        self._reading = Lock()
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._status = os.fstat(self._descriptor)
        self.identity: FileIdentity = (self._status.st_dev, self._status.st_ino)
        if hasattr(os, "pread"):
            _open_files[self.identity] = self._descriptor

    def is_in_place(self) -> bool:
        """Returns whether the file is still at its path."""
        try:
            return os.path.samestat(os.stat(self.path), self._status)
        except OSError:
            return False

    def header(self) -> bytes:
        """Returns its header; thread-safe."""
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, HEADER_BYTES, 0)
        with self._reading:
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            return os.read(self._descriptor, HEADER_BYTES)

    def new_path(self) -> Path | None:
        """Returns its present name; None = deleted or unknown."""
        candidates = [self.path]
        with suppress(OSError):
            candidates.append(Path(os.readlink(f"/proc/self/fd/{self._descriptor}")))
        with suppress(OSError):
            candidates += self.path.parent.iterdir()
        return next((one for one in candidates if identity_of(one) == self.identity), None)

    def close(self) -> None:
        """Closes it, after all connections to the file."""
        if _open_files.get(self.identity) == self._descriptor:
            del _open_files[self.identity]
        os.close(self._descriptor)


class Checkpointer:
    """Checkpoints the file, and watches that it stays in place."""

    def __init__(self, path: Path, clock: Callable[[], float] = monotonic) -> None:
        """Starts to watch a file that this process has locked.

        FileError if it cannot be opened; OSError if it cannot be read, or its lock file not be
        written.
        """
        self._path, self._clock = path, clock
        self._file = OpenFile(path)
        try:
            self._connection = sqlite_files.connected_to_checkpoint(path)
        except BaseException:
            self._file.close()
            raise
        self._has_own_header = sqlite_files.writes_beside(self._connection)
        self._mutex = Lock()
        self._ends = Event()
        self._first: float | None = None
        self._last: float | None = None
        self._headers: frozenset[bytes] = frozenset()
        # What happened to the file; None = it is in place, unchanged.
        self.problem: EnvironmentProblem | None = None
        self._remember()
        self._move()  # also what was left by a program that was killed
        self._is_written = has_pending(path)
        self._first = self._last = self._clock() if self._is_written else None
        self._thread = Thread(target=self._run, name="awase-checkpoints", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Checks the file now."""
        self.look()
        if self.problem is not None:
            raise EnvironmentProblem.about(self.problem.problem)

    def wrote(self) -> None:
        """Registers a write."""
        self._last = self._clock()
        self._first = self._first or self._last
        self._is_written = True

    def close(self) -> None:
        """Checkpoints everything, and closes."""
        self._ends.set()
        self._thread.join()
        problem = None
        try:
            self.look()
            if not self._file.is_in_place():
                problem = self._save_moved()
            elif self.problem is not None:
                problem = self._leave_overwritten()
            else:
                self._move()
        finally:
            self._connection.close()
            self._file.close()
        if self.problem is not None:
            for suffix in ("-wal", "-shm"):  # useless to the file there now
                with suppress(OSError):
                    self._path.with_name(self._path.name + suffix).unlink()
        if problem is not None:
            raise problem

    # While it is open

    def _run(self) -> None:
        while not self._ends.wait(LOOK_S):
            self.look()
            if self.problem is None and self._is_due():
                self._move()

    def _is_due(self) -> bool:
        first, last, now = self._first, self._last, self._clock()
        if first is None or last is None:
            return False
        return now - last >= QUIET_S or now - first >= _MOST_S

    def look(self) -> None:
        """Looks at the file now, for `problem`."""
        if not self._file.is_in_place():
            self.problem = EnvironmentProblem(
                "“{path}” is no longer there; nothing was changed.",
                "Connect the drive or put the file back; what is shown can still be exported.",
                path=str(self._path),
            )
        elif not self._is_known():
            self.problem = EnvironmentProblem(
                "“{path}” was overwritten by another program; nothing was changed.",
                "Close it and open it again, or go back to a backup.",
                path=str(self._path),
                missing=Missing.BACKUP.value,
            )
        else:
            self.problem = None

    def _is_known(self) -> bool:
        if not self._has_own_header or self._file.header() in self._headers:
            return True
        with self._mutex:  # a running checkpoint would be of another file
            return self._file.header() in self._headers

    def _move(self) -> None:
        """Checkpoints; frames in use by readers wait for the next time."""
        with self._mutex, suppress(sqlite_files.FileError, OSError):
            last = self._last
            self._remember()
            _, is_moved = sqlite_files.checkpoint(self._connection, "PASSIVE")
            is_busy, _ = (
                sqlite_files.checkpoint(self._connection, "TRUNCATE") if is_moved else (True, False)
            )
            if not is_busy and last == self._last:
                self._first = self._last = None
            self._remember()

    def _remember(self) -> None:
        self._headers = remember(self._path)

    # When it was moved, exchanged or removed

    def _save_moved(self) -> EnvironmentProblem | None:
        if not self._is_written:
            return None
        new = self._file.new_path()
        try:
            if new is not None and self._is_moved_into(new):
                problem = EnvironmentProblem(
                    "“{path}” was renamed to “{new}” while it was open. Everything that was "
                    "confirmed is in it.",
                    "Open it by its new name.",
                    path=str(self._path),
                    new=str(new),
                )
            else:
                problem = EnvironmentProblem(
                    "“{path}” was moved, replaced or removed while it was open. Everything that "
                    "was confirmed was saved as “{saved}”.",
                    "Go on with that file, or take it back into the other with “awase merge”.",
                    path=str(self._path),
                    saved=str(self._saved_beside()),
                )
        except (EnvironmentProblem, OSError, sqlite_files.FileError) as error:
            raise EnvironmentProblem(
                "“{path}” was moved, replaced or removed while it was open, and what was "
                "confirmed last could not be saved elsewhere ({error}).",
                "Put the file back beside “{path}-wal” before anything opens it.",
                path=str(self._path),
                error=str(error),
            ) from error
        return problem

    def _is_moved_into(self, new: Path) -> bool:
        """Checkpoints into the file at its new name, unless another process uses it."""
        if has_pending(new):
            return False
        try:
            lock = take_lock(new)
        except OSError:
            return False
        if lock is None:
            return False
        try:
            sqlite_files.checkpoint(self._connection, "TRUNCATE")
            return sqlite_files.checkpoint(self._connection, "PASSIVE")[1]
        finally:
            lock.release()

    def _saved_beside(self) -> Path:
        failure: EnvironmentProblem | None = None
        for folder in (self._path.parent, Path.home()):
            target = dated(folder / self._path.name, "saved")
            try:
                sqlite_files.copy_database(self._connection, target)
                return target
            except EnvironmentProblem as error:
                failure = error
        assert failure is not None
        raise failure

    def _leave_overwritten(self) -> EnvironmentProblem | None:
        """Keeps earlier writes from getting into a file that replaced ours."""
        # SQLite would checkpoint on closing; with nothing left to do, it does not.
        if not has_pending(self._path):
            return None
        wal = self._path.with_name(self._path.name + "-wal")
        aside = dated(wal, "aside")
        shutil.copyfile(wal, aside)
        os.truncate(wal, 0)
        return EnvironmentProblem(
            "“{path}” was overwritten by another program while it was open. What was confirmed in "
            "the last seconds before is not in it; it was set aside as “{aside}”.",
            "Open the file again and look at the end of your work.",
            path=str(self._path),
            aside=str(aside),
        )


def open_to_read(location: Path) -> Access:
    """Opens the file for reading; changes nothing on the disk."""
    path = real_path(location)
    check_file(path)
    engine = engine_to_read(path)
    with (
        translated(str(location)),
        translate_row_errors(str(location)),
        engine.connect() as connection,
    ):
        version = check_to_read(connection, path, str(location))
    return Access(
        location=os.path.abspath(location),
        format_version=version_text(version),
        reading=engine,
        warnings=(*foreign_warnings(path), *size_warnings(path)),
    )


def open_to_write(location: Path, who: str, reporter: Reporter) -> Access:
    """Opens the file for writing, migrated if older, with a backup; raises as `lock_to_write`."""
    path = real_path(location)
    check_file(path)
    if not sqlite_files.is_writable(path):
        raise NotWritable(str(location), os.strerror(errno.EACCES))
    if path.stat().st_nlink > 1:
        raise HardLinked(str(location))
    lock = lock_to_write(path, location)
    try:
        with translated(str(location)):
            foreign = _set_foreign_aside(path, str(location))
            prepared = _prepare(path, reporter)
            access = _opened(
                path, location, who, lock, (*foreign, *size_warnings(path), *prepared.warnings)
            )
            if prepared.content is None:
                return access
            return replace(access, preparation=Preparation(path, prepared.content))
    except BaseException:
        lock.release()
        raise


def create_file(location: Path, who: str, fill: Fill) -> Access:
    """Creates a corpus file atomically, open for writing; `CorpusLocked` if somebody else does."""
    with create_corpus_file(location, fill) as made, translated(str(location)):
        return _opened(made.path, location, who, made.lock, ())


def _set_foreign_aside(path: Path, location: str) -> tuple[Problem, ...]:
    if not is_pending_foreign(path):
        return ()
    try:
        aside = set_pending_aside(path)
    except OSError as error:
        raise NotWritable(location, error.strerror or str(error)) from error
    return (
        Problem(
            what="“{path}” was replaced, or a backup was copied over it, while changes to the "
            "previous file were stored beside it. They do not match it and were set aside as "
            "“{aside}”.",
            hint="Next time, let the program restore the backup: it keeps both.",
            fields={"path": location, "aside": str(aside), "missing": Missing.BACKUP.value},
        ),
    )


class _Prepared(NamedTuple):
    """State of a file, and pending preparation."""

    warnings: tuple[Problem, ...] = ()
    # State to be backed up in the background; None = done.
    content: str | None = None


def _prepare(path: Path, reporter: Reporter) -> _Prepared:
    """Checks the file, backs it up, and only then changes it."""
    # For a large one without migration, check and backup run in the background.
    sqlite_files.remove_database(partial_of(path))
    with file_errors_translated(str(path)), sqlite_files.connected_to_read(path) as connection:
        sqlite_files.check_statements(connection, str(path))
        is_older = not is_current(sqlite_files.user_version(connection), path)
        state = newest_state(connection)
        if is_large(path) and not is_older:
            return _Prepared(content=state)
        missing = prepare_now(path, connection, state, reporter)
    if missing is not None and is_older:  # migrations cannot be undone
        raise EnvironmentProblem.about(missing)
    if missing is not None:
        return _Prepared((missing,))
    with translate_row_errors(str(path)):
        if is_older:
            _migrate(path)
    return _Prepared()


def _migrate(path: Path) -> None:
    engine = engine_to_migrate(path)
    try:
        with for_writing(engine).begin() as connection:
            sqlite_files.upgrade(connection)
            check_references(connection, path)
            sqlite_files.set_marks(connection)
    finally:
        engine.dispose()


def _opened(
    path: Path, location: Path, who: str, lock: BaseFileLock, warnings: tuple[Problem, ...]
) -> Access:
    engine = engine_to_write(path)
    writing = for_writing(engine)
    try:
        with writing.begin() as connection:
            write_holder(connection, Holder.this_process(who))
            # The header identifies this session's file: later copies differ.
            version = sqlite_files.write_header(connection)
        try:
            keeper = Checkpointer(path)
        except OSError as error:
            raise NotWritable(str(location), error.strerror or str(error)) from error
    except BaseException:
        engine.dispose()
        raise
    return Access(
        location=os.path.abspath(location),
        format_version=version_text(version),
        reading=engine,
        writing=writing,
        lock=lock,
        warnings=warnings,
        keeper=keeper,
    )

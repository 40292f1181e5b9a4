"""Reading, locking, creating and backing up files without SQLAlchemy, which is slow to import."""

import errno
import getpass
import os
import re
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from typing import Final, NamedTuple

from filelock import BaseFileLock, FileLock, Timeout

from awase.core.errors import Cancelled, EnvironmentProblem, Missing, Problem, Reporter, Silent
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
from awase.storage.files.sqlite_files import (
    FileConnection,
    FileError,
    HeldState,
    check_content,
    check_statements,
    connected_to_make,
    connected_to_read,
    connected_to_write,
    copy_database,
    no_backup,
    remove_database,
    set_marks,
    user_version,
    written_beside,
)
from awase.storage.querying import Readable, Writable, change, newest_state, rows_of

MEGABYTE: Final = 1_000_000
OLDER: Final = Problem(
    what="“{path}” was made by an older version and has to be converted first.",
    hint="Open it once for writing; a backup is kept.",
)
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
    """Another process has the corpus open for writing; it can be opened read-only."""

    def __init__(self, location: str, holder: Holder | None) -> None:
        self.holder = holder  # None = unknown
        hint = "Close it there, or open it read-only."
        if holder is None:
            super().__init__("“{path}” is open in another process.", hint, path=location)
        else:
            super().__init__(
                "“{path}” is in use by {who} on {host} (process {pid}, since {since}).",
                hint,
                path=location,
                **asdict(holder),
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
            "read-only: opening it by another name would overwrite what is written here.",
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


def lock_to_write(path: Path, location: Path) -> BaseFileLock:
    """Locks the corpus at `path`, which the user knows as `location`.

    `CorpusLocked` if another process has it, `NotWritable` if its folder cannot be written.
    """
    try:
        lock = take_lock(path)
    except OSError as error:
        raise NotWritable(str(location), error.strerror or str(error)) from error
    if lock is None:
        raise CorpusLocked(str(location), holder_of(path))
    return lock


# Creates and fills the tables of a corpus in a transaction.
Fill = Callable[[Writable], None]


class CreatedFile(NamedTuple):
    """A created file."""

    path: Path
    lock: BaseFileLock


@contextmanager
def create_corpus_file(location: Path, fill: Fill) -> Iterator[CreatedFile]:
    """Creates a corpus file atomically; on success the lock passes to the caller.

    `CorpusLocked` if somebody else is creating it.
    """
    path = real_path(location)
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
        yield CreatedFile(path, lock)
    except BaseException as error:
        if is_made:
            remove_database(path)
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
            connected_to_write(made.path) as connection,
        ):
            write_holder(connection, Holder.this_process(who))
        made.lock.release()


def write_holder(connection: Writable, holder: Holder) -> None:
    """Writes who has the file open for writing."""
    change(connection, "DELETE FROM holder")
    change(
        connection,
        "INSERT INTO holder (who, host, pid, since) VALUES (:who, :host, :pid, :since)",
        **asdict(holder),
    )


def _check_free(path: Path) -> None:
    check_length(partial_of(path))
    if is_beside_corpus(path):
        raise EnvironmentProblem(
            "“{path}” is a name that belongs to the corpus beside it.",
            "Choose another name.",
            path=str(path),
        )
    if os.path.exists(path):  # pathlib raises where a name is too long
        raise EnvironmentProblem("“{path}” already exists.", "Choose another name.", path=str(path))


def _make(path: Path, fill: Fill) -> None:
    partial = partial_of(path)
    with (
        written_beside(path, partial),
        connected_to_make(partial) as connection,
    ):
        fill(connection)
        set_marks(connection)


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
    path = real_path(location)
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
        raise EnvironmentProblem.about(OLDER, path=location)
    return version


def size_warnings(path: Path) -> tuple[Problem, ...]:
    """Returns a warning about a file that is too large for memory."""
    n_bytes = path.stat().st_size
    if n_bytes <= MOST_BYTES:
        return ()
    return (
        Problem(
            what="“{path}” has {size} MB, more than {most}; it needs some {memory} GB of memory.",
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
            what="“{path}” was replaced, or a backup was copied over it, while changes to the "
            "previous file were stored beside it. They do not match it and are not read.",
            hint="Next time, let the program restore the backup: it keeps both.",
            fields={"path": str(path), "missing": Missing.BACKUP.value},
        ),
    )


def real_path(location: Path) -> Path:
    """Returns the absolute path behind all names of a file."""
    return Path(os.path.realpath(location))


def locked_by_another(location: Path) -> CorpusLocked | None:
    """Returns the error that a writer would get now; None = it is free."""
    path = real_path(location)
    if not lock_file(path).exists():
        return None
    try:
        lock = take_lock(path)
    except OSError:  # unknown without the right to lock it
        return None
    if lock is None:
        return CorpusLocked(str(location), holder_of(path))
    lock.release()
    return None


def holder_of(path: Path) -> Holder | None:
    """Returns the last writer's name; None when unknown."""
    query = "SELECT who, host, pid, since FROM holder"
    try:
        with connected_to_read(path) as connection:
            row = next(iter(rows_of(connection, query)), None)
    except FileError:
        return None
    return Holder(who=row[0], host=row[1], pid=row[2], since=row[3]) if row else None


KEPT = 5
ROOM_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"\d{8}T\d{6}Z-\d+\.awase(\.part)?")


def backup_folder(path: Path) -> Path:
    """Returns the corpus's backup folder."""
    return path.parent / f"{path.name}-backups"  # also of anything that is no file


def backups_of(path: Path) -> tuple[Path, ...]:
    """Returns the complete copies of the corpus at `path`, the oldest first."""
    if os.path.islink(backup_folder(path)):
        return ()
    with suppress(OSError, ValueError):  # the latter where a path holds a NUL
        ours = [one for one in backup_folder(path).iterdir() if _NAME.fullmatch(one.name)]
        return tuple(sorted(one for one in ours if one.suffix != ".part"))
    return ()


def back_up(
    path: Path,
    content: str,
    *,
    check: Callable[[], None] = lambda: None,
    leaves_room: bool = False,
    held: HeldState | FileConnection | None = None,
) -> Path | None:
    """Copies the corpus at `path` and drops all but the newest `KEPT` backups; returns the new one.

    Of a snapshot, None = the present state. Its name, `content`, sorts by age, like
    `20261121T093000Z-17`; each is copied once, so that None is returned. `check` may raise to stop.
    """
    target = backup_folder(path) / f"{content}.awase"
    if target.parent.is_symlink():  # it may be another corpus's
        raise no_backup(target.parent, OSError(errno.ELOOP, os.strerror(errno.ELOOP)))
    if target.exists():
        return None
    if leaves_room:
        _check_room(path, target.parent)
    copy_database(held or path, target, check)
    with suppress(OSError):  # an old backup that stays does no harm
        _tidy(target)
    return target


def _check_room(path: Path, folder: Path) -> None:
    room = shutil.disk_usage(path.parent).free
    if room < path.stat().st_size + ROOM_BYTES:
        raise no_backup(folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _tidy(newest: Path) -> None:
    """Drops old backups, but `newest` even if the clock was set back."""
    ours = [path for path in newest.parent.iterdir() if _NAME.fullmatch(path.name)]
    copies = sorted(path for path in ours if path.suffix != ".part" and path != newest)
    for old in copies[: max(0, len(copies) + 1 - KEPT)]:
        old.unlink()
    for broken_off in (path for path in ours if path.suffix == ".part"):
        remove_database(broken_off)


# Every file is checked and backed up before it is written, a small one before it is open. Of a
# large one a snapshot of the opening is held: later writes are in the WAL, and neither check nor
# copy sees them.
LARGE_BYTES: Final = 64 * 1024 * 1024  # checking and copying it takes about half a second
_SECONDS_BETWEEN_REPORTS: Final = 0.1


def is_large(path: Path) -> bool:
    """Returns whether checking and copying the file would make people wait."""
    return path.stat().st_size >= LARGE_BYTES


def prepare_now(
    path: Path, connection: FileConnection, content: str, reporter: Reporter
) -> Problem | None:
    """Checks a file's pages and backs it up; returns why there is no backup, if so."""
    # A small one by the connection given: SQLite parses the schema for each new one.
    if is_large(path):
        preparation = Preparation(path, content)
        try:
            preparation.wait(reporter)
        except BaseException:
            preparation.stop(gives_up=True)
            raise
        return next(iter(preparation.problems), None)
    check_content(connection, path)
    try:
        back_up(path, content, held=connection)
    except EnvironmentProblem as error:
        return error.problem
    return None


class Preparation:
    """Checks a file's pages and backs it up on a thread."""

    def __init__(self, path: Path, content: str) -> None:
        """Opens a snapshot and starts; `content` as of `back_up`."""
        self._path = path
        self._content = content
        self._is_stopped = False
        self._is_written = False
        self._failure: EnvironmentProblem | None = None
        self.problems: tuple[Problem, ...] = ()  # warnings so far
        self._lock = Lock()
        with file_errors_translated(str(path)):
            self._state = HeldState(path)
        self._thread = Thread(target=self._run, name="awase-preparation", daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether it has finished."""
        return not self._thread.is_alive()

    @property
    def blocks_writers(self) -> bool:
        """Whether writers wait, as the file has no WAL."""
        return not (self._state.lets_write or self.has_ended)

    @property
    def is_owed(self) -> bool:
        """Whether a state before a write is not backed up yet."""
        return self._is_written and not (self._is_stopped or self.has_ended)

    def before_write(self) -> None:
        """Registers a write, waiting if necessary."""
        with self._lock:
            self._is_written = True
        if self.blocks_writers:
            self.wait()
        self._check_writable()

    def wait(self, reporter: Reporter | None = None) -> None:
        """Waits for check and backup; `reporter` may stop the waiting, not the work."""
        while self._thread.is_alive():
            self._thread.join(_SECONDS_BETWEEN_REPORTS)
            (reporter or Silent()).advance(0, 1, self._path.name)
        self._check_writable()

    def stop(self, *, gives_up: bool = False) -> None:
        """Stops it, or waits where something was written since."""
        # An unchanged file can be backed up another time.
        with self._lock:
            self._is_stopped |= gives_up or not self._is_written
        while self._thread.is_alive():
            if self._is_stopped:
                with suppress(FileError):  # it has just ended
                    self._state.connection.interrupt()  # of no use just before a statement begins
            self._thread.join(_SECONDS_BETWEEN_REPORTS)

    def _check_writable(self) -> None:
        if self._failure is not None:
            raise EnvironmentProblem.about(self._failure.problem)
        if self._is_stopped:
            raise EnvironmentProblem(
                "“{path}” was closed; nothing was changed.", "Open it again.", path=str(self._path)
            )

    def _run(self) -> None:
        try:
            if self._is_sound():
                self._copy()
        except Cancelled:
            return
        finally:
            self._state.close()

    def _is_sound(self) -> bool:
        self._check_requested()
        try:
            with file_errors_translated(str(self._path)):
                check_content(self._state.connection, self._path)
        except EnvironmentProblem as error:
            self._failure = error
            return False
        except FileError:
            self._check_requested()
            raise
        return True

    def _copy(self) -> None:
        try:
            back_up(
                self._path,
                self._content,
                check=self._check_requested,
                leaves_room=True,
                held=self._state,
            )
        except EnvironmentProblem as error:
            self.problems = (error.problem,)

    def _check_requested(self) -> None:
        if self._is_stopped:
            raise Cancelled

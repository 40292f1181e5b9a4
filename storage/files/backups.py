"""Backups beside a corpus, before any change, and page checks."""

import errno
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from awase.core.errors import Cancelled, EnvironmentProblem, Problem
from awase.core.progress import Reporter, Silent
from awase.storage.files import sqlite, sqlite_files
from awase.storage.files.corpus_file import file_errors_translated
from awase.storage.files.sqlite_files import (
    HeldState,
    copy_database,
    no_backup,
    remove_database,
)

KEPT = 5
ROOM_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"\d{8}T\d{6}Z-\d+\.awase(\.part)?")


def backup_folder(path: Path) -> Path:
    """Returns the corpus's backup folder."""
    return path.parent / f"{path.name}-backups"  # also of anything that is no file


def backups_of(path: Path) -> tuple[Path, ...]:
    """Returns the complete copies of the corpus at `path`, the oldest first."""
    if backup_folder(path).is_symlink():
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
    held: HeldState | None = None,
) -> Path | None:
    """Copies the corpus at `path` and drops all but the newest `KEPT` backups.

    Args:
        content: Name of the state, sorting by age, like `20261121T093000Z-17`; each is copied once.
        check: Called now and then; raising stops.
        held: The snapshot to copy; None = the present state.

    Returns:
        The new copy, None when there is one of this content.
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


def prepare_now(path: Path, content: str, reporter: Reporter) -> Problem | None:
    """Checks a file's pages and backs it up; returns why there is no backup, if so."""
    if is_large(path):
        preparation = Preparation(path, content)
        try:
            preparation.wait(reporter)
        except BaseException:
            preparation.stop(gives_up=True)
            raise
        return next(iter(preparation.problems), None)
    with file_errors_translated(str(path)), sqlite_files.connected_to_read(path) as connection:
        sqlite.check_content(connection, path)
    try:
        back_up(path, content)
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
        self._problems: tuple[Problem, ...] = ()
        self._lock = Lock()
        with file_errors_translated(str(path)):
            self._state = sqlite_files.HeldState(path)
        self._thread = Thread(target=self._run, name="awase-preparation", daemon=True)
        self._thread.start()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Warnings so far."""
        return self._problems

    @property
    def has_ended(self) -> bool:
        """Whether it has finished."""
        return not self._thread.is_alive()

    @property
    def holds_writers(self) -> bool:
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
        if self.holds_writers:
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
                with suppress(*sqlite.DRIVER_ERRORS):  # it has just ended
                    self._state.connection.interrupt()  # of no use just before a statement begins
            self._thread.join(_SECONDS_BETWEEN_REPORTS)

    def _check_writable(self) -> None:
        if self._failure is not None:
            problem = self._failure.problem
            raise EnvironmentProblem(problem.what, problem.hint, **problem.fields)
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
                sqlite.check_content(self._state.connection, self._path)
        except EnvironmentProblem as error:
            self._failure = error
            return False
        except sqlite.DRIVER_ERRORS:
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
            self._problems = (error.problem,)

    def _check_requested(self) -> None:
        if self._is_stopped:
            raise Cancelled

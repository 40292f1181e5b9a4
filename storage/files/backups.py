"""Copies of a corpus beside it, made before anything is changed, and the look at its pages."""

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
    """Returns the folder beside the corpus in which its backups are kept."""
    return path.parent / f"{path.name}-backups"  # also of what is no file, as somebody types


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
    """Copies the corpus at `path` and drops all but the newest `KEPT` copies.

    Args:
        content: Names what is in it and sorts by age, like `20261121T093000Z-17`; what has been
            copied is not copied again.
        check: Called now and then; raises what ends it.
        held: The state that is copied; None = what is stored now.

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
    """Keeps `newest` even when a clock that was set back makes it look old."""
    ours = [path for path in newest.parent.iterdir() if _NAME.fullmatch(path.name)]
    copies = sorted(path for path in ours if path.suffix != ".part" and path != newest)
    for old in copies[: max(0, len(copies) + 1 - KEPT)]:
        old.unlink()
    for broken_off in (path for path in ours if path.suffix == ".part"):
        remove_database(broken_off)


# With every file its pages are looked at and a backup is made before it is written to; with a small
# one before it is open. Of a large one the state at the opening is held: what is written meanwhile
# stands beside the file, and neither the look nor the copy sees it.
LARGE_BYTES: Final = 64 * 1024 * 1024  # looking at so much and copying it takes about half a second
_SECONDS_BETWEEN_REPORTS: Final = 0.1


def is_large(path: Path) -> bool:
    """Returns whether people would wait for the file to be looked at and backed up."""
    return path.stat().st_size >= LARGE_BYTES


def prepare_now(path: Path, content: str, reporter: Reporter) -> Problem | None:
    """Looks at a file's pages and backs the file up; returns why there is no backup, if so.

    Args:
        content: Names what is in it, as `back_up` takes it.
    """
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
    """Looks at a file's pages and backs the file up, on a thread of its own."""

    def __init__(self, path: Path, content: str) -> None:
        """Holds the file's state and begins.

        Args:
            content: Names what is in it, as `back_up` takes it.
        """
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
        """What the user should know, as far as it is known by now."""
        return self._problems

    @property
    def has_ended(self) -> bool:
        """Whether nothing is waited for any more."""
        return not self._thread.is_alive()

    @property
    def holds_writers(self) -> bool:
        """Whether a writer waits: where the file cannot be written while its state is held."""
        return not (self._state.lets_write or self.has_ended)

    @property
    def is_owed(self) -> bool:
        """Whether something was written of which the state before is not backed up yet."""
        return self._is_written and not (self._is_stopped or self.has_ended)

    def before_write(self) -> None:
        """Takes notice that something is written now, and waits if it has to."""
        with self._lock:
            self._is_written = True
        if self.holds_writers:
            self.wait()
        self._check_writable()

    def wait(self, reporter: Reporter | None = None) -> None:
        """Waits until the file was looked at and backed up.

        Args:
            reporter: May stop the waiting, not the work.
        """
        while self._thread.is_alive():
            self._thread.join(_SECONDS_BETWEEN_REPORTS)
            (reporter or Silent()).advance(0, 1, self._path.name)
        self._check_writable()

    def stop(self, *, gives_up: bool = False) -> None:
        """Ends it, or waits for its end where something was written since.

        What nothing was written to can be backed up another time.
        """
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
        self._check_wanted()
        try:
            with file_errors_translated(str(self._path)):
                sqlite.check_content(self._state.connection, self._path)
        except EnvironmentProblem as error:
            self._failure = error
            return False
        except sqlite.DRIVER_ERRORS:
            self._check_wanted()
            raise
        return True

    def _copy(self) -> None:
        try:
            back_up(
                self._path,
                self._content,
                check=self._check_wanted,
                leaves_room=True,
                held=self._state,
            )
        except EnvironmentProblem as error:
            self._problems = (error.problem,)

    def _check_wanted(self) -> None:
        if self._is_stopped:
            raise Cancelled

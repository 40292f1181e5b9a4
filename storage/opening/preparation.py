"""What a large file waits for before it is first written to, done while people read it.

Its pages are looked at and a backup is made, as with every file; of a small one before it is open.
"""

from pathlib import Path
from threading import Lock, Thread
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from awase.core.errors import Cancelled, EnvironmentProblem, Problem
from awase.core.progress import Reporter, Silent
from awase.storage.databases import sqlite
from awase.storage.databases.access import translated
from awase.storage.opening.backups import back_up

LARGE_BYTES: Final = 64 * 1024 * 1024
"""Looking at so much and copying it takes about half a second."""
_SECONDS_BETWEEN_REPORTS: Final = 0.1


class Preparation:
    """Looks at a file's pages and backs the file up, on a thread of its own."""

    def __init__(self, path: Path, content: str) -> None:
        """Begins.

        Args:
            path: The file.
            content: Names what is in it, as `back_up` takes it.
        """
        self._path = path
        self._content = content
        self._is_stopped = False
        self._failure: EnvironmentProblem | None = None
        self._problems: tuple[Problem, ...] = ()
        self._lock = Lock()
        self._looking: Connection | None = None
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

    def wait(self, reporter: Reporter | None = None) -> None:
        """Waits until the file may be written.

        Args:
            reporter: May stop the waiting, not the work.

        Raises:
            Cancelled: The reporter asked to stop.
            EnvironmentProblem: It may not: it is damaged, or this was stopped.
        """
        while self._thread.is_alive():
            self._thread.join(_SECONDS_BETWEEN_REPORTS)
            (reporter or Silent()).advance(0, 1, self._path.name)
        if self._failure is not None:
            problem = self._failure.problem
            raise EnvironmentProblem(problem.what, problem.hint, **problem.fields)
        if self._is_stopped:
            raise EnvironmentProblem(
                "“{path}” was closed; nothing was changed.", "Open it again.", path=str(self._path)
            )

    def stop(self) -> None:
        """Ends it: nothing was written since, so that the backup can be made another time."""
        with self._lock:
            self._is_stopped = True
            if self._looking is not None:
                sqlite.interrupt(self._looking)
        self._thread.join()

    def _run(self) -> None:
        try:
            with translated(str(self._path)):
                self._look()
        except EnvironmentProblem as error:
            if not self._is_stopped:
                self._failure = error
            return
        except DBAPIError:  # interrupted
            return
        try:
            if not self._is_stopped:
                back_up(self._path, self._content, check=self._check, leaves_room=True)
        except Cancelled:
            return
        except EnvironmentProblem as error:
            self._problems = (error.problem,)

    def _look(self) -> None:
        engine = sqlite.engine_to_read(self._path)
        with engine.connect() as connection:
            with self._lock:
                if self._is_stopped:
                    return
                self._looking = connection
            try:
                sqlite.check_content(connection, self._path)
            finally:
                with self._lock:
                    self._looking = None

    def _check(self) -> None:
        if self._is_stopped:
            raise Cancelled

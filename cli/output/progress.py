"""Progress bar on standard error, for terminals and slow work only."""

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from awase.cli.output.messages import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

QUIET_S = 0.5  # work that is done by then is not shown


class ProgressBar:
    """A reporter; silent off a terminal, and for work under half a second.

    Where Ctrl+C stopped the work is always reported.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._is_for_people = sys.stderr.isatty()
        self._at = ""
        self._steps: tuple[int, int] | None = None
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._lock = threading.Lock()
        # Work without reports is shown, too.
        self._clock = threading.Timer(QUIET_S, self._start)
        self._clock.daemon = True

    def __enter__(self) -> Self:
        if self._is_for_people:
            self._clock.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._clock.cancel()
        with self._lock:
            self._is_for_people = False  # the clock may be about to start it
            if self._bar is not None:
                self._bar.stop()
        if kind is KeyboardInterrupt and self._at:
            say(f"{self._title} stopped at {self._at}.", err=True)

    def join(self) -> None:
        """Waits until a pending bar is shown; for tests."""
        if self._clock.is_alive():
            self._clock.join()

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Shows that `done` of `total` steps are done, now working on `what`."""
        self._at, self._steps = what, (done, total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, what=what)

    def _start(self) -> None:
        with self._lock:
            if self._is_for_people:
                self._show()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            TextColumn(self._title),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[what]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        done, total = self._steps or (0, None)
        self._task = bar.add_task(self._title, completed=done, total=total, what=self._at)
        self._bar = bar
        bar.start()

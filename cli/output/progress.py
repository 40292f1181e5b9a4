"""A progress bar on standard error, only for people and only when the work takes a while."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_QUIET_S = 0.5


class ProgressBar:
    """A reporter; nothing is shown off a terminal, nor for work of less than half a second.

    Where Ctrl+C ended the work, is always told.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._begin_s = time.monotonic()
        self._is_for_people = sys.stderr.isatty()
        self._at = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if kind is KeyboardInterrupt and self._at:
            click.echo(f"{self._title} stopped at {self._at}.", err=True)

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Shows that `done` of `total` steps are done, now working on `what`."""
        self._at = what
        if not self._is_for_people:
            return
        if self._bar is None and time.monotonic() - self._begin_s > _QUIET_S:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, what=what)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bar = Progress(
            TextColumn(self._title),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[what]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self._title, what="")
        self._bar.start()

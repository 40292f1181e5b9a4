"""Progress reports and cancellation."""

from typing import Protocol


class Reporter(Protocol):
    """Receives progress; the caller decides what to show."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports that `done` of `total` steps are done, now working on `what`."""
        ...


class OneOfSeveral:
    """Progress of one of several pieces of equal size."""

    def __init__(self, reporter: Reporter, idx: int, n: int) -> None:
        """Reports as piece `idx` (from 0) of `n`."""
        self._reporter, self._idx, self._n = reporter, idx, n

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports the progress within the whole."""
        self._reporter.advance(self._idx * total + done, self._n * total, what)


class Silent:
    """Shows nothing and never stops the work."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Ignores progress."""

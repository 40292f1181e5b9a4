"""Progress reports, cancellation, and batching."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar


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


_Item = TypeVar("_Item")


def batches(items: Iterable[_Item], n_items: int) -> Iterator[list[_Item]]:
    """Yields lists of `n_items` items; the last may be shorter.

    >>> [*batches("abcde", 2)]
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while some := [*islice(rest, n_items)]:
        yield some

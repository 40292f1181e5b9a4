"""Long work: progress, cancellation, batches, and the garbage collector out of the way."""

import atexit
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import current_thread, main_thread
from typing import Final, Protocol, TypeVar


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


_NEW_OBJECTS: Final = 100_000


def search_seldom() -> None:
    """Raises the collector's thresholds, and skips it at exit, for one-shot commands."""
    # Records have no cycles; collecting took a tenth of the time of scoring 57,450 pairs.
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disables the collector within the block, on the main thread only.

    Records and scores have no cycles; collecting took a fifth of the time of loading a corpus, and
    a tenth of that of scoring its extracts. Objects from within the block count as old afterwards.
    """
    # The collector is one for all threads: another one would enable it for whoever disabled it
    # meanwhile, as the window does for good.
    is_ours = gc.isenabled() and current_thread() is main_thread()
    if is_ours:
        gc.disable()
    try:
        yield
    finally:
        if is_ours:
            _count_all_as_old()
            gc.enable()


def _count_all_as_old() -> None:
    """Moves all new objects to the oldest generation."""
    # The next collection alone took a tenth of the time from files to a table. Skipped where
    # objects are frozen for good, as that would unfreeze them; counting those is slow, so it is
    # checked last.
    if gc.get_threshold()[0] == _NEW_OBJECTS and gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()

"""Batching of iterables."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_Item = TypeVar("_Item")


def batches(items: Iterable[_Item], n_items: int) -> Iterator[list[_Item]]:
    """Yields lists of `n_items` items; the last may be shorter.

    >>> [*batches("abcde", 2)]
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while some := [*islice(rest, n_items)]:
        yield some

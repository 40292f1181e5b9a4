"""h alone, or bounds on it: no cover, no sets, which take several times as long to make."""

from array import array
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from awase.core.kernel.binding import Kernel, KernelError, kernel
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.engines.compiled import STEPS_A_PART, STEPS_BEFORE_CORE
from awase.core.solvers.cover.presolve import need_of_masks, presolve, without_implied
from awase.core.solvers.cover.problem import CoverProblem
from awase.core.solvers.cover.solving import minimal_cover
from awase.core.solvers.masks import items_of

_MANY_NEEDS = 2_000
"""Of more needs than this even bounds take long."""

_EASY_STEPS = 8_000
"""Steps of the kernel for an easy problem: less than a frame of the window (16 ms)."""

_NO_LIMIT = 1 << 50
_WIDE = 8
_UPPER, _LOWER = 32, (1 << 32) - 1


class CoverSize(NamedTuple):
    """What is known of h.

    Attributes:
        lower: h is at least this.
        upper: h is at most this.
    """

    lower: int
    upper: int


def cover_size(needs: Sequence[Sequence[Collection[int]]]) -> CoverSize | None:
    """Returns h of `minimal_cover`, as two equal bounds; None = there is no cover.

    Args:
        needs: The alternatives of each, each a collection of items in 0..65535.

    Raises:
        ValueError: An alternative is empty, or an item is out of range.
    """
    library = kernel()
    if library is not None:
        try:
            size = _size_by_kernel(library, needs, _NO_LIMIT)
        except (KernelError, OverflowError):
            _problem_of(needs)
            raise
        if size is None or size.lower == size.upper:
            return size
    answer = minimal_cover(_problem_of(needs), max_covers=0)
    if answer.lower is None or answer.upper is None:
        return None
    return CoverSize(answer.lower, answer.upper)


def easy_size(needs: Sequence[tuple[Sequence[int], int]]) -> int | None:
    """Returns h where it takes next to no search, as it nearly always does, else None.

    Args:
        needs: The alternatives of each as bits, at least one, none empty; and all their items.
    """
    if len(needs) > _MANY_NEEDS:
        return None
    library = kernel()
    if library is not None:
        lists = [[*map(items_of, masks)] for masks, _ in needs]
        found = _size_by_kernel(library, lists, _EASY_STEPS)
        return found.upper if found is not None and found.lower == found.upper else None
    presolved = presolve([need_of_masks(masks, union) for masks, union in needs])
    size = presolved.forced.bit_count()
    for component in presolved.components:
        for leaf in without_implied(component):
            bounds = bounds_of(leaf)
            upper = bounds.cover.bit_count()
            if upper > sum([n_items for _, n_items in bounds.steps]):
                return None
            size += upper
    return size


def _problem_of(needs: Sequence[Sequence[Collection[int]]]) -> CoverProblem:
    return CoverProblem(needs=tuple(tuple(map(frozenset, need)) for need in needs))


def _size_by_kernel(
    library: Kernel, needs: Sequence[Sequence[Collection[int]]], steps: int
) -> CoverSize | None:
    alternatives = [*chain.from_iterable(needs)]
    # One list and one row: each call of Python's costs as much as ten items.
    given = [len(needs), len(alternatives), *map(len, needs), *map(len, alternatives)]
    given += chain.from_iterable(alternatives)
    try:
        row, width = bytes(bytearray(given)), 1  # a third of the time of bytes of a list
    except ValueError:  # a number is above 255
        row, width = array("q", given).tobytes(), _WIDE
    size = library.cover_size(row, len(row), width, steps, STEPS_A_PART, STEPS_BEFORE_CORE)
    return None if size is None else CoverSize(size & _LOWER, size >> _UPPER)

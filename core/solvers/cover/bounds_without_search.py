"""Bounds on h without search: a greedy cover from above, needs counted apart from below."""

from collections.abc import Callable, Iterable, Sequence

from awase.core.solvers.cover.component import Bounds
from awase.core.solvers.cover.presolve import Component, MaskedNeed
from awase.core.solvers.masks import items_of

Steps = tuple[tuple[MaskedNeed, int], ...]

_FEW_NEEDS = 60
"""Up to here an order that compares every two needs is affordable."""


def bounds_of(component: Component) -> Bounds:
    """Returns bounds on the size of a minimal cover of `component`.

    Takes a few microseconds for each alternative.
    """
    unions = []
    for need in component:
        union = 0
        for mask in need:
            union |= mask
        unions.append(union)
    everything = 0
    for union in unions:
        everything |= union
    steps = _most_steps(component, unions)
    lower = sum([n_items for _, n_items in steps])
    cover = _prune(_greedy(component, 0), component, unions)
    if cover.bit_count() > lower:
        again = _prune(_greedy(component[::-1], cover), component, unions)
        cover = min(cover, again, key=int.bit_count)
    return Bounds(cover, steps, everything)


def rough_bounds_of(component: Component) -> Bounds:
    """Returns wider bounds in a tenth of the time: one greedy cover, needs in one order."""
    pairs = []
    everything = 0
    for need in component:
        union = 0
        for mask in need:
            union |= mask
        everything |= union
        pairs.append((need, union))
    return Bounds(_greedy(component, 0), steps_in_order(pairs), everything)


def _most_steps(component: Component, unions: Sequence[int]) -> Steps:
    """Returns the best lower bound of a few orders in which needs are counted."""
    pairs = list(zip(component, unions, strict=True))
    orders: list[Callable[[tuple[MaskedNeed, int]], tuple[int, ...]]] = [
        lambda pair: (pair[1].bit_count(),),
        lambda pair: (len(pair[0]), pair[1].bit_count()),
    ]
    if len(component) <= _FEW_NEEDS:
        orders.append(lambda pair: (sum([1 for union in unions if union & pair[1]]),))
    return max([steps_in_order(sorted(pairs, key=order)) for order in orders], key=_total)


def _total(steps: Steps) -> int:
    return sum([n_items for _, n_items in steps])


def steps_in_order(pairs: Iterable[tuple[MaskedNeed, int]]) -> Steps:
    """Returns how many new items each of (need, its items) asks for, where it asks for any.

    A need that asks for nothing new leaves its items to the later ones.
    """
    counted = 0
    steps = []
    for need, union in pairs:
        n_items = min([(mask & ~counted).bit_count() for mask in need])
        if n_items:
            steps.append((need, n_items))
            counted |= union
    return tuple(steps)


def _greedy(component: Component, liked: int) -> int:
    """Returns a cover: need by need the alternative that adds least, fewest choices first.

    Of those the one with most items in `liked`, then in several needs.
    """
    often = seen = 0
    for need in component:
        for mask in need:
            often |= seen & mask
            seen |= mask
    cover = 0
    for need in sorted(component, key=len):
        cover |= min(
            need,
            key=lambda mask: (
                (mask & ~cover).bit_count(),
                -(mask & liked).bit_count(),
                -(mask & often).bit_count(),
            ),
        )
    return cover


def _prune(cover: int, component: Component, unions: Sequence[int]) -> int:
    """Returns `cover` without the items that can be left out one after the other."""
    indispensable = 0
    for need in component:
        common = -1
        for mask in need:
            if mask & cover == mask:
                common &= mask
        indispensable |= common
    for item in items_of(cover & ~indispensable):
        bit = 1 << item
        touched = [need for need, union in zip(component, unions, strict=True) if union & bit]
        if all(_is_met(need, cover & ~bit) for need in touched):
            cover &= ~bit
    return cover


def _is_met(need: MaskedNeed, cover: int) -> bool:
    return any(mask & cover == mask for mask in need)

"""The answer for one component, and how an engine completes it once it knows h.

Every engine finds one minimal cover, then answers questions about the others through
`OptimalCovers`; `classify` asks them. Masks are bits as in `presolve`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from awase.core.solvers.cover.presolve import MaskedNeed
from awase.core.solvers.effort import EffortSpent


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a component without search.

    Attributes:
        cover: A cover, not always a minimal one.
        steps: Needs, each with the number of items that it asks for beyond the items of the needs
            before it; their sum is a lower bound.
        union: All items of the component.
    """

    cover: int
    steps: tuple[tuple[MaskedNeed, int], ...]
    union: int

    @property
    def lower(self) -> int:
        """The size that every cover has at least."""
        return sum([n_items for _, n_items in self.steps])


@dataclass(frozen=True, slots=True)
class ComponentCover:
    """What is known of the minimal covers of a component.

    Attributes:
        lower: No cover is smaller; equal to the size of `cover` when that is minimal.
        cover: The smallest cover known.
        every: Items known to be in every minimal cover.
        possible: Items not known to be missing from every minimal cover.
        complete: Whether `cover` is minimal and `every` and `possible` are exact.
        n_covers: Number of minimal covers found.
        n_covers_exact: Whether there are no others.
        steps: The readable lower bound, as in `Bounds`.
    """

    lower: int
    cover: int
    every: int
    possible: int
    complete: bool
    n_covers: int
    n_covers_exact: bool
    steps: tuple[tuple[MaskedNeed, int], ...]

    def is_settled(self, max_covers: int) -> bool:
        """Returns whether all that was asked for is known; with no covers h is enough."""
        return self.complete or (not max_covers and self.lower == self.cover.bit_count())


class OptimalCovers(Protocol):
    """Finds minimal covers of a component whose h is known."""

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        ...

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        ...

    def block(self, cover: int) -> None:
        """Leaves `cover` out of all later answers of `another`."""
        ...

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        ...


def unsolved(bounds: Bounds, lower: int) -> ComponentCover:
    """Returns what is known when the search for h stopped early.

    Args:
        bounds: Known before the search.
        lower: h is at least that, by the search; 0 = it found out nothing.
    """
    return ComponentCover(
        lower=max(lower, bounds.lower),
        cover=bounds.cover,
        every=0,
        possible=bounds.union,
        complete=False,
        n_covers=0,
        n_covers_exact=False,
        steps=bounds.steps,
    )


def size_alone(minimal: int, bounds: Bounds) -> ComponentCover:
    """Returns what is known when h was all that was asked for, and `minimal` is a cover of h."""
    return replace(unsolved(bounds, minimal.bit_count()), cover=minimal)


def from_all_covers(covers: Iterable[int], bounds: Bounds, max_covers: int) -> ComponentCover:
    """Returns the answer of an engine that has found all minimal covers.

    Args:
        covers: Bit sets, at least one.
        bounds: Known before the search.
        max_covers: Beyond it their number is told as a lower bound; 0 = h is enough.
    """
    found = list(covers)
    if not max_covers:
        return size_alone(found[0], bounds)
    every, possible = found[0], 0
    for cover in found:
        every &= cover
        possible |= cover
    first = first_cover(found)
    return ComponentCover(
        lower=first.bit_count(),
        cover=first,
        every=every,
        possible=possible,
        complete=True,
        n_covers=min(len(found), max_covers),
        n_covers_exact=len(found) <= max_covers,
        steps=bounds.steps,
    )


def classify(
    covers: OptimalCovers, minimal: int, bounds: Bounds, max_covers: int
) -> ComponentCover:
    """Returns the answer of an engine that has found the minimal cover `minimal`.

    When the effort is spent on the way, what is known by then is returned.

    Args:
        covers: Answers questions about the other ones.
        minimal: A bit set.
        bounds: Known before the search.
        max_covers: So many are looked for, to tell how many there are; 0 = h is enough.
    """
    if not max_covers:
        return size_alone(minimal, bounds)
    found = {minimal}
    every, possible, complete, exact = minimal, minimal, False, False
    try:
        while unseen := bounds.union & ~possible:
            if (cover := covers.holding(unseen)) is None:
                break
            found.add(cover)
            every &= cover
            possible |= cover
        while every and (cover := covers.lacking(every)) is not None:
            found.add(cover)
            every &= cover
        complete = True
        exact = _find_others(covers, found, max_covers)
    except EffortSpent:
        pass
    return ComponentCover(
        lower=minimal.bit_count(),
        cover=first_cover(found),
        every=every if complete else 0,
        possible=possible if complete else bounds.union,
        complete=complete,
        n_covers=min(len(found), max_covers),
        n_covers_exact=exact,
        steps=bounds.steps,
    )


def _find_others(covers: OptimalCovers, found: set[int], max_covers: int) -> bool:
    """Adds covers to `found`; returns whether they are all, and no more than `max_covers`."""
    if len(found) > max_covers:
        return False
    for cover in found:
        covers.block(cover)
    while (another := covers.another()) is not None:
        found.add(another)
        if len(found) > max_covers:
            return False
        covers.block(another)
    return True


def first_cover(covers: Iterable[int]) -> int:
    """Returns the one of equally large covers whose sorted items come first."""
    remaining = iter(covers)
    first = next(remaining)
    for cover in remaining:
        differing = first ^ cover
        if differing & -differing & cover:
            first = cover
    return first

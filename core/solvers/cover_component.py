"""The answer for one component: classification of minimal covers, and a search for small ones.

MaxSAT and ILP find one minimal cover, then answer questions about others (`OptimalCovers`), which
`classify` asks. Masks are bits as in `cover`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from awase.core.solvers.cover import (
    Bounds,
    Component,
    Effort,
    EffortSpent,
    MaskedNeed,
    steps_in_order,
)


@dataclass(frozen=True, slots=True)
class ComponentCover:
    """Minimal covers of a component, as far as known."""

    lower: int  # no cover is smaller; equal to the size of `cover` when that is minimal
    cover: int
    every: int
    possible: int  # items possibly in some minimal cover
    complete: bool  # whether `cover` is minimal and `every` and `possible` are exact
    n_covers: int
    n_covers_exact: bool
    steps: tuple[tuple[MaskedNeed, int], ...]  # the readable lower bound, as in `Bounds`

    def is_final(self, max_covers: int) -> bool:
        """Returns whether more effort would change nothing; with 0 covers h is enough."""
        if not max_covers:
            return self.complete or self.lower == self.cover.bit_count()
        return self.complete and (self.n_covers_exact or self.n_covers >= max_covers)


OnNews = Callable[[ComponentCover], None]  # receives better bounds of a running engine


def ignore_news(_: ComponentCover) -> None:
    """Ignores progress."""


class OptimalCovers(Protocol):
    """Finds minimal covers of a component with known h."""

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        ...

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        ...

    def block(self, cover: int) -> None:
        """Excludes `cover` from later answers of `another`."""
        ...

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        ...


def unsolved(bounds: Bounds, lower: int) -> ComponentCover:
    """Returns the result of a search for h that stopped early, with `lower` bound (0 = none)."""
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
    """Returns the result when only h was requested."""
    return replace(unsolved(bounds, minimal.bit_count()), cover=minimal)


def from_all_covers(covers: Iterable[int], bounds: Bounds, max_covers: int) -> ComponentCover:
    """Returns the result from all minimal covers, as bit sets.

    More than `max_covers` are counted as a lower bound; 0 = h is enough.
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
    """Returns the result from one minimal cover, partial when the effort is spent.

    Up to `max_covers` are counted; 0 = h is enough.
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
    """Adds covers to `found`; returns whether they are all, within `max_covers`."""
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
    """Returns the lexicographically first of equally large covers."""
    remaining = iter(covers)
    first = next(remaining)
    for cover in remaining:
        differing = first ^ cover
        if differing & -differing & cover:
            first = cover
    return first


_CROWD = 64  # from so many states on it pays to look for dominated ones


def solve_by_search(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    """Returns the minimal covers of `component`, or the bounds when the effort is spent."""
    try:
        covers = all_minimal_covers(component, bounds, effort)
    except EffortSpent:
        return unsolved(bounds, 0)
    return from_all_covers(covers, bounds, max_covers)


def all_minimal_covers(component: Component, bounds: Bounds, effort: Effort) -> list[int]:
    """Returns all minimal covers, as bit sets, breadth first; `EffortSpent` if they are too many.

    A state is the union of the alternatives chosen so far. One that already meets the next need
    stays; otherwise each alternative of the need makes a new state. Every minimal cover C is
    reached: from a state inside C, the next need either is met or has an alternative inside C.
    States that cannot end at the size of a known cover are dropped, ties never.
    """
    # Pure Python, yet a realistic problem takes a third of the time of MaxSAT.
    effort.spend(2 * len(component) ** 2)
    order = _connected_order(component)
    room, later = _room(order, bounds.cover.bit_count())
    states = [0]
    for need_idx, (need, _) in enumerate(order):
        limit = room[need_idx]
        following: set[int] = set()
        for state in states:
            for mask in need:
                if mask & state == mask:
                    following.add(state)
                    break
            else:
                for mask in need:
                    following.add(state | mask)
        effort.spend(len(states) + len(following))
        states = [state for state in following if state.bit_count() <= limit]
        if len(states) > _CROWD:
            states = _undominated(states, later[need_idx])
    h = min([state.bit_count() for state in states])
    return [state for state in states if state.bit_count() == h]


def _connected_order(component: Component) -> list[tuple[MaskedNeed, int]]:
    """Orders (need, its items) so that connected needs are close."""
    left = []
    for need in component:
        union = 0
        for mask in need:
            union |= mask
        left.append((need, union))
    order = []
    seen = 0
    while left:
        best = min(left, key=lambda pair: (pair[1] & ~seen).bit_count() * 8 + len(pair[0]))
        left.remove(best)
        order.append(best)
        seen |= best[1]
    return order


def _room(order: list[tuple[MaskedNeed, int]], upper: int) -> tuple[list[int], list[int]]:
    """Returns each state's size limit by need, and the items of later needs."""
    n_needs = len(order)
    seen, later = [0] * n_needs, [0] * n_needs
    for need_idx in range(1, n_needs):
        seen[need_idx] = seen[need_idx - 1] | order[need_idx - 1][1]
    for need_idx in range(n_needs - 2, -1, -1):
        later[need_idx] = later[need_idx + 1] | order[need_idx + 1][1]
    room = []
    for need_idx in range(n_needs):
        before = seen[need_idx] | order[need_idx][1]
        unseen = [
            (tuple([mask & ~before for mask in need]), union & ~before)
            for need, union in order[need_idx + 1 :]
        ]
        unseen.sort(key=lambda pair: pair[1].bit_count())
        room.append(upper - sum([n_items for _, n_items in steps_in_order(unseen)]))
    return room, later


def _undominated(states: list[int], later: int) -> list[int]:
    """Returns the states not dominated in the items of later needs."""
    smallest: dict[int, int] = {}
    for state in states:
        shown, size = state & later, state.bit_count()
        if smallest.get(shown, size) >= size:
            smallest[shown] = size
    return [state for state in states if smallest[state & later] == state.bit_count()]

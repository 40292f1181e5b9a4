"""Engine `search`: all minimal covers of a small component, breadth first over its needs.

A state is the union of the alternatives chosen so far. A state that already meets the next need
stays as it is; otherwise each alternative of the need makes a new state. Every minimal cover C is
reached: from a state inside C, the next need either is met or has an alternative inside C. States
that cannot end at the size of a known cover are dropped, ties never.

Pure Python, yet a realistic problem of small components takes a third of the time of MaxSAT.
"""

from awase.core.solvers.cover.bounds_without_search import steps_in_order
from awase.core.solvers.cover.component import Bounds, ComponentCover, from_all_covers, unsolved
from awase.core.solvers.cover.presolve import Component, MaskedNeed
from awase.core.solvers.effort import Effort, EffortSpent

_CROWD = 64
"""From so many states on it pays to look for dominated ones."""


def solve_by_search(
    component: Component, bounds: Bounds, effort: Effort, max_covers: int
) -> ComponentCover:
    """Returns the minimal covers of `component`, or the bounds when the effort is spent."""
    try:
        covers = all_minimal_covers(component, bounds, effort)
    except EffortSpent:
        return unsolved(bounds, 0)
    return from_all_covers(covers, bounds, max_covers)


def all_minimal_covers(component: Component, bounds: Bounds, effort: Effort) -> list[int]:
    """Returns all minimal covers, as bit sets.

    Raises:
        EffortSpent: The search is too large.
    """
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
    """Returns (need, its items), each need as close as possible to those before it."""
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
    """Returns how large a state may be after each need, and the items of the needs after it."""
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
    """Returns the states that no smaller one matches in the items of the needs to come."""
    smallest: dict[int, int] = {}
    for state in states:
        shown, size = state & later, state.bit_count()
        if smallest.get(shown, size) >= size:
            smallest[shown] = size
    return [state for state in states if smallest[state & later] == state.bit_count()]

"""Budgeted coverage the greedy way: fast, and how wrong it is the exact way shows."""

import heapq
from collections.abc import Mapping, Sequence

from awase.core.solvers.budget.problem import BudgetProblem, Chosen

BY_GAIN, BY_RATE = "gain", "rate"
RULES = (BY_GAIN, BY_RATE)


def gains_alone(problem: BudgetProblem) -> list[int]:
    """Returns what each unit adds to nothing."""
    return [_gain(of_unit, problem.caps) if of_unit else 0 for of_unit in problem.gains]


def greedy(problem: BudgetProblem, rule: str, alone: Sequence[int] | None = None) -> Chosen:
    """Returns the set that takes, again and again, the unit that fits and adds most.

    Args:
        problem: Any.
        rule: `gain` = what a unit adds (so PreSumm makes its oracles), `rate` = that by length;
            of equals the earliest.
        alone: As `gains_alone` returns it, where both rules are asked for.

    Raises:
        ValueError: There is no such rule.
    """
    if rule not in RULES:
        raise ValueError(f"no rule {rule!r}")
    left, gains, lengths = list(problem.caps), problem.gains, problem.lengths
    per = [1] * len(lengths) if rule == BY_GAIN else lengths
    room = problem.limit
    # Gains only shrink, so a unit on top with its gain as of now is the best there is.
    heap = [
        (-gain / per[unit], unit)
        for unit, gain in enumerate(gains_alone(problem) if alone is None else alone)
        if gain and lengths[unit] <= room
    ]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap:
        old, unit = heap[0]
        now = -_gain(gains[unit], left) / per[unit] if lengths[unit] <= room else 0.0
        if now > old or not now:
            if now:
                heapq.heapreplace(heap, (now, unit))
            else:
                heapq.heappop(heap)
            continue
        heapq.heappop(heap)
        chosen.append(unit)
        room -= lengths[unit]
        for feature, count in gains[unit].items():
            left[feature] = max(0, left[feature] - count)
    return tuple(sorted(chosen))


def _gain(of_unit: Mapping[int, int], left: Sequence[int]) -> int:
    gain = 0
    for feature, count in of_unit.items():
        room = left[feature]
        gain += count if count < room else room
    return gain

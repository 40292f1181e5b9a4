"""Budgeted coverage the greedy way: fast, and how wrong it is the exact way shows."""

import heapq

from awase.core.solvers.budget.problem import BudgetProblem, Chosen

BY_GAIN, BY_RATE = "gain", "rate"
RULES = (BY_GAIN, BY_RATE)


def greedy(problem: BudgetProblem, rule: str) -> Chosen:
    """Returns the set that takes, again and again, the unit that fits and adds most.

    Args:
        problem: Any.
        rule: `gain` = what a unit adds (so PreSumm makes its oracles), `rate` = that by length;
            of equals the earliest.

    Raises:
        ValueError: There is no such rule.
    """
    if rule not in RULES:
        raise ValueError(f"no rule {rule!r}")
    left = list(problem.caps)

    def gain_of(unit: int) -> int:
        return sum(min(count, left[f]) for f, count in problem.gains[unit].items())

    def worth(unit: int, gain: int) -> float:
        return gain if rule == BY_GAIN else gain / problem.lengths[unit]

    # Gains only shrink, so a unit on top with its gain as of now is the best there is.
    heap = [(-worth(unit, gain_of(unit)), unit) for unit in range(len(problem.lengths))]
    heapq.heapify(heap)
    room = problem.limit
    chosen: list[int] = []
    while heap:
        old, unit = heapq.heappop(heap)
        if problem.lengths[unit] > room:
            continue
        now = -worth(unit, gain_of(unit))
        if now == 0:
            continue
        if now > old:
            heapq.heappush(heap, (now, unit))
            continue
        chosen.append(unit)
        room -= problem.lengths[unit]
        for feature, count in problem.gains[unit].items():
            left[feature] = max(0, left[feature] - count)
    return tuple(sorted(chosen))

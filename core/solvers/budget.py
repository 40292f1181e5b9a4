"""Budgeted coverage: choose units within a limit so that as much as possible is covered.

    maximise    sum over features f of min(caps[f], sum of gains[u][f] over the chosen u)
    subject to  sum of lengths[u] over the chosen u <= limit

Ties: least length first, then lexicographic order: (0, 5) before (1, 2) before (1, 3).
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from awase.core.solvers.cover import Status

Chosen = tuple[int, ...]  # units in ascending order

# Receives the best value so far and its bound; raising stops the work.
OnNews = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetProblem:
    """A budgeted coverage problem."""

    lengths: Sequence[int]  # of each unit, at least 1
    # Of each unit: feature to how often the unit has it, at least 1.
    gains: Sequence[Mapping[int, int]]
    caps: Sequence[int]  # of each feature: how often it counts at most, at least 1
    limit: int  # of the total length, from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetAnswer:
    """A set of units, and whether it is proved to be the best."""

    status: Status  # OPTIMAL when no set has a higher value; TIMED_OUT when that is not proved
    chosen: Chosen
    value: int
    length: int
    upper: int
    # Whether, of the sets of this value, it is proved to be the shortest and, of those, the first.
    is_settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Optima:
    """The optimal sets from which no unit can be left out without loss."""

    sets: tuple[Chosen, ...]  # by length, then in the order of their units
    are_all: bool


def value_of(problem: BudgetProblem, chosen: Sequence[int]) -> int:
    """Returns the value of a set, counted from the definition."""
    return sum(
        [min(problem.caps[feature], count) for feature, count in _covered(problem, chosen).items()]
    )


def _covered(problem: BudgetProblem, chosen: Sequence[int]) -> dict[int, int]:
    """Returns the set's count of each feature."""
    covered: dict[int, int] = {}
    for unit in chosen:
        for feature, count in problem.gains[unit].items():
            covered[feature] = covered.get(feature, 0) + count
    return covered


def length_of(problem: BudgetProblem, chosen: Sequence[int]) -> int:
    """Returns the total length of a set."""
    return sum(problem.lengths[unit] for unit in chosen)


def verified(
    problem: BudgetProblem,
    status: Status,
    chosen: Sequence[int],
    upper: int,
    *,
    is_settled: bool = False,
) -> BudgetAnswer:
    """Recounts a solver's set; `RuntimeError` if it is infeasible, repetitive or above `upper`."""
    ordered = tuple(sorted(chosen))
    value, length = value_of(problem, ordered), length_of(problem, ordered)
    if length > problem.limit or len({*ordered}) != len(ordered) or value > upper:
        raise RuntimeError(
            f"a solver's answer is wrong: length {length} of {problem.limit}, value {value} of at "
            f"most {upper}, units {ordered}"
        )
    if status is Status.OPTIMAL and value != upper:
        raise RuntimeError(f"a solver claims {upper} and has {value}: units {ordered}")
    return BudgetAnswer(
        status=status,
        chosen=ordered,
        value=value,
        length=length,
        upper=upper,
        is_settled=is_settled,
    )


def irredundant(problem: BudgetProblem, chosen: Sequence[int]) -> Chosen:
    """Drops idle units, the longest first."""
    kept = sorted(chosen)
    value = value_of(problem, kept)
    for unit in sorted(kept, key=lambda unit: (-problem.lengths[unit], -unit)):
        rest = [other for other in kept if other != unit]
        if value_of(problem, rest) == value:
            kept = rest
    return tuple(kept)


def is_irredundant(problem: BudgetProblem, chosen: Sequence[int]) -> bool:
    """Returns whether no unit can be left out without loss."""
    covered, caps = _covered(problem, chosen), problem.caps
    return all(
        any(covered[feature] - count < caps[feature] for feature, count in gains.items())
        for gains in [problem.gains[unit] for unit in chosen]
    )


BY_GAIN, BY_RATE = "gain", "rate"
RULES = (BY_GAIN, BY_RATE)


def gains_alone(problem: BudgetProblem) -> list[int]:
    """Returns each unit's gain alone."""
    return [_gain(of_unit, problem.caps) if of_unit else 0 for of_unit in problem.gains]


def greedy(problem: BudgetProblem, rule: str, alone: Sequence[int] | None = None) -> Chosen:
    """Returns the greedy set, the earliest of equals; `alone` from `gains_alone`, if at hand.

    The rule `gain` = by gain (as PreSumm makes its oracles), `rate` = by gain per length.
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

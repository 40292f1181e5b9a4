"""Budgeted coverage by integer programming: exact, ties included, on every machine.

    maximise    sum own_u x_u + sum weight_g z_g
    subject to  z_g <= sum count_gu x_u for each group, sum length_u x_u <= limit,
                x binary, 0 <= z_g <= cap_g

z may be continuous. After the highest value, the least length is proved, then the first set of
that length: units in order, in batches weighted by powers of two.

Reductions that keep the best set: units longer than the limit or without gain are dropped. A
feature that cannot reach its cap twice over, such as one of a single unit, becomes a plain gain of
its units; features with equal counts merge into one with a weight. Where only the best set is
wanted, a unit dominated by a shorter (or equally long and earlier) one is dropped, too.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from awase.core.solvers.budget import (
    RULES,
    BudgetAnswer,
    BudgetProblem,
    Chosen,
    OnNews,
    greedy,
    irredundant,
    length_of,
    value_of,
    verified,
)
from awase.core.solvers.cover import Status
from awase.core.solvers.ilp import WHOLE, Expression, Program, is_one, total

_TOLERANCE = 1e-6
_UNITS_AT_ONCE = 15  # of more, the powers of two are too far apart for CBC's tolerance


def solve_by_ilp(
    problem: BudgetProblem,
    time_limit_s: float | None,
    on_news: OnNews,
    known: BudgetAnswer | None = None,
) -> BudgetAnswer:
    """Returns the best set: highest value, then least length, then earliest units.

    Args:
        time_limit_s: Seconds in total; None = no limit. Afterwards the answer is TIMED_OUT, with a
            bound, or lacks `is_settled`.
        on_news: Receives bounds some ten times a second.
    """
    small = reduced(problem, keeps_ties=False)
    if not small.units:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    best = known or _greedy_answer(problem)

    def on_bound(bound: float) -> None:
        on_news(best.value, _whole(bound, best.upper))

    program = _BudgetProgram(small, Program(time_limit_s, on_bound))
    if best.status is not Status.OPTIMAL:
        status, bound = program.maximise(program.value)
        upper = _whole(bound, best.upper)
        if status in (Status.OPTIMAL, Status.FEASIBLE):
            chosen = irredundant(problem, program.chosen())
            if value_of(problem, chosen) > best.value or status is Status.OPTIMAL:
                best = verified(problem, Status.TIMED_OUT, chosen, upper)
        if status is not Status.OPTIMAL:
            return verified(problem, Status.TIMED_OUT, best.chosen, max(upper, best.value))
    if not best.value:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    try:
        first = program.first_of(best.value)
    except TimeoutError:
        return verified(problem, Status.OPTIMAL, best.chosen, best.value)
    return verified(problem, Status.OPTIMAL, first, best.value, is_settled=True)


def optima_by_ilp(
    problem: BudgetProblem,
    value: int,
    max_sets: int,
    time_limit_s: float | None,
    on_news: OnNews,
) -> tuple[list[Chosen], bool]:
    """Returns irredundant sets of the highest value, and whether they are all."""
    # A solution is reduced until nothing is idle; then it and its supersets are excluded.
    small = reduced(problem, keeps_ties=True)
    program = _BudgetProgram(small, Program(time_limit_s, lambda _: on_news(value, value)))
    place = {unit: idx for idx, unit in enumerate(small.units)}
    sets: list[Chosen] = []
    try:
        while (found := program.another(value)) is not None:
            if len(sets) == max_sets:
                return sets, False
            sets.append(irredundant(problem, found))
            program.exclude([place[unit] for unit in sets[-1]])
    except TimeoutError:
        return sets, False
    return sets, True


def _greedy_answer(problem: BudgetProblem) -> BudgetAnswer:
    sets = [irredundant(problem, greedy(problem, rule)) for rule in RULES]
    best = min(sets, key=lambda s: (-value_of(problem, s), length_of(problem, s), s))
    return verified(problem, Status.TIMED_OUT, best, sum(problem.caps))


def _whole(bound: float, upper: int) -> int:
    return upper if math.isinf(bound) else min(upper, math.floor(bound + _TOLERANCE))


class _BudgetProgram:
    """The program of one reduced problem."""

    def __init__(self, problem: "ReducedProblem", program: Program) -> None:
        self._problem = problem
        self._program = program
        x = self._x = [program.binary() for _ in problem.units]
        gains = [own * one for own, one in zip(problem.own, x, strict=True) if own]
        for group in problem.groups:
            z = program.number(group.cap)
            program.require(z <= total(count * x[unit] for unit, count in group.counts))
            gains.append(group.weight * z)
        self.value: Expression = total(gains)
        self._length = total(n * one for n, one in zip(problem.lengths, x, strict=True))
        program.require(self._length <= problem.limit)

    def maximise(self, objective: Expression) -> tuple[Status, float]:
        return self._program.maximise(objective, WHOLE)

    def chosen(self) -> Chosen:
        """Returns the units of the last solution, as the problem numbers them."""
        return tuple(
            unit for unit, one in zip(self._problem.units, self._x, strict=True) if is_one(one)
        )

    def exclude(self, places: Sequence[int]) -> None:
        """Admits neither this set nor a superset of it from now on."""
        self._program.require(total(self._x[place] for place in places) <= len(places) - 1)

    def another(self, value: int) -> Chosen | None:
        """Returns an admissible set of the highest value, None without any; `TimeoutError`."""
        self._maximised(self.value)
        chosen = self.chosen()
        reached = sum(
            own for own, one in zip(self._problem.own, self._x, strict=True) if is_one(one)
        )
        reached += sum(
            group.weight * min(group.cap, sum(n for at, n in group.counts if is_one(self._x[at])))
            for group in self._problem.groups
        )
        return chosen if reached == value else None

    def first_of(self, value: int) -> Chosen:
        """Returns the shortest and, of those, first set of the highest value; `TimeoutError`."""
        lengths, x = self._problem.lengths, self._x
        self._program.require(self.value >= value - 0.5)
        chosen = self._maximised(-self._length)
        left = sum(n for n, one in zip(lengths, x, strict=True) if is_one(one))
        self._program.require(self._length <= left)
        for begin in range(0, len(x), _UNITS_AT_ONCE):
            part = range(begin, min(begin + _UNITS_AT_ONCE, len(x)))
            powers = [1 << n for n in range(len(part))][::-1]
            chosen = self._maximised(total(n * x[at] for n, at in zip(powers, part, strict=True)))
            for place in part:
                is_in = is_one(x[place])
                self._program.require(x[place] == int(is_in))
                left -= is_in * lengths[place]
            if not left:
                break
        return chosen

    def _maximised(self, objective: Expression) -> Chosen:
        status, _ = self.maximise(objective)
        if status is Status.INFEASIBLE:
            raise RuntimeError("CBC found no set of a value that it had found")
        if status is not Status.OPTIMAL:
            raise TimeoutError
        return self.chosen()


Gains = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Features with the same cap that the same units have equally often."""

    weight: int
    cap: int
    # (unit, how often it has each); units are indices of the reduced problem.
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReducedProblem:
    """A reduced problem."""

    units: tuple[int, ...]  # index in the problem of each unit left, ascending
    lengths: tuple[int, ...]  # of each unit left
    own: tuple[int, ...]  # of each unit left, what it adds whatever else is chosen
    groups: tuple[Group, ...]  # features for which units compete
    limit: int


def reduced(problem: BudgetProblem, *, keeps_ties: bool) -> ReducedProblem:
    """Reduces a problem; `keeps_ties` preserves every irredundant optimal set."""
    caps = problem.caps
    clipped: dict[int, Gains] = {}
    for unit, gains in enumerate(problem.gains):
        if gains and problem.lengths[unit] <= problem.limit:
            clipped[unit] = {f: min(count, caps[f]) for f, count in gains.items()}
    if not keeps_ties:
        for unit in _dominated(problem, clipped):
            del clipped[unit]
    units = tuple(clipped)
    own = [0] * len(units)
    weight_by_group: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    for feature, counts in _supports(clipped.values()).items():
        if len(counts) == 1 or sum(count for _, count in counts) <= caps[feature]:
            for idx, count in counts:
                own[idx] += count
        else:
            key = caps[feature], tuple(counts)
            weight_by_group[key] = weight_by_group.get(key, 0) + 1
    return ReducedProblem(
        units=units,
        lengths=tuple(problem.lengths[unit] for unit in units),
        own=tuple(own),
        groups=tuple(
            Group(weight=weight, cap=cap, counts=counts)
            for (cap, counts), weight in weight_by_group.items()
        ),
        limit=problem.limit,
    )


def _supports(gains: Iterable[Gains]) -> dict[int, list[tuple[int, int]]]:
    supports: dict[int, list[tuple[int, int]]] = {}
    for idx, of_unit in enumerate(gains):
        for feature, count in of_unit.items():
            supports.setdefault(feature, []).append((idx, count))
    return supports


def _dominated(problem: BudgetProblem, clipped: Mapping[int, Gains]) -> list[int]:
    # Only features that the other unit brings to their cap by itself count as covered, so that a
    # unit is useless beside it as well as in its place.
    lengths, caps = problem.lengths, problem.caps
    full: dict[int, set[int]] = {
        unit: {f for f, count in gains.items() if count >= caps[f]}
        for unit, gains in clipped.items()
    }
    bringing: dict[int, list[int]] = {}
    for unit, features in full.items():
        for feature in features:
            bringing.setdefault(feature, []).append(unit)
    gone = []
    for unit, gains in clipped.items():
        rivals = min((bringing.get(f, []) for f in gains), key=len)
        place = lengths[unit], unit
        wanted = gains.keys()
        if any((lengths[r], r) < place and wanted <= full[r] for r in rivals):
            gone.append(unit)
    return gone

"""Budgeted coverage by PuLP with CBC: the textbook program, to disagree with the other engines.

It shares no presolve with them, and no code but the problem itself.
"""

import pulp

from awase.core.solvers.budget.problem import (
    BudgetAnswer,
    BudgetProblem,
    Chosen,
    irredundant,
    value_of,
    verified,
)
from awase.core.solvers.cbc import cbc
from awase.core.solvers.effort import Status


def solve_by_ilp(
    problem: BudgetProblem, time_limit_s: float | None = None, *, settles: bool = False
) -> BudgetAnswer:
    """Returns a set of highest value.

    It is called TIMED_OUT, with every feature at its cap as the bound, when the time ran out.

    Args:
        problem: What is to be chosen from.
        time_limit_s: Seconds for each program; None = no limit.
        settles: Whether it is to be the shortest and, of those, the first one; otherwise length and
            order are those that CBC happens on.
    """
    program = _Program(problem, time_limit_s)
    found = program.best()
    if found is None:
        chosen = irredundant(problem, program.read())
        return verified(problem, Status.TIMED_OUT, chosen, program.most)
    value = value_of(problem, found)
    if not value:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    try:
        first = program.first_of_value(value) if settles else None
    except TimeoutError:
        first = None
    chosen = irredundant(problem, found) if first is None else first
    return verified(problem, Status.OPTIMAL, chosen, value, is_settled=first is not None)


class _Program:
    """The program of one problem; constraints are added from question to question."""

    def __init__(self, problem: BudgetProblem, time_limit_s: float | None) -> None:
        self._program = pulp.LpProblem("budget", pulp.LpMaximize)
        self._time_limit_s = time_limit_s
        units = [
            unit
            for unit, gains in enumerate(problem.gains)
            if gains and problem.lengths[unit] <= problem.limit
        ]
        add = self._program.add_variable
        self._x = {unit: add(f"x{unit}", cat=pulp.LpBinary) for unit in units}
        supports: dict[int, list[tuple[int, int]]] = {}
        for unit in units:
            for feature, count in problem.gains[unit].items():
                supports.setdefault(feature, []).append((unit, count))
        z = {f: add(f"z{f}", 0, problem.caps[f]) for f in supports}
        for feature, counts in supports.items():
            self._require(z[feature] <= pulp.lpSum([n * self._x[unit] for unit, n in counts]))
        self._value = pulp.lpSum(z.values())
        self._length = pulp.lpSum([problem.lengths[unit] * x for unit, x in self._x.items()])
        self._require(self._length <= problem.limit)
        self._lengths = problem.lengths
        self.most = sum(problem.caps[feature] for feature in supports)

    def best(self) -> Chosen | None:
        """Returns a set of the highest value; None = the time ran out."""
        try:
            return self._solved(self._value)
        except TimeoutError:
            return None

    def read(self) -> Chosen:
        """Returns the units chosen last."""
        return tuple(unit for unit, x in self._x.items() if (x.value() or 0.0) > 0.5)

    def first_of_value(self, value: int) -> Chosen:
        """Returns the shortest and, of those, first set of the highest value.

        Raises:
            TimeoutError: The time ran out.
        """
        # Values are whole: what is over this has at least the value.
        self._require(self._value >= value - 0.5)
        shortest = self._solved(-self._length)
        if shortest is None:
            raise RuntimeError("CBC found no set of the value that it had found")
        self._require(self._length <= sum(self._lengths[unit] for unit in shortest))
        return self._earliest(shortest)

    def _earliest(self, best: Chosen) -> Chosen:
        place = 0
        free = list(self._x)
        while place < len(best):
            before = [unit for unit in free if unit < best[place]]
            found = self._solved(pulp.lpSum([self._x[unit] for unit in before])) if before else None
            if found is not None and min(found[place:]) < best[place]:
                best = found
                continue
            for unit in before:
                self._require(self._x[unit] == 0)
            self._require(self._x[best[place]] == 1)
            free = [unit for unit in free if unit > best[place]]
            place += 1
        return best

    def _require(self, constraint: pulp.LpConstraint) -> None:
        self._program += constraint

    def _solved(self, objective: pulp.LpAffineExpression) -> Chosen | None:
        """Returns the units of an optimal set; None = there is no set.

        Raises:
            TimeoutError: The time ran out.
        """
        self._program.setObjective(objective)
        self._program.solve(cbc(self._time_limit_s))
        if self._program.status == pulp.LpStatusInfeasible:
            return None
        if self._program.sol_status != pulp.LpSolutionOptimal:
            raise TimeoutError
        return self.read()

"""Budgeted coverage by integer programming, HiGHS called directly.

    maximise    sum own_u x_u + sum weight_g z_g
    subject to  z_g <= sum count_gu x_u for each group, sum length_u x_u <= limit,
                x binary, 0 <= z_g <= cap_g

z need not be integer. To settle ties the value is multiplied by a number over the limit and the
length taken off, so that the least length comes out of the same solve; that takes several times as
long.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import highspy
import numpy as np

from awase.core.solvers.budget.presolve import ReducedProblem
from awase.core.solvers.budget.problem import Chosen

_Foreign: TypeAlias = Any
"""A record of highspy, which has no types."""

OnNews = Callable[[int, int], None]
"""Takes the value of the best set so far and a bound on the highest; what it raises ends the
work."""

_ALMOST_ONE = 0.999
"""Values are whole: a set within this of the bound is the best."""
_TOLERANCE = 1e-6


class BudgetModel:
    """The integer program of one reduced problem, kept between questions."""

    def __init__(
        self,
        problem: ReducedProblem,
        time_limit_s: float | None = None,
        *,
        minds_length: bool = False,
    ) -> None:
        self._problem = problem
        self._n = len(problem.units)
        self._minds_length = minds_length
        self._scale = problem.limit + 1 if minds_length else 1
        self._highs: _Foreign = highspy.Highs()  # type: ignore[no-untyped-call]  # no types
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("mip_rel_gap", 0.0)
        self._highs.setOptionValue("mip_abs_gap", _ALMOST_ONE)
        if time_limit_s is not None:
            self._highs.setOptionValue("time_limit", time_limit_s)
        self._highs.passModel(_program(problem, self._scale, minds_length=minds_length))
        self._raised: BaseException | None = None

    def best(self, on_news: OnNews) -> tuple[Chosen, int, bool]:
        """Returns the best set found, an upper bound of the value, and whether it is proved.

        Proved means: no set has a higher value nor, when it minds the length, the same value and a
        smaller length.

        It starts from nothing: a set to begin with was measured to double its time.
        """
        is_proved = self._run(on_news) == highspy.HighsModelStatus.kOptimal
        info = self._highs.getInfo()
        upper = self._upper(info.mip_dual_bound)
        chosen = self._read() if info.primal_solution_status else ()
        return chosen, upper, is_proved

    def hold(self, value: int, length: int | None) -> None:
        """Admits only sets of at least this value, and at most this length, from now on."""
        problem = self._problem
        columns = [*range(self._n + len(problem.groups))]
        weights = [*problem.own, *(group.weight for group in problem.groups)]
        self._highs.addRow(
            value - 0.5, math.inf, len(columns), columns, [float(w) for w in weights]
        )
        if length is not None:
            lengths = [float(one) for one in problem.lengths]
            self._highs.addRow(-math.inf, float(length), self._n, columns[: self._n], lengths)

    def exclude(self, chosen: Sequence[int]) -> None:
        """Admits neither this set nor a superset of it from now on."""
        ones = [1.0] * len(chosen)
        self._highs.addRow(-math.inf, len(chosen) - 1.0, len(chosen), [*chosen], ones)

    def earliest(self, start: Sequence[int], on_news: OnNews) -> Chosen:
        """Returns the first of the sets that are admitted, all of one value and length.

        Place by place it asks whether a set with the same units so far has an earlier one there.

        Args:
            start: One of them, ascending.
            on_news: Called now and then.

        Raises:
            TimeoutError: The time ran out first.
        """
        best = tuple(start)
        place = first_free = 0
        while place < len(best):
            between = range(first_free, best[place])
            found = self._with_one_of(between, on_news) if between else None
            if found is not None:
                best = found
                continue
            for unit in between:
                self._highs.changeColBounds(unit, 0.0, 0.0)
            self._highs.changeColBounds(best[place], 1.0, 1.0)
            first_free = best[place] + 1
            place += 1
        return best

    def _with_one_of(self, units: range, on_news: OnNews) -> Chosen | None:
        self._highs.addRow(1.0, math.inf, len(units), [*units], [1.0] * len(units))
        found = self.another(on_news)
        self._highs.deleteRows(1, [self._highs.getNumRow() - 1])
        return found

    def another(self, on_news: OnNews) -> Chosen | None:
        """Returns a set that is admitted, None when there is none.

        Raises:
            TimeoutError: The time ran out first.
        """
        status = self._run(on_news)
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise TimeoutError
        return self._read()

    def _run(self, on_news: OnNews) -> _Foreign:
        """Returns the status of the model once it was solved."""
        self._listen(on_news)
        self._highs.run()
        self._highs.setCallback(None, None)
        if self._raised is not None:
            raise self._raised
        return self._highs.getModelStatus()

    def _read(self) -> Chosen:
        values = self._highs.getSolution().col_value[: self._n]
        return tuple(unit for unit, value in enumerate(values) if value > 0.5)

    def _upper(self, bound: float) -> int:
        """Returns the bound of the value that a bound of the objective comes to."""
        most = sum(self._problem.own) + sum(
            group.weight * group.cap for group in self._problem.groups
        )
        if not math.isfinite(bound):
            return most
        length = self._problem.limit if self._minds_length else 0
        return min(most, math.floor((bound + length) / self._scale + _TOLERANCE))

    def _listen(self, on_news: OnNews) -> None:
        kind = highspy.cb.HighsCallbackType
        self._raised = None

        def on_event(
            event: _Foreign, _message: str, out: _Foreign, into: _Foreign, _user: object
        ) -> None:
            try:
                value, upper = 0, self._upper(math.inf)
                if event == kind.kCallbackMipInterrupt:
                    upper = self._upper(out.mip_dual_bound)
                    if math.isfinite(out.mip_primal_bound):
                        value = max(0, math.ceil(out.mip_primal_bound / self._scale - _TOLERANCE))
                on_news(value, upper)
            except BaseException as error:  # must not pass through the solver's own frames
                self._raised = error
                into.user_interrupt = True

        self._highs.setCallback(on_event, None)
        self._highs.startCallback(kind.kCallbackMipInterrupt)
        self._highs.startCallback(kind.kCallbackSimplexInterrupt)


def _program(problem: ReducedProblem, scale: int, *, minds_length: bool) -> _Foreign:
    n, n_groups = len(problem.units), len(problem.groups)
    costs = scale * np.array(problem.own, float)
    if minds_length:
        costs -= problem.lengths
    weights = [float(scale * group.weight) for group in problem.groups]
    starts, columns, entries = [0], [*range(n)], [*map(float, problem.lengths)]
    starts.append(n)
    for idx, group in enumerate(problem.groups):
        columns.append(n + idx)
        entries.append(1.0)
        for unit, count in group.counts:
            columns.append(unit)
            entries.append(-float(count))
        starts.append(len(columns))
    program: _Foreign = highspy.HighsLp()
    program.num_col_, program.num_row_ = n + n_groups, 1 + n_groups
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_cost_ = np.concatenate([costs, weights])
    program.col_lower_ = np.zeros(n + n_groups)
    program.col_upper_ = np.array([1.0] * n + [float(group.cap) for group in problem.groups])
    program.row_lower_ = np.full(1 + n_groups, -np.inf)
    program.row_upper_ = np.array([float(problem.limit)] + [0.0] * n_groups)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.array(starts, np.int32)
    program.a_matrix_.index_ = np.array(columns, np.int32)
    program.a_matrix_.value_ = np.array(entries, float)
    kinds = [highspy.HighsVarType.kInteger] * n + [highspy.HighsVarType.kContinuous] * n_groups
    program.integrality_ = kinds
    return program

"""The most that a limited number of items can satisfy, needs being satisfied in part, too.

A need offers alternatives, each a set of items; it is satisfied as far as its fullest alternative
is held. Maximise the weighted sum over needs, holding at most `most` items.

Model, solved by HiGHS: x_s = item s is held; y_a = alternative a is the one that counts for its
need, sum of y_a over a need <= 1; v_as <= x_s, v_as <= y_a; the objective is the sum of
weight / |a| * v_as. With x and y whole, v may be continuous. This is not Coverage's minimal cover:
there every need has to be satisfied whole.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from awase.core.solvers.effort import Status

Alternatives = tuple[frozenset[int], ...]
_Foreign: TypeAlias = Any
"""A record of highspy, which has no types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCoverProblem:
    """What is to be satisfied.

    Attributes:
        needs: The alternatives of each need; at least one each, none empty.
        weights: Of each need, at least 0.
        most: How many items may be held, at least 0.
    """

    needs: tuple[Alternatives, ...]
    weights: tuple[Fraction, ...]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCover:
    """Items and what they satisfy.

    Attributes:
        items: At most as many as allowed.
        value: Weighted sum over needs, exact.
        bound: No choice has more; equal to `value` when the status is OPTIMAL.
        status: OPTIMAL, or TIMED_OUT when it was stopped.
    """

    items: frozenset[int]
    value: Fraction
    bound: float
    status: Status


def satisfied(problem: PartialCoverProblem, items: frozenset[int]) -> Fraction:
    """Returns the weighted sum over needs of how far, 0..1, `items` satisfy each; exact."""
    return sum(
        (
            weight * max(Fraction(len(items & a), len(a)) for a in alternatives)
            for alternatives, weight in zip(problem.needs, problem.weights, strict=True)
        ),
        Fraction(0),
    )


def best_partial_cover(
    problem: PartialCoverProblem,
    *,
    is_wanted: Callable[[], bool] = lambda: True,
    timeout_s: float = math.inf,
) -> PartialCover:
    """Returns items of which no other choice has a greater value; of those the fewest.

    Args:
        problem: What is to be satisfied.
        is_wanted: Asked now and then; False ends the search with the best found.
        timeout_s: Seconds after which the best found is returned with a bound.
    """
    if not problem.needs or problem.most <= 0:
        return PartialCover(items=frozenset(), value=Fraction(0), bound=0.0, status=Status.OPTIMAL)
    model = _Model(problem)
    found, bound, is_optimal = model.solve(is_wanted, timeout_s)
    items = _without_idle(problem, found)
    value = satisfied(problem, items)
    return PartialCover(
        items=items,
        value=value,
        bound=float(value) if is_optimal else max(bound, float(value)),
        status=Status.OPTIMAL if is_optimal else Status.TIMED_OUT,
    )


def _without_idle(problem: PartialCoverProblem, items: frozenset[int]) -> frozenset[int]:
    """Returns the items without those whose loss changes nothing, the highest first."""
    kept, value = items, satisfied(problem, items)
    for item in sorted(items, reverse=True):
        fewer = kept - {item}
        if satisfied(problem, fewer) == value:
            kept = fewer
    return kept


class _Model:
    """The integer program."""

    def __init__(self, problem: PartialCoverProblem) -> None:
        import highspy  # 125 ms to import

        self._kinds: _Foreign = highspy
        self._highs: _Foreign = highspy.Highs()  # type: ignore[no-untyped-call]  # no types
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
            self._highs.setOptionValue(option, value)
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        items = sorted({item for need in problem.needs for a in need for item in a})
        self._column = {item: self._add(0.0, whole=True) for item in items}
        self._require(dict.fromkeys(self._column.values(), 1.0), problem.most)
        for alternatives, weight in zip(problem.needs, problem.weights, strict=True):
            if weight:
                self._add_need(dict.fromkeys(alternatives), float(weight))

    def solve(
        self, is_wanted: Callable[[], bool], timeout_s: float
    ) -> tuple[frozenset[int], float, bool]:
        """Returns the best items, a bound, and whether they are proved to be the best."""
        if not math.isinf(timeout_s):
            self._highs.setOptionValue("time_limit", timeout_s)
        self._let_stop(is_wanted)
        self._highs.run()
        info = self._highs.getInfo()
        kinds = self._kinds.HighsModelStatus
        is_optimal = self._highs.getModelStatus() == kinds.kOptimal
        values: Sequence[float] = self._highs.getSolution().col_value
        held = frozenset(
            item for item, column in self._column.items() if values and values[column] > 0.5
        )
        return held, float(info.mip_dual_bound), is_optimal

    def _add_need(self, alternatives: dict[frozenset[int], None], weight: float) -> None:
        chosen = {a: self._add(0.0, whole=True) for a in alternatives}
        self._require(dict.fromkeys(chosen.values(), 1.0), 1.0)
        for alternative, y in chosen.items():
            for item in alternative:
                v = self._add(weight / len(alternative), whole=False)
                self._require({v: 1.0, self._column[item]: -1.0}, 0.0)
                self._require({v: 1.0, y: -1.0}, 0.0)

    def _add(self, gain: float, *, whole: bool) -> int:
        column: int = self._highs.getNumCol()
        self._highs.addCol(gain, 0.0, 1.0, 0, [], [])
        if whole:
            self._highs.changeColIntegrality(column, self._kinds.HighsVarType.kInteger)
        return column

    def _require(self, row: dict[int, float], most: float) -> None:
        self._highs.addRow(-math.inf, most, len(row), list(row), list(row.values()))

    def _let_stop(self, is_wanted: Callable[[], bool]) -> None:
        kind = self._kinds.cb.HighsCallbackType

        def on_event(
            _event: _Foreign, _message: str, _out: _Foreign, told: _Foreign, _user: object
        ) -> None:
            if not is_wanted():
                told.user_interrupt = True

        self._highs.setCallback(on_event, None)
        self._highs.startCallback(kind.kCallbackMipInterrupt)

"""Engine `highs`: integer linear programming, HiGHS called directly.

A program with a row for each item of a need, kept in one solver object between questions. For one
huge component it gives far better bounds than core-guided MaxSAT: over 10 s at 980 items 275 to
289, where MaxSAT has proved 257 and the greedy cover has 315; at 300 items that nearly all needs
share 135 in 5 s, where MaxSAT has 128 and a row for each item of an alternative 134 in 7. The
worker process uses it. An effort limit cannot be kept: with one, only the bounds are returned.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import highspy

from awase.core.solvers.cover.component import Bounds, ComponentCover, classify, unsolved
from awase.core.solvers.cover.presolve import Component, MaskedNeed
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of

_Foreign: TypeAlias = Any
"""A record of highspy, which has no types."""

OnBounds = Callable[[int, int | None], None]
"""Takes a new lower bound, and a better cover where there is one."""


OnPause = Callable[[], None]
"""Called some times a second, between two nodes of the search."""


def _nothing() -> None:
    pass


def solve_by_highs(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_bounds: OnBounds | None = None,
    on_pause: OnPause = _nothing,
) -> ComponentCover:
    """Returns the minimal covers of `component`; the bounds when there is an effort limit."""
    if not math.isinf(effort.left):
        return unsolved(bounds, 0)
    model = HighsCovers(component, items_of(bounds.union))
    return classify(model, model.minimal(on_bounds, on_pause), bounds, max_covers)


class HighsCovers:
    """The integer program of one component; see `OptimalCovers` for its questions."""

    def __init__(self, component: Component, items: list[int]) -> None:
        self._highs: _Foreign = highspy.Highs()  # type: ignore[no-untyped-call]  # no types
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("mip_rel_gap", 0.0)
        self._bits = [1 << item for item in items]
        self._column = {bit: self._add_column(1.0) for bit in self._bits}
        for need in component:
            self._add_need(need)

    def _add_need(self, need: MaskedNeed) -> None:
        """One alternative is taken; an item is in the cover when any is that holds it.

        The relaxation is tighter than with a row for each item of each alternative.
        """
        taken: list[int] = []
        holding: dict[int, list[int]] = {}
        for mask in need:
            taken.append(self._column[mask] if mask in self._column else self._add_column(0.0))
            for bit in () if mask in self._column else self._bits_of(mask):
                holding.setdefault(bit, []).append(taken[-1])
        for bit, columns in holding.items():
            self._require({self._column[bit]: 1.0, **dict.fromkeys(columns, -1.0)}, least=0)
        self._require(dict.fromkeys(taken, 1.0), least=1)

    def minimal(self, on_bounds: OnBounds | None = None, on_pause: OnPause = _nothing) -> int:
        """Returns a minimal cover, and admits only covers of its size from now on."""
        if on_bounds is not None:
            self._listen(on_bounds, on_pause)
        cover = self._solve()
        if cover is None:
            raise RuntimeError("HiGHS found no cover of a component that has one")
        if on_bounds is not None:
            self._highs.setCallback(None, None)
        h = cover.bit_count()
        self._require(dict.fromkeys(self._column.values(), 1.0), least=h, most=h)
        for column in self._column.values():
            self._highs.changeColCost(column, 0.0)
        return cover

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        return self._ask(self._sum(items), least=1)

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        return self._ask(self._sum(items), most=items.bit_count() - 1)

    def block(self, cover: int) -> None:
        """Leaves `cover` out of all later answers of `another`."""
        self._require(self._sum(cover), most=cover.bit_count() - 1)

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        return self._solve()

    def _bits_of(self, mask: int) -> list[int]:
        return [1 << item for item in items_of(mask)]

    def _sum(self, items: int) -> dict[int, float]:
        return {self._column[bit]: 1.0 for bit in self._bits_of(items)}

    def _add_column(self, cost: float) -> int:
        column: int = self._highs.getNumCol()
        self._highs.addCol(cost, 0.0, 1.0, 0, [], [])
        self._highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        return column

    def _require(
        self, row: dict[int, float], *, least: float = -math.inf, most: float = math.inf
    ) -> None:
        self._highs.addRow(least, most, len(row), list(row), list(row.values()))

    def _ask(
        self, row: dict[int, float], *, least: float = -math.inf, most: float = math.inf
    ) -> int | None:
        """Returns a cover under one more constraint, which is taken back."""
        self._require(row, least=least, most=most)
        try:
            return self._solve()
        finally:
            self._highs.deleteRows(1, [self._highs.getNumRow() - 1])

    def _solve(self) -> int | None:
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS: {self._highs.modelStatusToString(status)}")
        return self._read(self._highs.getSolution().col_value)

    def _read(self, values: Sequence[float]) -> int:
        return sum(bit for bit, value in zip(self._bits, values, strict=False) if value > 0.5)

    def _listen(self, on_bounds: OnBounds, on_pause: OnPause) -> None:
        kind = highspy.cb.HighsCallbackType
        told = 0

        def on_event(
            event: _Foreign, _message: str, out: _Foreign, _in: _Foreign, _user: object
        ) -> None:
            nonlocal told
            bound = out.mip_dual_bound
            lower = max(0, math.ceil(bound - 1e-6)) if math.isfinite(bound) else 0
            improved = event == kind.kCallbackMipImprovingSolution
            if improved or lower > told:
                told = max(told, lower)
                on_bounds(lower, self._read(out.mip_solution) if improved else None)
            if not improved:
                on_pause()

        self._highs.setCallback(on_event, None)
        # The event of logging never comes while nothing is logged.
        self._highs.startCallback(kind.kCallbackMipInterrupt)
        self._highs.startCallback(kind.kCallbackMipImprovingSolution)

"""Engine `ilp`: minimal covers by an integer program, an independent check of MaxSAT.

    minimise    sum x_i
    subject to  sum y_a >= 1 over the alternatives of each need, y_a <= x_i for each item i of
                alternative a; x and y binary

The alternative of one item i is x_i itself. Effort limits are unsupported: with one, only bounds
are returned.
"""

import math

from awase.core.solvers.cover import Bounds, Component, Effort, Status, items_of, mask_of
from awase.core.solvers.cover_component import (
    ComponentCover,
    OnNews,
    classify,
    ignore_news,
    unsolved,
)
from awase.core.solvers.ilp import WHOLE, Expression, Program, Variable, is_one, total


def solve_by_ilp(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    """Returns the minimal covers of `component`; the bounds when there is an effort limit."""
    if not math.isinf(effort.left):
        return unsolved(bounds, 0)
    model = CoverModel(component, items_of(bounds.union))
    return classify(model, model.minimal(), bounds, max_covers)


class CoverModel:
    """The integer program of one component (`OptimalCovers`), rebuilt for each question."""

    def __init__(self, component: Component, items: list[int]) -> None:
        self._component = component
        self._items = items
        self._h: int | None = None
        self._blocked: list[int] = []

    def minimal(self) -> int:
        """Returns a minimal cover, and admits only covers of its size from now on."""
        cover = self._cover()
        if cover is None:
            raise RuntimeError("the ILP solver found no cover of a component that has one")
        self._h = cover.bit_count()
        return cover

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        return self._cover(least={items: 1})

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        return self._cover(without=[items])

    def block(self, cover: int) -> None:
        """Excludes `cover` from later answers of `another`."""
        self._blocked.append(cover)

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        return self._cover(without=self._blocked)

    def _cover(
        self, least: dict[int, int] | None = None, without: list[int] | None = None
    ) -> int | None:
        """Returns a smallest cover that contains none of the sets `without`, or None."""
        program = Program()
        x = {1 << item: program.binary() for item in self._items}
        chosen: dict[int, Variable] = dict(x)

        def n_of(items: int) -> Expression:
            return total(x[1 << item] for item in items_of(items))

        for need in self._component:
            for mask in need:
                if mask not in chosen:
                    chosen[mask] = program.binary()
                    for item in items_of(mask):
                        program.require(chosen[mask] <= x[1 << item])
            program.require(total(chosen[mask] for mask in need) >= 1)
        for items, n_items in (least or {}).items():
            program.require(n_of(items) >= n_items)
        for items in without or ():
            program.require(n_of(items) <= items.bit_count() - 1)
        status, _ = program.maximise(-n_of(mask_of(self._items)), WHOLE)
        if status is Status.INFEASIBLE:
            return None
        if status is not Status.OPTIMAL:
            raise RuntimeError(f"ILP solver: {status.value}")
        cover = sum(bit for bit, variable in x.items() if is_one(variable))
        return cover if self._h in (None, cover.bit_count()) else None

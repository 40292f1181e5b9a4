"""Engine `ilp`: integer linear programming, PuLP with CBC.

Minimise sum x_i where, for each need, sum y_a >= 1 over its alternatives, and y_a <= x_i for each
item i of alternative a; x and y binary. The alternative of one item i is x_i itself.

Slow beside `maxsat`, and there to disagree with it if one of them is wrong.
An effort limit cannot be kept: with one, only the bounds are returned.
"""

import math

import pulp

from awase.core.solvers.cbc import cbc
from awase.core.solvers.cover.component import (
    ComponentCover,
    OnNews,
    classify,
    ignore_news,
    unsolved,
)
from awase.core.solvers.cover.presolve import Bounds, Component
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, mask_of


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
    """The integer program of one component; see `OptimalCovers` for its questions.

    Each question builds its program anew: beside solving it that costs little.
    """

    def __init__(self, component: Component, items: list[int]) -> None:
        self._component = component
        self._items = items
        self._h: int | None = None
        self._blocked: list[int] = []

    def minimal(self) -> int:
        """Returns a minimal cover, and admits only covers of its size from now on."""
        cover = self._program().minimise(mask_of(self._items))
        if cover is None:
            raise RuntimeError("the ILP solver found no cover of a component that has one")
        self._h = cover.bit_count()
        return cover

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        program = self._program()
        program.require(program.sum(items) >= 1)
        return program.minimise(0)

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        program = self._program()
        program.require(program.sum(items) <= items.bit_count() - 1)
        return program.minimise(0)

    def block(self, cover: int) -> None:
        """Leaves `cover` out of all later answers of `another`."""
        self._blocked.append(cover)

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        program = self._program()
        for cover in self._blocked:
            program.require(program.sum(cover) <= cover.bit_count() - 1)
        return program.minimise(0)

    def _program(self) -> "_Program":
        program = _Program(self._component, self._items)
        if self._h is not None:
            program.require(program.sum(mask_of(self._items)) == self._h)
        return program


class _Program:
    """One integer program in PuLP."""

    def __init__(self, component: Component, items: list[int]) -> None:
        self._problem = pulp.LpProblem("cover", pulp.LpMinimize)
        self._x = {1 << item: self._binary(f"x{item}") for item in items}
        self._chosen = dict(self._x)
        for need in component:
            self.require(pulp.lpSum([self._alternative(mask) for mask in need]) >= 1)

    def _binary(self, name: str) -> pulp.LpVariable:
        return self._problem.add_variable(name, cat=pulp.LpBinary)

    def _alternative(self, mask: int) -> pulp.LpVariable:
        if mask not in self._chosen:
            chosen = self._chosen[mask] = self._binary(f"y{len(self._chosen)}")
            for item in items_of(mask):
                self.require(chosen <= self._x[1 << item])
        return self._chosen[mask]

    def sum(self, items: int) -> pulp.LpAffineExpression:
        """Returns the number of chosen items among `items`."""
        return pulp.lpSum([self._x[1 << item] for item in items_of(items)])

    def require(self, constraint: pulp.LpConstraint) -> None:
        """Adds a constraint."""
        self._problem += constraint

    def minimise(self, items: int) -> int | None:
        """Returns a cover with fewest of `items`, None if there is none."""
        self._problem.setObjective(self.sum(items))
        self._problem.solve(cbc())
        if self._problem.status == pulp.LpStatusInfeasible:
            return None
        if self._problem.status != pulp.LpStatusOptimal:
            raise RuntimeError(f"ILP solver: {pulp.LpStatus[self._problem.status]}")
        return sum(bit for bit, x in self._x.items() if x.value() > 0.5)

"""Engine `maxsat`: core-guided MaxSAT, RC2 of python-sat.

Variables 1..n are the items; each alternative of more than one item has a variable that implies
them; a clause for each need; a soft clause against each item. RC2 raises the lower bound core by
core until it meets a model.

Once it has, its SAT solver with the assumptions `sels + sums` has exactly the minimal covers as
models, so questions about them cost one incremental SAT call each. The assumptions are made unit
clauses first, which took a third off the time of 30 uniform instances. These are internals of RC2:
python-sat is pinned, and a test fails when they change.

Source: Ignatiev, Morgado, Marques-Silva (2019), RC2: an efficient MaxSAT solver, JSAT 11;
Morgado, Dodaro, Marques-Silva (2014), Core-guided MaxSAT with soft cardinality constraints, CP.
Matches `pysat.examples.rc2` of python-sat 1.9.dev17.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from awase.core.solvers.cover.component import Bounds, ComponentCover, classify, unsolved
from awase.core.solvers.cover.presolve import Component
from awase.core.solvers.effort import Effort, EffortSpent
from awase.core.solvers.masks import items_of

_STEPS_A_CALL = 20
_STEPS_AN_ASSUMPTION = 0.3
_STEPS_A_CONFLICT = 10
_STEPS_AN_ALTERNATIVE = 4
_STEPS_AN_ITEM = 2


def solve_by_maxsat(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_lower: Callable[[int], None] | None = None,
    on_minimal: Callable[[int], None] = lambda _: None,
) -> ComponentCover:
    """Returns the minimal covers of `component`, or bounds when the effort is spent.

    Args:
        component: Needs as bit masks.
        bounds: What is known without search.
        effort: Limit on the work.
        max_covers: Covers are counted up to this number.
        on_lower: Called with each new lower bound; Python's lock is then released while the SAT
            solver runs.
        on_minimal: Called with the first minimal cover, before anything is asked about the others.
    """
    items = items_of(bounds.union)
    try:
        effort.spend(
            _STEPS_AN_ALTERNATIVE * sum([len(need) for need in component])
            + _STEPS_AN_ITEM * len(items)
        )
    except EffortSpent:
        return unsolved(bounds, 0)
    formula = encode(component, items)
    with LimitedRC2(formula, effort, on_lower) as rc2:
        try:
            model = rc2.compute(expect_interrupt=on_lower is not None)
        except EffortSpent:
            return unsolved(bounds, rc2.cost)
        rc2.keep_optimal()
        covers = _Rc2Covers(rc2, items)
        minimal = covers.read(model)
        on_minimal(minimal)
        return classify(covers, minimal, bounds, max_covers)


def encode(component: Component, items: Sequence[int]) -> WCNF:
    """Returns the component as a MaxSAT formula; variable 1 is the first of `items`, and so on."""
    variable = {item: var for var, item in enumerate(items, start=1)}
    top = len(items)
    by_mask: dict[int, int] = {1 << item: var for item, var in variable.items()}
    hard: list[list[int]] = []
    for need in component:
        for mask in need:
            if mask not in by_mask:
                top += 1
                by_mask[mask] = top
                hard += [[-top, variable[item]] for item in items_of(mask)]
        hard.append([by_mask[mask] for mask in need])
    # WORKAROUND (until python-sat's WCNF.append is fast): filled in directly, 10 times faster.
    formula = WCNF()
    formula.hard, formula.nv = hard, top
    formula.soft = [[-var] for var in range(1, len(items) + 1)]
    formula.wght = [1] * len(items)
    formula.topw = len(items) + 1
    return formula


class LimitedRC2(RC2):  # type: ignore[misc]  # python-sat has no types
    """RC2 that stops when the effort is spent and tells each new lower bound.

    Attributes:
        cost: The lower bound so far; h after `compute`.
    """

    cost: int

    def __init__(
        self, formula: WCNF, effort: Effort, on_lower: Callable[[int], None] | None = None
    ) -> None:
        self.effort = effort
        self.on_lower = on_lower
        # A tenth to a half quicker than Glucose 3.
        super().__init__(formula, solver="gc3")

    def _call_oracle(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool:
        """Returns whether there is a model; with an effort limit, RC2 never sees an unknown."""
        effort = self.effort
        if math.isinf(effort.left):
            return bool(
                self.oracle.solve_limited(
                    assumptions=list(assumptions), expect_interrupt=expect_interrupt
                )
            )
        effort.spend(_STEPS_A_CALL + _STEPS_AN_ASSUMPTION * len(assumptions))
        self.oracle.conf_budget(int(effort.left / _STEPS_A_CONFLICT))
        before = self.oracle.accum_stats()["conflicts"]
        answer = self.oracle.solve_limited(assumptions=list(assumptions))
        if answer is None:
            effort.spend(math.inf)
        effort.spend((self.oracle.accum_stats()["conflicts"] - before) * _STEPS_A_CONFLICT)
        return bool(answer)

    def process_core(self) -> None:
        """Raises the lower bound by one core, and tells it."""
        super().process_core()
        if self.on_lower is not None:
            self.on_lower(self.cost)

    def keep_optimal(self) -> None:
        """Leaves only minimal covers as models; RC2 itself cannot go on after that."""
        for literal in self.sels + self.sums:
            self.oracle.add_clause([literal])

    def model_under(self, assumptions: Sequence[int]) -> list[int] | None:
        """Returns a model of a minimal cover that also satisfies `assumptions`, None if none."""
        if not self._call_oracle(assumptions, self.on_lower is not None):
            return None
        model: list[int] = self.oracle.get_model()
        return model


class _Rc2Covers:
    """Answers from the SAT solver that RC2 leaves behind; see `OptimalCovers`."""

    def __init__(self, rc2: LimitedRC2, items: Sequence[int]) -> None:
        self._rc2 = rc2
        self._items = items
        self._literal = {1 << item: rc2.vmap.e2i[var] for var, item in enumerate(items, start=1)}

    def read(self, model: Iterable[int]) -> int:
        """Returns the cover of a model."""
        cover = 0
        n_items = len(self._items)
        for literal in model:
            if 0 < literal <= n_items:
                cover |= 1 << self._items[literal - 1]
        return cover

    def holding(self, items: int) -> int | None:
        """Returns a minimal cover with at least one of `items`, None if there is none."""
        return self._solve([self._literal[1 << item] for item in items_of(items)])

    def lacking(self, items: int) -> int | None:
        """Returns a minimal cover without at least one of `items`, None if there is none."""
        return self._solve([-self._literal[1 << item] for item in items_of(items)])

    def block(self, cover: int) -> None:
        """Leaves `cover` out of all later answers of `another`."""
        self._rc2.oracle.add_clause([-self._literal[1 << item] for item in items_of(cover)])

    def another(self) -> int | None:
        """Returns a minimal cover that is not blocked, None if there is none."""
        model = self._rc2.model_under([])
        return None if model is None else self.read(model)

    def _solve(self, any_of: list[int]) -> int | None:
        """Returns a minimal cover that satisfies at least one of the literals."""
        switch = self._rc2.pool.id()
        self._rc2.oracle.add_clause([-switch, *any_of])
        model = self._rc2.model_under([switch])
        return None if model is None else self.read(model)

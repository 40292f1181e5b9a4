"""Engine `maxsat`: core-guided MaxSAT, RC2 of python-sat.

Variables 1..n are the items; each alternative of more than one item has a variable that implies
them; a clause for each need; a soft clause against each item. RC2 raises the lower bound core by
core.

After that, its SAT solver under the assumptions `sels + sums` has exactly the minimal covers as
models, so further questions are incremental SAT calls. The assumptions become unit clauses first,
a third faster on 30 uniform instances. These are internals of RC2: python-sat is pinned, and a test
fails when they change.

Source: Ignatiev, Morgado, Marques-Silva (2019), RC2: an efficient MaxSAT solver, JSAT 11;
Morgado, Dodaro, Marques-Silva (2014), Core-guided MaxSAT with soft cardinality constraints, CP.
Matches `pysat.examples.rc2` of python-sat 1.9.dev17.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF, IDPool

from awase.core.solvers.cover import Bounds, Component, Effort, EffortSpent, items_of
from awase.core.solvers.cover_component import (
    ComponentCover,
    OnNews,
    classify,
    ignore_news,
    size_alone,
    unsolved,
)

_STEPS_A_PROBLEM = 150
_STEPS_A_CALL = 50
_STEPS_AN_ASSUMPTION = 0.8
_STEPS_A_CONFLICT = 12
_STEPS_AN_ALTERNATIVE = 2
# Microseconds of CPU, fitted to 170 components of all kinds and sizes: nine of ten are within a
# third of it.
_STEPS_AN_ITEM = 3


def solve_by_maxsat(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    """Returns the minimal covers of `component`, or bounds when the effort is spent.

    If another thread may stop it, the SAT solver runs without the GIL. `on_news` receives each new
    lower bound, and the first minimal cover before it is classified.
    """
    items = items_of(bounds.union)
    try:
        effort.spend(
            _STEPS_A_PROBLEM
            + _STEPS_AN_ALTERNATIVE * sum(map(len, component))
            + _STEPS_AN_ITEM * len(items)
        )
    except EffortSpent:
        return unsolved(bounds, 0)
    with LimitedRC2(encode(component, items), effort) as rc2:
        rc2.on_lower = lambda lower: on_news(unsolved(bounds, lower))
        with effort.interrupting(rc2.oracle.interrupt):
            try:
                model = rc2.compute()
            except EffortSpent:
                return unsolved(bounds, rc2.cost)
            rc2.keep_optimal()
            covers = _Rc2Covers(rc2, items)
            minimal = covers.read(model)
            on_news(size_alone(minimal, bounds))
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


class _VariableMap(NamedTuple):
    """The variables of the formula and of the SAT solver, which are the same here."""

    e2i: dict[int, int]
    i2e: dict[int, int]


class LimitedRC2(RC2):  # type: ignore[misc]  # python-sat has no types
    """RC2 with effort limits, callbacks for lower bounds, and without reference cycles."""

    cost: int  # the lower bound so far; h after `compute`

    def __init__(self, formula: WCNF, effort: Effort) -> None:
        self.effort = effort
        self.on_lower: Callable[[int], None] = lambda _: None
        # WORKAROUND (until python-sat makes no class for each problem): RC2.__init__, but for the
        # class of `vmap`, whose thirty objects form reference cycles.
        for name, value in {
            "verbose": 0, "trim": 0, "process": 0, "exhaust": False, "adapt": False, "minz": False,
            "solver": "gc3",  # a tenth to a half quicker than Glucose 3
            "oracle": None, "processor": None, "expect_interrupt": False, "interrupted": False,
            "sels": [], "smap": {}, "sall": [], "s2cl": {}, "sneg": set(), "wght": {}, "sums": [],
            "bnds": {}, "tobj": {}, "swgt": {}, "filt": [], "cost": 0,
            "pool": IDPool(start_from=formula.nv + 1), "vmap": _VariableMap({}, {}),
        }.items():  # fmt: skip
            setattr(self, name, value)
        self.init(formula)

    def delete(self) -> None:
        """Frees the SAT solver, and breaks reference cycles."""
        super().delete()
        self.pool.obj2id = {}

    def _call_oracle(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool:
        """Returns whether there is a model; raises `EffortSpent` instead of returning unknown."""
        effort = self.effort
        effort.spend(_STEPS_A_CALL + _STEPS_AN_ASSUMPTION * len(assumptions))
        is_limited = not math.isinf(effort.left)
        if is_limited:
            self.oracle.conf_budget(int(effort.left / _STEPS_A_CONFLICT))
        before = self.oracle.accum_stats()["conflicts"] if is_limited else 0
        answer = self.oracle.solve_limited(
            assumptions=list(assumptions), expect_interrupt=effort.is_stoppable
        )
        if answer is None:
            raise EffortSpent
        if is_limited:
            after = self.oracle.accum_stats()["conflicts"]
            effort.spend((after - before) * _STEPS_A_CONFLICT)
        return bool(answer)

    def process_core(self) -> None:
        """Raises the lower bound by one core, and reports it."""
        super().process_core()
        self.on_lower(self.cost)

    def keep_optimal(self) -> None:
        """Restricts the models to minimal covers; RC2 itself cannot continue."""
        for literal in self.sels + self.sums:
            self.oracle.add_clause([literal])

    def model_under(self, assumptions: Sequence[int]) -> list[int] | None:
        """Returns a model of a minimal cover that also satisfies `assumptions`, None if none."""
        if not self._call_oracle(assumptions):
            return None
        model: list[int] = self.oracle.get_model()
        return model


class _Rc2Covers:
    """`OptimalCovers` from RC2's SAT solver."""

    def __init__(self, rc2: LimitedRC2, items: Sequence[int]) -> None:
        self._rc2 = rc2
        self._items = items
        self._literal = {1 << item: rc2.vmap.e2i[var] for var, item in enumerate(items, start=1)}

    def read(self, model: Iterable[int]) -> int:
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
        """Excludes `cover` from later answers of `another`."""
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

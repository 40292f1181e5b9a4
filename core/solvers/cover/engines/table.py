"""The engines that solve one component, by name.

`auto`, the default, searches small components itself and hands the others to the compiled kernel,
where it is there, and what that does not end to MaxSAT. `search`, `maxsat`, `ilp` and `highs` each
treat all components alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from awase.core.kernel.binding import kernel
from awase.core.solvers.cbc import check_cbc_is_installed
from awase.core.solvers.cover.component import Bounds, ComponentCover, from_all_covers
from awase.core.solvers.cover.engines.compiled import solve_compiled
from awase.core.solvers.cover.engines.search import all_minimal_covers, solve_by_search
from awase.core.solvers.cover.presolve import Component
from awase.core.solvers.effort import Effort, EffortSpent

Engine = Callable[[Component, Bounds, Effort, int], ComponentCover]
"""Component, what is known of it, limit on the work, cap of the count -> its minimal covers."""

DEFAULT_ENGINE = "auto"

_SEARCH_STEPS = 1_500
"""Beyond so many steps MaxSAT is faster than our search (measured by `benchmarks/cover.py`)."""

_TINY_STEPS = 150
"""Beyond so many the kernel is, arrays and all."""


def engine_named(name: str) -> Engine:
    """Returns the engine called `name`.

    Raises:
        ValueError: There is none.
    """
    if name not in ENGINES:
        raise ValueError(f"no cover engine {name!r}; there are {', '.join(ENGINES)}")
    return ENGINES[name]


def _auto(component: Component, bounds: Bounds, effort: Effort, max_covers: int) -> ComponentCover:
    if len(component) == 1:  # its shortest alternatives are its minimal covers, however many
        fewest = min(map(int.bit_count, component[0]))
        return from_all_covers(
            [mask for mask in component[0] if mask.bit_count() == fewest], bounds, max_covers
        )
    allowed = min(effort.left, _SEARCH_STEPS if kernel() is None else _TINY_STEPS)
    search_effort = Effort(allowed)
    try:
        covers = all_minimal_covers(component, bounds, search_effort)
    except EffortSpent:
        effort.left -= allowed
        return _beyond_search(component, bounds, effort, max_covers)
    effort.left -= allowed - search_effort.left
    return from_all_covers(covers, bounds, max_covers)


def _beyond_search(
    component: Component, bounds: Bounds, effort: Effort, max_covers: int
) -> ComponentCover:
    known = solve_compiled(component, bounds, effort, max_covers)
    if known is None:
        return _maxsat(component, bounds, effort, max_covers)
    if known.is_settled(max_covers) or effort.left <= 0:
        return known
    answer = _maxsat(component, replace(bounds, cover=known.cover), effort, max_covers)
    return replace(answer, lower=max(answer.lower, known.lower))


def _maxsat(
    component: Component, bounds: Bounds, effort: Effort, max_covers: int
) -> ComponentCover:
    from awase.core.solvers.cover.engines.maxsat import (
        solve_by_maxsat,  # 36 ms to import, often not needed
    )

    return solve_by_maxsat(component, bounds, effort, max_covers)


def _ilp(component: Component, bounds: Bounds, effort: Effort, max_covers: int) -> ComponentCover:
    check_cbc_is_installed()
    from awase.core.solvers.cover.engines.ilp import solve_by_ilp  # 120 ms to import

    return solve_by_ilp(component, bounds, effort, max_covers)


def _highs(component: Component, bounds: Bounds, effort: Effort, max_covers: int) -> ComponentCover:
    from awase.core.solvers.cover.engines.highs import solve_by_highs  # 125 ms to import

    return solve_by_highs(component, bounds, effort, max_covers)


ENGINES: Mapping[str, Engine] = {
    "auto": _auto,
    "search": solve_by_search,
    "maxsat": _maxsat,
    "ilp": _ilp,
    "highs": _highs,
}

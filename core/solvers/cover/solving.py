"""The door to minimal covers: `minimal_cover(problem)` and `quick_bounds(problem)`.

Presolve, then one engine for each independent component, then one answer. The engines stand in
`engines`; one conformance suite runs them all against brute force.
"""

from collections.abc import Iterable, Sequence

from awase.core.kernel.binding import kernel
from awase.core.solvers.cover.bounds_without_search import bounds_of, rough_bounds_of
from awase.core.solvers.cover.component import ComponentCover
from awase.core.solvers.cover.engines.table import DEFAULT_ENGINE, Engine, engine_named
from awase.core.solvers.cover.presolve import (
    Component,
    Presolved,
    mask_need,
    presolve,
    without_implied,
)
from awase.core.solvers.cover.problem import (
    Certificate,
    CertificateStep,
    CoverProblem,
    MinimalCover,
)
from awase.core.solvers.cover.solving_at_once import solve_at_once
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, mask_of
from awase.core.solvers.status import Status

MAX_COVERS = 1000
"""Up to so many minimal covers are counted in each independent part of a problem."""

IN_PLACE_EFFORT = 8_000
"""Steps within which a problem may be solved in place: less than a frame of the window (16 ms)."""

_STEPS_A_NEED = 10
"""What presolve and the bounds take."""

_MANY_NEEDS = 2_000
"""Of more needs than this even bounds take long: rough ones do where there is no time."""

Part = tuple[ComponentCover, ...]
"""The answers for what implied needs leave of one component."""


def minimal_cover(
    problem: CoverProblem,
    *,
    engine: str = DEFAULT_ENGINE,
    max_covers: int = MAX_COVERS,
    effort: int | None = None,
) -> MinimalCover:
    """Returns h, a minimal cover and what all minimal covers have in common.

    Args:
        problem: What has to be covered.
        engine: One of `cover_engines.ENGINES`.
        max_covers: In each independent part minimal covers are counted up to this number; 0 = h
            is enough: the result is then FEASIBLE with equal bounds where the rest is not known.
        effort: Limit on the work in steps of about a microsecond, None for no limit. When it is
            spent the result is FEASIBLE, with bounds; the same call always ends the same way.

    Raises:
        ValueError: There is no such engine.
    """
    limit = Effort(effort)
    solve = engine_named(engine)
    if engine == DEFAULT_ENGINE and kernel() is not None:
        return solve_at_once(problem, engine_named("maxsat"), limit, max_covers)
    presolved = presolve([mask_need(need, mask_of(problem.forbidden)) for need in problem.needs])
    return assemble(
        presolved,
        [
            solve_part(component, solve, limit, max_covers)
            for component in sorted(presolved.components, key=len)
        ],
    )


def quick_bounds(problem: CoverProblem) -> MinimalCover:
    """Returns a cover and bounds on h without search, in a few milliseconds at most.

    The status is OPTIMAL only where nothing is left to search.
    """
    return minimal_cover(problem, effort=0)


def solve_part(
    component: Component, engine: Engine, effort: Effort, max_covers: int = MAX_COVERS
) -> Part:
    """Returns the answers for what implied needs leave of `component`.

    Args:
        component: Needs that no other component shares an item with.
        engine: What solves each part.
        effort: Left for it; less afterwards.
        max_covers: As in `classify`.
    """
    effort.left -= _STEPS_A_NEED * len(component)
    if effort.left < 0 and len(component) > _MANY_NEEDS:
        bounds = rough_bounds_of(component)
        return (engine(component, bounds, effort, max_covers),)
    leaves = without_implied(component)
    return tuple([engine(leaf, bounds_of(leaf), effort, max_covers) for leaf in leaves])


def assemble(presolved: Presolved, parts: Iterable[Part]) -> MinimalCover:
    """Returns the answer for a problem from the answers for its components.

    Args:
        presolved: The problem, with what every cover has.
        parts: Of each of its components.
    """
    if presolved.conflict:
        return MinimalCover(
            status=Status.INFEASIBLE,
            in_none=frozenset(items_of(presolved.mentioned)),
            conflict=presolved.conflict,
        )
    cover = every = possible = presolved.forced
    lower = presolved.forced.bit_count()
    n_covers, exact, complete = 1, True, True
    leaves = [leaf for part in parts for leaf in part]
    for leaf in leaves:
        cover |= leaf.cover
        every |= leaf.every
        possible |= leaf.possible
        lower += leaf.lower
        n_covers *= leaf.n_covers
        exact &= leaf.n_covers_exact
        complete &= leaf.complete
    return MinimalCover(
        status=Status.OPTIMAL if complete else Status.FEASIBLE,
        cover=frozenset(items_of(cover)),
        lower=lower,
        upper=cover.bit_count(),
        n_covers=n_covers if complete else None,
        n_covers_exact=exact,
        in_every=frozenset(items_of(every)),
        in_none=frozenset(items_of(presolved.mentioned & ~possible)),
        certificate=_certificate(presolved, leaves),
    )


def _certificate(presolved: Presolved, leaves: Sequence[ComponentCover]) -> Certificate:
    origin = presolved.origin
    return Certificate(
        forced=frozenset(items_of(presolved.forced)),
        steps=tuple(
            [
                CertificateStep(need=origin[need], n_items=n_items)
                for leaf in leaves
                for need, n_items in leaf.steps
            ]
        ),
    )

"""A whole cover problem by one call of the compiled kernel, and by MaxSAT what that leaves open."""

from dataclasses import replace
from math import prod

from awase.core.solvers.cover.component import Bounds, ComponentCover
from awase.core.solvers.cover.engines.compiled import KernelAnswer, ask_kernel
from awase.core.solvers.cover.engines.table import Engine
from awase.core.solvers.cover.presolve import mask_need
from awase.core.solvers.cover.problem import (
    Certificate,
    CertificateStep,
    CoverProblem,
    MinimalCover,
)
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, mask_of, minimal_masks, union_of
from awase.core.solvers.status import Status


def solve_at_once(
    problem: CoverProblem, rest: Engine, effort: Effort, max_covers: int
) -> MinimalCover:
    """Returns the answer for `problem` where the kernel is there.

    Args:
        problem: What has to be covered.
        rest: Solves the parts that the kernel leaves open.
        effort: Left for it; less afterwards.
        max_covers: As in `minimal_cover`.
    """
    found = ask_kernel(problem.needs, problem.forbidden, effort, max_covers)
    if found.conflict:
        return MinimalCover(
            status=Status.INFEASIBLE, in_none=found.mentioned, conflict=found.conflict
        )
    cover, possible, forced = found.cover, found.possible, found.forced
    answer = MinimalCover(
        status=Status.OPTIMAL if found.is_complete else Status.FEASIBLE,
        cover=cover,
        lower=len(forced) + sum(found.lowers),
        upper=len(cover),
        n_covers=prod(found.counts) if found.is_complete else None,
        n_covers_exact=all(found.exact),
        in_every=found.every,
        in_none=found.mentioned - possible,
        certificate=Certificate(
            forced=forced,
            steps=tuple([CertificateStep(need=need, n_items=n) for need, n in found.steps]),
        ),
    )
    n_parts = len(found.stages)
    is_open = [part for part in range(n_parts) if not found.is_settled(part, max_covers)]
    if not is_open or effort.left <= 0:
        return answer
    solved = {part: _solve_rest(problem, found, part, rest, effort, max_covers) for part in is_open}
    return _with_parts(answer, found, solved)


def _solve_rest(
    problem: CoverProblem,
    found: KernelAnswer,
    part: int,
    engine: Engine,
    effort: Effort,
    max_covers: int,
) -> tuple[Bounds, ComponentCover]:
    """Returns what the kernel knew of a part, and what the engine makes of it."""
    forced, forbidden = mask_of(found.forced), mask_of(problem.forbidden)
    masks = {
        need: minimal_masks(
            [mask & ~forced for mask in mask_need(problem.needs[need], forbidden).alternatives]
        )
        for need, its_part in enumerate(found.part_of)
        if its_part == part
    }
    component = tuple(sorted(masks.values()))
    union = union_of([mask for need in component for mask in need])
    steps = tuple([(masks[need], n_items) for need, n_items in found.steps if need in masks])
    bounds = Bounds(mask_of(found.cover) & union, steps, union)
    answer = engine(component, bounds, effort, max_covers)
    return bounds, replace(answer, lower=max(answer.lower, found.lowers[part]))


def _with_parts(
    answer: MinimalCover, found: KernelAnswer, solved: dict[int, tuple[Bounds, ComponentCover]]
) -> MinimalCover:
    """Returns the answer with what was found out about parts since."""
    cover, every, possible = found.cover, found.every, found.possible
    stages, lowers = [*found.stages], [*found.lowers]
    counts, exact = [*found.counts], [*found.exact]
    for part, (bounds, news) in solved.items():
        union = frozenset(items_of(bounds.union))
        cover = (cover - union) | frozenset(items_of(news.cover))
        every = (every - union) | frozenset(items_of(news.every))
        possible = (possible - union) | frozenset(items_of(news.possible))
        stages[part], lowers[part] = not news.complete, news.lower
        counts[part], exact[part] = news.n_covers, news.n_covers_exact
    return replace(
        answer,
        status=Status.FEASIBLE if any(stages) else Status.OPTIMAL,
        cover=cover,
        lower=len(found.forced) + sum(lowers),
        upper=len(cover),
        n_covers=None if any(stages) else prod(counts),
        n_covers_exact=all(exact),
        in_every=every,
        in_none=found.mentioned - possible,
    )

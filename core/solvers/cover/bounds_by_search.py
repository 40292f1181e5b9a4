"""Solves minimal cover problems however long it takes, telling bounds on the way.

Easy components first; each of the others goes to the kernel, where it is there, then to MaxSAT,
which raises the lower bound core by core, while another thread looks for smaller covers: both
release Python's lock. When a component has many items and MaxSAT is not done soon, smaller covers
are looked for first, then HiGHS takes over, which does not release it: they are then looked for
whenever it pauses. Runs in the worker process.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.component import Bounds, ComponentCover, unsolved
from awase.core.solvers.cover.engines.compiled import STEPS_A_PART, solve_compiled
from awase.core.solvers.cover.engines.table import DEFAULT_ENGINE, engine_named
from awase.core.solvers.cover.presolve import (
    Component,
    Presolved,
    mask_need,
    presolve,
    without_implied,
)
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.smaller_covers import CoverImprover
from awase.core.solvers.cover.solving import Part, assemble
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import mask_of
from awase.core.solvers.status import Status

Parts = dict[Component, Part]
"""Answers by component, as `CoverSession.learn` takes them."""

_Tell = Callable[[ComponentCover], None]

LARGE_COMPONENT = 250
"""Beyond so many items HiGHS takes over when MaxSAT has not finished soon."""

FEW_COVERS = 10
"""HiGHS counts minimal covers up to this number: each takes it as long as h itself."""

HEAD_START_S = 0.3
"""Before smaller covers are looked for: most components are solved by then."""

IDLE_ROUNDS = 25
"""So long smaller covers of a large component are looked for in vain before HiGHS takes over, and
whenever it pauses, some times a second, or the more seldom the more often it was in vain."""

LONGEST_PAUSE = 32
"""So many pauses of HiGHS pass at most until smaller covers are looked for again."""

EASY = 50_000

STEPS_OF_NEWS = 30_000
"""So many are made on easy components between two news, which may take as long."""

MANY_ITEMS = 64
"""Of a component of more, h is told before it is sought what all minimal covers have in common,
which may take twenty times as long."""

SOON = 150_000
"""Steps that MaxSAT is given for a large component: one to two seconds, as its formula is large."""

STEPS_A_LARGE_PART = 500_000
"""Steps that the kernel is given for one, about as long: if it is near, it has mostly ended."""

FEW_CORES = 6
"""Where the bounds are nearer than this part of h, MaxSAT needs few cores, and takes over as soon:
it raises the lower bound by one with each, which the kernel does at the end only."""


class _Progress:
    """The best known of each component; tells the whole whenever a bound has moved."""

    def __init__(
        self,
        presolved: Presolved,
        bounds: Mapping[Component, Bounds],
        on_news: Callable[[MinimalCover], None],
    ) -> None:
        self.known = {leaf: unsolved(bound, 0) for leaf, bound in bounds.items()}
        self._presolved = presolved
        self._on_news = on_news
        n_forced = presolved.forced.bit_count()
        self._lower = n_forced + sum([leaf.lower for leaf in self.known.values()])
        self._upper = n_forced + sum([leaf.cover.bit_count() for leaf in self.known.values()])
        self._shown = (-1, -1)
        self._lock = threading.Lock()

    def answer(self) -> MinimalCover:
        return assemble(self._presolved, [tuple(self.known.values())])

    def take_answer(self, leaf: Component, answer: ComponentCover) -> None:
        """Keeps what is known of a component, and tells the whole if a bound has moved."""
        self.keep(leaf, answer)
        self.tell()

    def keep(self, leaf: Component, answer: ComponentCover) -> None:
        with self._lock:
            self._keep(leaf, answer)

    def _keep(self, leaf: Component, answer: ComponentCover) -> None:
        before = self.known[leaf]
        if before.complete:
            return
        if not answer.complete and answer.lower < before.lower:
            answer = replace(answer, lower=before.lower)
        if not answer.complete and before.cover.bit_count() < answer.cover.bit_count():
            answer = replace(answer, cover=before.cover)
        self.known[leaf] = answer
        self._lower += answer.lower - before.lower
        self._upper += answer.cover.bit_count() - before.cover.bit_count()

    def tell(self) -> None:
        """Tells the whole if a bound has moved, which takes long where there are many parts."""
        with self._lock:
            if (self._lower, self._upper) == self._shown:
                return
            now = self.answer()
            if now.status is Status.FEASIBLE:
                self._shown = (self._lower, self._upper)
                self._on_news(now)


def solve_reporting_bounds(
    problem: CoverProblem, max_covers: int, on_news: Callable[[MinimalCover], None]
) -> tuple[MinimalCover, Parts]:
    """Returns the answer for `problem`, and that for each of its components.

    Args:
        problem: What has to be covered.
        max_covers: As in `minimal_cover`.
        on_news: Called with a FEASIBLE answer whenever a bound has moved.
    """
    presolved = presolve([mask_need(need, mask_of(problem.forbidden)) for need in problem.needs])
    leaves = {component: without_implied(component) for component in presolved.components}
    bounds = {leaf: bounds_of(leaf) for group in leaves.values() for leaf in group}
    progress = _Progress(presolved, bounds, on_news)
    steps = 0.0
    for leaf in sorted(bounds, key=len):
        steps += _solve_if_easy(leaf, bounds[leaf], max_covers, progress)
        if steps > STEPS_OF_NEWS:
            progress.tell()
            steps = 0.0
    progress.tell()
    for leaf in sorted(bounds, key=len):
        if not progress.known[leaf].complete:
            take = partial(progress.take_answer, leaf)
            take(solve_hard(leaf, bounds[leaf], max_covers, take, progress.known[leaf]))
    parts = {
        component: tuple([progress.known[leaf] for leaf in group])
        for component, group in leaves.items()
    }
    return progress.answer(), parts


def _solve_if_easy(leaf: Component, bounds: Bounds, max_covers: int, progress: _Progress) -> float:
    """Keeps what a short search finds out of a component; returns the steps that it took."""
    first, second = Effort(EASY), Effort(EASY)
    is_easy = True
    if bounds.union.bit_count() > MANY_ITEMS:
        size = solve_compiled(leaf, bounds, first, 0)
        progress.take_answer(leaf, size or unsolved(bounds, 0))
        is_easy = size is None or size.is_settled(0)
    if is_easy:  # else as long a search for more would not even find h
        progress.keep(leaf, _auto(leaf, bounds, second, max_covers))
    return 2 * EASY - first.left - second.left


def _cover_told(bounds: Bounds, tell: _Tell) -> Callable[[int], None]:
    return lambda cover: tell(replace(unsolved(bounds, 0), cover=cover))


@contextmanager
def _improving(leaf: Component, bounds: Bounds, tell: _Tell) -> Iterator[None]:
    """Looks for smaller covers on another thread as long as the block runs."""
    over = threading.Event()

    def work() -> None:
        if not over.wait(HEAD_START_S):
            improver = CoverImprover(leaf, bounds.cover)
            improver.improve(_cover_told(bounds, tell), is_wanted=lambda: not over.is_set())

    thread = threading.Thread(target=work, name="improving", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _auto(leaf: Component, bounds: Bounds, effort: Effort, max_covers: int) -> ComponentCover:
    return engine_named(DEFAULT_ENGINE)(leaf, bounds, effort, max_covers)


def solve_hard(
    leaf: Component,
    bounds: Bounds,
    max_covers: int,
    tell: _Tell,
    known: ComponentCover | None = None,
) -> ComponentCover:
    """Returns the answer for a component that is not easy, telling bounds on the way.

    Args:
        leaf: The component.
        bounds: Known of it without search.
        max_covers: As in `minimal_cover`.
        tell: Takes bounds.
        known: By a short search.
    """
    if bounds.union.bit_count() <= LARGE_COMPONENT:
        with _improving(leaf, bounds, tell):
            steps = STEPS_A_PART
            if (
                known is not None
                and 0 < known.cover.bit_count() - known.lower <= known.lower / FEW_CORES
            ):
                steps = STEPS_A_LARGE_PART
            found = _by_kernel(leaf, bounds, Effort(steps), max_covers, tell)
            return found if found.complete else by_maxsat(leaf, bounds, max_covers, tell)
    effort = Effort(STEPS_A_LARGE_PART)
    found = _by_kernel(leaf, bounds, effort, max_covers, tell)
    # Too large for the kernel, or it is not there; of some parts h takes it no steps, however.
    if not found.complete and effort.left == STEPS_A_LARGE_PART:
        found = _auto(leaf, bounds, Effort(SOON), max_covers)
    if found.complete:
        return found
    tell(found)
    improver = CoverImprover(leaf, found.cover)
    improver.improve(_cover_told(bounds, tell), most_idle_rounds=IDLE_ROUNDS)
    return _by_highs(leaf, bounds, min(max_covers, FEW_COVERS), tell, improver)


def _by_kernel(
    leaf: Component, bounds: Bounds, effort: Effort, max_covers: int, tell: _Tell
) -> ComponentCover:
    """Returns what the kernel finds within the effort, where it is, telling h before the rest."""
    steps = effort.left
    found = solve_compiled(leaf, bounds, effort, 0)
    if found is None:
        return unsolved(bounds, 0)
    tell(found)
    if not found.is_settled(0):
        return found
    return solve_compiled(leaf, bounds, Effort(steps), max_covers) or found


def by_maxsat(leaf: Component, bounds: Bounds, max_covers: int, tell: _Tell) -> ComponentCover:
    """Returns the answer that MaxSAT finds, telling lower bounds and the first minimal cover."""
    from awase.core.solvers.cover.engines.maxsat import solve_by_maxsat  # 36 ms to import

    def on_lower(lower: int) -> None:
        tell(unsolved(bounds, lower))

    def on_minimal(cover: int) -> None:
        tell(replace(unsolved(bounds, cover.bit_count()), cover=cover))

    return solve_by_maxsat(leaf, bounds, Effort(), max_covers, on_lower, on_minimal)


def _by_highs(
    leaf: Component, bounds: Bounds, max_covers: int, tell: _Tell, improver: CoverImprover
) -> ComponentCover:
    from awase.core.solvers.cover.engines.highs import solve_by_highs  # 125 ms to import

    def on_bounds(lower: int, cover: int | None) -> None:
        known = unsolved(bounds, lower)
        tell(known if cover is None else replace(known, cover=cover))

    between, waited = 1, 0

    def on_pause() -> None:
        nonlocal between, waited
        waited += 1
        if waited < between:
            return
        before, waited = improver.best, 0
        improver.improve(_cover_told(bounds, tell), most_idle_rounds=IDLE_ROUNDS)
        between = 1 if improver.best != before else min(2 * between, LONGEST_PAUSE)

    return solve_by_highs(leaf, bounds, Effort(), max_covers, on_bounds, on_pause)

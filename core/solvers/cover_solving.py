"""Minimal covers: `minimal_cover(problem)`, and `CoverSession` for one that is edited.

Presolve, one engine for each independent component, assembly. `auto`, the default, searches small
components in Python and passes others to MaxSAT; `search`, `maxsat` and `ilp` treat all alike, and
one conformance suite runs them all against brute force.

Slow ones are solved in a thread, with bounds meanwhile. The SAT solver runs without the GIL and is
interruptible: over ten hard problems the main thread waited 36 ms at most, and the search ended 4
to 90 ms after a request to stop.
"""

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from operator import is_not
from typing import Protocol

from awase.core.solvers.cover import (
    Bounds,
    Certificate,
    CertificateStep,
    Component,
    CoverProblem,
    Effort,
    EffortSpent,
    MinimalCover,
    Need,
    NeedMasks,
    Presolved,
    Status,
    StoppableEffort,
    bounds_of,
    items_of,
    mask_need,
    mask_of,
    presolve,
    rough_bounds_of,
    without_implied,
)
from awase.core.solvers.cover_component import (
    ComponentCover,
    OnNews,
    all_minimal_covers,
    from_all_covers,
    ignore_news,
    size_alone,
    solve_by_search,
    unsolved,
)

DEFAULT_ENGINE = "auto"

MAX_COVERS = 1000  # up to so many minimal covers are counted in each independent part of a problem

# Steps within which a problem may be solved in place: less than a frame of the window (16 ms).
IN_PLACE_EFFORT = 8_000

_STEPS_A_NEED = 10  # for presolve and bounds

# Beyond this number of needs even bounds are slow, and rough ones are used.
_MANY_NEEDS = 2_000

# Beyond so many steps MaxSAT is faster than our search (measured by `benchmarks/cover.py`).
_SEARCH_STEPS = 1_500

MAX_COMPONENTS = 4096

Part = tuple[ComponentCover, ...]  # the answers for what implied needs leave of one component


class Engine(Protocol):
    """Solves one component."""

    def __call__(
        self,
        component: Component,
        bounds: Bounds,
        effort: Effort,
        max_covers: int,
        on_news: OnNews = ignore_news,
        /,
    ) -> ComponentCover:
        """Returns its minimal covers, counted up to `max_covers`, or bounds."""
        ...


def engine_named(name: str) -> Engine:
    """Returns the engine; `ValueError` if unknown."""
    if name not in ENGINES:
        raise ValueError(f"no cover engine {name!r}; there are {', '.join(ENGINES)}")
    return ENGINES[name]


def solve_component(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    """Returns the minimal covers of `component`, by search where that is quick, else by MaxSAT."""
    if not max_covers and bounds.lower == bounds.cover.bit_count():
        return size_alone(bounds.cover, bounds)
    if len(component) == 1:  # its shortest alternatives are its minimal covers, however many
        fewest = min(map(int.bit_count, component[0]))
        return from_all_covers(
            [mask for mask in component[0] if mask.bit_count() == fewest], bounds, max_covers
        )
    allowed = min(effort.left, _SEARCH_STEPS)
    search_effort = Effort(allowed)
    try:
        covers = all_minimal_covers(component, bounds, search_effort)
    except EffortSpent:
        effort.left -= allowed
        return _maxsat(component, bounds, effort, max_covers, on_news)
    effort.left -= allowed - search_effort.left
    return from_all_covers(covers, bounds, max_covers)


def _maxsat(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    from awase.core.solvers.cover_maxsat import solve_by_maxsat  # 36 ms to import, seldom needed

    return solve_by_maxsat(component, bounds, effort, max_covers, on_news)


def _ilp(
    component: Component,
    bounds: Bounds,
    effort: Effort,
    max_covers: int,
    on_news: OnNews = ignore_news,
) -> ComponentCover:
    from awase.core.solvers.cover_ilp import solve_by_ilp  # 120 ms to import

    return solve_by_ilp(component, bounds, effort, max_covers, on_news)


ENGINES: Mapping[str, Engine] = {
    "auto": solve_component,
    "search": solve_by_search,
    "maxsat": _maxsat,
    "ilp": _ilp,
}


def minimal_cover(
    problem: CoverProblem,
    *,
    engine: str = DEFAULT_ENGINE,
    max_covers: int = MAX_COVERS,
    effort: int | None = None,
) -> MinimalCover:
    """Returns h, a minimal cover and the backbone of all minimal covers.

    Args:
        max_covers: Limit of counting in each independent part; 0 = h is enough: the result is then
            FEASIBLE with equal bounds where the rest is unknown.
        effort: Limit in steps of about a microsecond, None for no limit. Beyond it the result is
            FEASIBLE, with bounds, deterministically.
    """
    limit = Effort(effort)
    solve = engine_named(engine)
    presolved = presolve([mask_need(need, mask_of(problem.forbidden)) for need in problem.needs])
    return assemble(
        presolved,
        [
            solve_part(component, solve, limit, max_covers)
            for component in sorted(presolved.components, key=len)
        ],
        max_covers,
    )


def solve_part(
    component: Component, engine: Engine, effort: Effort, max_covers: int = MAX_COVERS
) -> Part:
    """Solves `component` without implied needs; `effort` is reduced."""
    effort.left -= _STEPS_A_NEED * len(component)
    if effort.left < 0 and len(component) > _MANY_NEEDS:
        bounds = rough_bounds_of(component)
        return (engine(component, bounds, effort, max_covers),)
    leaves = without_implied(component)
    return tuple([engine(leaf, bounds_of(leaf), effort, max_covers) for leaf in leaves])


def assemble(
    presolved: Presolved, parts: Iterable[Part], max_covers: int = MAX_COVERS
) -> MinimalCover:
    """Merges the answers of all components."""
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
        is_final=all([leaf.is_final(max_covers) for leaf in leaves]),
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


class CoverSession:
    """Solves similar problems one after the other, with an LRU cache of components.

    The answers are those of `minimal_cover`. One session is for one topic, as items must always
    mean the same sentences.
    """

    def __init__(self) -> None:
        self._forbidden: frozenset[int] = frozenset()
        self._needs: dict[Need, NeedMasks] = {}
        self._parts: dict[Component, tuple[Part, float]] = {}

    def solve(self, problem: CoverProblem, *, effort: int | None = None) -> MinimalCover:
        """Returns the answer for `problem`, with the effort of `minimal_cover`.

        Cached components cost none; one that was too hard is retried only with more.
        """
        presolved = presolve(self._masks(problem))
        limit = Effort(effort)
        parts = [
            self._part(component, limit, math.inf if effort is None else effort)
            for component in sorted(presolved.components, key=len)
        ]
        while len(self._parts) > MAX_COMPONENTS:
            del self._parts[next(iter(self._parts))]
        return assemble(presolved, parts)

    @property
    def n_components(self) -> int:
        """Number of cached components."""
        return len(self._parts)

    def learn(self, parts: Mapping[Component, Part]) -> None:
        """Adds answers from elsewhere with the same options."""
        for component, part in parts.items():
            self._parts[component] = (part, math.inf)

    def _masks(self, problem: CoverProblem) -> list[NeedMasks]:
        """Returns the needs as bits, cached from the last problem."""
        known = self._needs if problem.forbidden == self._forbidden else {}
        forbidden = mask_of(problem.forbidden)
        masks = [known.get(need) or mask_need(need, forbidden) for need in problem.needs]
        self._needs = dict(zip(problem.needs, masks, strict=True))
        self._forbidden = problem.forbidden
        return masks

    def _part(self, component: Component, limit: Effort, effort: float) -> Part:
        part, tried = self._parts.pop(component, ((), -1.0))
        if tried < effort:
            part = solve_part(component, solve_component, limit)
            is_final = all([leaf.is_final(MAX_COVERS) for leaf in part])
            tried = math.inf if is_final else effort
        self._parts[component] = (part, tried)
        return part


def bounds_after_edit(
    before: CoverProblem, known: MinimalCover, problem: CoverProblem
) -> MinimalCover | None:
    """Returns a cover of `problem` and bounds derived from the answer before an edit, or None.

    A removed need accounts for no more items than its shortest alternative, as that and a cover of
    the others cover it, too; an added need can only require more.
    """
    if known.cover is None or known.lower is None or before.forbidden != problem.forbidden:
        return None
    old, now = _differing(before.needs, problem.needs)
    lower = known.lower - sum([min(map(len, _allowed(need, problem))) for need in old - now])
    cover = known.cover
    for need in now - old:
        allowed = _allowed(need, problem)
        if not allowed:
            return None
        cover |= min(allowed, key=lambda alternative: len(alternative - cover))
    return MinimalCover(
        status=Status.FEASIBLE,
        cover=cover,
        lower=max(lower, min(1, len(problem.needs))),
        upper=len(cover),
        is_final=False,
        certificate=Certificate(forced=frozenset(), steps=()),
    )


def _differing(before: Sequence[Need], needs: Sequence[Need]) -> tuple[set[Need], set[Need]]:
    """Returns the needs of either, without most of the common ones."""
    if len(before) == len(needs):  # identical objects need no hashing
        is_other = [*map(is_not, before, needs)]
        return set(compress(before, is_other)), set(compress(needs, is_other))
    return set(before), set(needs)


def _allowed(need: Need, problem: CoverProblem) -> list[frozenset[int]]:
    return [one for one in need if not one & problem.forbidden]


# Steps tried in the caller's thread first: nearly all problems end there, always the same ones.
EASY = 50_000

_HEARTBEAT_S = 0.1


def wait_for_cover(
    problem: CoverProblem,
    on_news: Callable[[MinimalCover], None],
    *,
    size_only: bool = False,
    time_limit_s: float | None = None,
) -> MinimalCover:
    """Returns the proved answer, or the best one with bounds at the time limit.

    Unless the problem is easy, `on_news` is called at once and about ten times a second with the
    best so far; raising ends the search. With `size_only` h is enough, and the answer may lack the
    rest.
    """
    answer = minimal_cover(problem, effort=EASY, max_covers=0 if size_only else MAX_COVERS)
    if answer.is_final or (size_only and answer.h is not None):
        return answer
    search = CoverThread(max_covers=0 if size_only else MAX_COVERS)
    try:
        on_news(answer)
        search.start(problem, deadline_s=time_limit_s)
        while search.running:
            answer = better_of(answer, search.poll(_HEARTBEAT_S))
            on_news(answer)
    finally:
        search.close()
    return answer


def better_of(known: MinimalCover, news: MinimalCover | None) -> MinimalCover:
    """Merges news into known bounds."""
    if news is None:
        return known
    lower, upper = known.lower, known.upper
    if lower is not None and news.lower is not None and news.lower < lower:
        news = replace(news, lower=lower, certificate=known.certificate)
    if upper is not None and news.upper is not None and upper < news.upper:
        news = replace(news, upper=upper, cover=known.cover)
    return news


class CoverThread:
    """Solves one problem at a time in a thread, without blocking the caller.

    Usage: `start`, then `poll` until `running` is False. Each `poll` returns the news: FEASIBLE
    with the bounds so far, at last OPTIMAL or INFEASIBLE; TIMED_OUT, with the last bounds, at the
    deadline. `cancel` at any time; `close` also joins the thread.
    """

    def __init__(
        self, session: CoverSession | None = None, *, max_covers: int = MAX_COVERS
    ) -> None:
        """`max_covers` as in `minimal_cover`; the same as the session's."""
        self._session = session
        self._max_covers = max_covers
        self._run: _Run | None = None
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether there is more to poll for."""
        return self._run is not None

    def start(self, problem: CoverProblem, *, deadline_s: float | None = None) -> None:
        """Starts to solve `problem`, cancelling a running search."""
        self.cancel()
        self._run = run = _Run(problem, self._max_covers, deadline_s)
        self._thread = threading.Thread(target=run.solve, name="cover", daemon=True)
        self._thread.start()

    def poll(self, timeout_s: float = 0.0) -> MinimalCover | None:
        """Returns the newest answer, None without any in `timeout_s`; `RuntimeError` on failure."""
        run = self._run
        if run is None or not run.wait_for_news(timeout_s):
            return None
        if run.is_over:
            self.close()
            if run.error is not None:
                raise RuntimeError("the search for a cover failed") from run.error
            if self._session is not None:
                self._session.learn(run.parts())
        return run.answer()

    def cancel(self) -> None:
        """Stops the search, if one is running, and forgets its answer."""
        if self._run is not None:
            self._run.stop()
            self._run = None

    def close(self) -> None:
        """Stops the search and joins the thread, within hundredths of a second."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


class _Run:
    """A running search, and the state of each component."""

    def __init__(self, problem: CoverProblem, max_covers: int, deadline_s: float | None) -> None:
        self.is_over = False
        self.error: BaseException | None = None
        self._problem = problem
        self._max_covers = max_covers
        self._effort = StoppableEffort()
        self._changed = threading.Condition()
        self._has_news = False
        self._presolved: Presolved | None = None
        self._leaves: dict[Component, tuple[Component, ...]] = {}
        self._known: dict[Component, ComponentCover] = {}
        self._deadline = threading.Timer(deadline_s or 0.0, self._effort.stop)
        self._deadline.daemon = True
        self._has_deadline = deadline_s is not None

    def solve(self) -> None:
        """Solves it; runs in the thread."""
        if self._has_deadline:
            self._deadline.start()
        try:
            self._solve()
        except EffortSpent:
            pass
        except BaseException as error:
            self.error = error
        finally:
            if self._has_deadline:
                self._deadline.cancel()
                self._deadline.join()
            with self._changed:
                self.is_over = self._has_news = True
                self._changed.notify_all()

    def _solve(self) -> None:
        problem, effort = self._problem, self._effort
        forbidden = mask_of(problem.forbidden)
        presolved = presolve([mask_need(need, forbidden) for need in problem.needs])
        leaves = {component: without_implied(component) for component in presolved.components}
        bounds: dict[Component, Bounds] = {}
        for group in leaves.values():
            for leaf in group:
                bounds[leaf] = bounds_of(leaf)
        with self._changed:
            self._leaves = leaves
            self._known = {leaf: unsolved(bound, 0) for leaf, bound in bounds.items()}
            self._presolved = presolved
        for leaf in sorted(bounds, key=len):
            effort.spend(0)
            note = partial(self._note, leaf)
            note(solve_component(leaf, bounds[leaf], effort, self._max_covers, note))

    def _note(self, leaf: Component, answer: ComponentCover) -> None:
        with self._changed:
            before = self._known[leaf]
            self._known[leaf] = answer
            if (before.lower, before.cover) != (answer.lower, answer.cover):
                self._has_news = True
                self._changed.notify_all()

    def stop(self) -> None:
        """Requests the thread to stop."""
        self._effort.stop()

    def wait_for_news(self, timeout_s: float) -> bool:
        """Waits for news; returns whether there are any."""
        with self._changed:
            has_news = self._changed.wait_for(lambda: self._has_news, timeout_s)
            self._has_news = self.is_over
        return has_news

    def answer(self) -> MinimalCover:
        with self._changed:
            presolved, known = self._presolved, tuple(self._known.values())
        if presolved is None:  # stopped before any result
            answer = minimal_cover(self._problem, effort=0, max_covers=self._max_covers)
        else:
            answer = assemble(presolved, [known], self._max_covers)
        if self.is_over and answer.status is Status.FEASIBLE and not answer.is_final:
            return replace(answer, status=Status.TIMED_OUT)
        return answer

    def parts(self) -> dict[Component, Part]:
        """Returns the answers of finished components."""
        parts = {
            component: tuple([self._known[leaf] for leaf in group])
            for component, group in self._leaves.items()
        }
        most = self._max_covers
        return {
            component: part
            for component, part in parts.items()
            if all([answer.is_final(most) for answer in part])
        }

"""Slow minimal covers: solved in a thread, with bounds meanwhile.

The SAT solver runs without the GIL and is interruptible: over ten hard problems the main thread
waited 36 ms at most, and the search ended 4 to 90 ms after a request to stop.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from awase.core.solvers.cover import (
    Bounds,
    Component,
    CoverProblem,
    MinimalCover,
    Presolved,
    bounds_of,
    mask_need,
    presolve,
    without_implied,
)
from awase.core.solvers.cover_component import ComponentCover, unsolved
from awase.core.solvers.cover_solving import (
    MAX_COVERS,
    CoverSession,
    Part,
    assemble,
    minimal_cover,
    solve_component,
)
from awase.core.solvers.effort import EffortSpent, Status, StoppableEffort
from awase.core.solvers.masks import mask_of

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
    """Returns the proved answer, or the best one at the time limit.

    Args:
        on_news: Called at once and about ten times a second with the best answer so far, unless
            the problem is easy; raising ends the search.
        size_only: Whether h is enough, so that the answer may lack the rest.
        time_limit_s: Seconds until TIMED_OUT, with bounds; None = no limit.
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

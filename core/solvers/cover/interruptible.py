"""Solves a minimal cover problem while the caller waits, and lets it stop waiting."""

from collections.abc import Callable
from dataclasses import replace

from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.solving import MAX_COVERS, minimal_cover
from awase.core.solvers.status import Status

EASY = 50_000
"""Steps tried in this process first, some hundredths of a second: nearly all problems end there."""

_HEARTBEAT_S = 0.1


def wait_for_cover(
    problem: CoverProblem,
    on_news: Callable[[MinimalCover], None],
    *,
    size_only: bool = False,
    time_limit_s: float | None = None,
) -> MinimalCover:
    """Returns the proved answer, or the best one known when the time is over.

    A problem that is not easy is solved in a worker process, as the SAT solver cannot be
    interrupted in this one.

    Args:
        problem: What has to be covered.
        on_news: Called at once and about ten times a second with the best answer so far, unless
            the problem is easy; what it raises ends the worker process and is raised here.
        size_only: Whether h is enough, so that the answer may lack the rest.
        time_limit_s: Seconds for the worker process, after which the answer is TIMED_OUT, with
            bounds; None = however long it takes.
    """
    answer = minimal_cover(problem, effort=EASY, max_covers=0 if size_only else MAX_COVERS)
    if answer.status is not Status.FEASIBLE or (size_only and answer.h is not None):
        return answer
    from awase.core.solvers.cover.worker_process import CoverWorker  # seldom needed

    worker = CoverWorker(max_covers=1 if size_only else MAX_COVERS)
    try:
        on_news(answer)
        worker.start(problem, deadline_s=time_limit_s)
        while worker.running:
            answer = better_of(answer, worker.poll(_HEARTBEAT_S))
            on_news(answer)
            if size_only and answer.h is not None:
                break
    finally:
        worker.cancel()
    return answer


def better_of(known: MinimalCover, news: MinimalCover | None) -> MinimalCover:
    """Returns the news with what was known before where that says more."""
    if news is None:
        return known
    lower, upper = known.lower, known.upper
    if lower is not None and news.lower is not None and news.lower < lower:
        news = replace(news, lower=lower, certificate=known.certificate)
    if upper is not None and news.upper is not None and upper < news.upper:
        news = replace(news, upper=upper, cover=known.cover)
    return news

"""Solves a minimal cover problem while the caller waits, and lets it stop waiting."""

from collections.abc import Callable

from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.process import CoverWorker
from awase.core.solvers.cover.solving import MAX_COVERS, minimal_cover
from awase.core.solvers.status import Status

_EASY = 50_000
"""Steps tried in this process first, some hundredths of a second: nearly all problems end there."""

_HEARTBEAT_S = 0.1


def wait_for_cover(
    problem: CoverProblem,
    on_news: Callable[[MinimalCover], None],
    *,
    max_covers: int = MAX_COVERS,
    size_only: bool = False,
) -> MinimalCover:
    """Returns the proved answer, however long it takes.

    A problem that is not easy is solved in a worker process, as the SAT solver cannot be
    interrupted in this one.

    Args:
        problem: What has to be covered.
        on_news: Called about ten times a second with the best answer so far; what it raises ends
            the worker process and is raised here.
        max_covers: As in `minimal_cover`.
        size_only: Whether h is enough, so that the answer may lack the rest.
    """
    answer = minimal_cover(problem, effort=_EASY, max_covers=1 if size_only else max_covers)
    if answer.status is not Status.FEASIBLE or (size_only and answer.h is not None):
        return answer
    worker = CoverWorker(max_covers=1 if size_only else max_covers)
    worker.start(problem)
    try:
        while worker.running:
            answer = worker.poll(_HEARTBEAT_S) or answer
            on_news(answer)
    finally:
        worker.cancel()
    return answer

"""Bounds on h after an edit, from what was known before: no search, no look at other needs."""

from collections.abc import Sequence
from itertools import compress
from operator import is_not

from awase.core.solvers.cover.problem import Certificate, CoverProblem, MinimalCover, Need
from awase.core.solvers.status import Status


def bounds_after_edit(
    before: CoverProblem, known: MinimalCover, problem: CoverProblem
) -> MinimalCover | None:
    """Returns a cover of `problem` and bounds; None where they do not follow from what was known.

    A need that is gone asked for no more items than its shortest alternative has, as that and a
    cover of the others cover it, too; a need that is new can only ask for more.

    Args:
        before: The problem before the edit.
        known: The answer for it, or bounds.
        problem: The problem after it, of few other needs.
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
        certificate=Certificate(forced=frozenset(), steps=()),
    )


def _differing(before: Sequence[Need], needs: Sequence[Need]) -> tuple[set[Need], set[Need]]:
    """Returns the needs of either, without most of those that both have."""
    if len(before) == len(needs):  # none of thousands is hashed where they are the same objects
        is_other = [*map(is_not, before, needs)]
        return set(compress(before, is_other)), set(compress(needs, is_other))
    return set(before), set(needs)


def _allowed(need: Need, problem: CoverProblem) -> list[frozenset[int]]:
    return [one for one in need if not one & problem.forbidden]

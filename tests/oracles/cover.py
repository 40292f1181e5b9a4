"""Minimal covers by trying every set of items, smallest first: slow and obvious."""

from itertools import combinations

from awase.core.solvers.cover import CoverProblem, MinimalCover, Status


def brute_force(problem: CoverProblem) -> MinimalCover:
    """Returns the answer for a problem of about 12 items at most; without a certificate.

    `n_covers` is the number of all minimal covers.
    """
    mentioned = frozenset(i for need in problem.needs for alternative in need for i in alternative)
    conflict = tuple(
        n
        for n, need in enumerate(problem.needs)
        if not any(not a & problem.forbidden for a in need)
    )
    if conflict:
        return MinimalCover(status=Status.INFEASIBLE, conflict=conflict, in_none=mentioned)
    items = sorted(mentioned - problem.forbidden)
    for size in range(len(items) + 1):
        covers = [
            frozenset(chosen)
            for chosen in combinations(items, size)
            if is_cover(frozenset(chosen), problem)
        ]
        if covers:
            return MinimalCover(
                status=Status.OPTIMAL,
                cover=covers[0],
                lower=size,
                upper=size,
                n_covers=len(covers),
                in_every=frozenset.intersection(*covers),
                in_none=mentioned - frozenset().union(*covers),
            )
    raise AssertionError("the set of all items is a cover")


def is_cover(items: frozenset[int], problem: CoverProblem) -> bool:
    return not items & problem.forbidden and all(
        any(alternative <= items for alternative in need) for need in problem.needs
    )

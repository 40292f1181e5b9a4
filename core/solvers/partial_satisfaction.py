"""Maximal partial satisfaction by a limited number of items.

A need offers alternatives, each a set of items; it is satisfied to the share of its fullest
alternative. Maximise the weighted sum over needs with at most `most` items.

Model, solved by CBC: x_s = item s is chosen; y_a = alternative a is the one that counts for its
need, sum of y_a over a need <= 1; v_as <= x_s, v_as <= y_a; the objective is the sum of
weight / |a| * v_as. With x and y binary, v may be continuous. Unlike in Coverage's minimal cover,
needs count in part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from awase.core.solvers.cover import Status

Alternatives = tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCoverProblem:
    """A problem of partial satisfaction."""

    needs: tuple[Alternatives, ...]  # the alternatives of each need; at least one each, none empty
    weights: tuple[Fraction, ...]  # of each need, at least 0
    most: int  # how many items may be held, at least 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCover:
    """Items and what they satisfy."""

    items: frozenset[int]
    value: Fraction
    bound: float  # no choice has more; equal to `value` when the status is OPTIMAL
    status: Status  # OPTIMAL, or TIMED_OUT when it was stopped


def satisfied(problem: PartialCoverProblem, items: frozenset[int]) -> Fraction:
    """Returns the exact weighted sum over needs of the shares, 0..1, that `items` satisfy."""
    return sum(
        (
            weight * max(Fraction(len(items & a), len(a)) for a in alternatives)
            for alternatives, weight in zip(problem.needs, problem.weights, strict=True)
        ),
        Fraction(0),
    )


def best_partial_cover(
    problem: PartialCoverProblem,
    *,
    on_wait: Callable[[], None] = lambda: None,
    timeout_s: float | None = None,
) -> PartialCover:
    """Returns a smallest set of items of the highest value.

    Args:
        on_wait: Called some ten times a second; raising ends the search.
        timeout_s: Seconds until the best so far is returned with a bound; None = no limit.
    """
    if not problem.needs or problem.most <= 0:
        return PartialCover(items=frozenset(), value=Fraction(0), bound=0.0, status=Status.OPTIMAL)
    found, bound, is_optimal = _solved(problem, on_wait, timeout_s)
    items = _without_idle(problem, found)
    value = satisfied(problem, items)
    return PartialCover(
        items=items,
        value=value,
        bound=float(value) if is_optimal else max(bound, float(value)),
        status=Status.OPTIMAL if is_optimal else Status.TIMED_OUT,
    )


def _without_idle(problem: PartialCoverProblem, items: frozenset[int]) -> frozenset[int]:
    """Drops idle items, the highest first."""
    kept, value = items, satisfied(problem, items)
    for item in sorted(items, reverse=True):
        fewer = kept - {item}
        if satisfied(problem, fewer) == value:
            kept = fewer
    return kept


def _solved(
    problem: PartialCoverProblem, on_wait: Callable[[], None], timeout_s: float | None
) -> tuple[frozenset[int], float, bool]:
    """Returns the best items, a bound, and whether they are optimal."""
    from awase.core.solvers.ilp import Expression, Program, is_one, total  # 120 ms to import

    program = Program(timeout_s, lambda _: on_wait())
    items = sorted({item for need in problem.needs for a in need for item in a})
    x = {item: program.binary() for item in items}
    program.require(total(x.values()) <= problem.most)
    gains: list[Expression] = []
    for alternatives, weight in zip(problem.needs, problem.weights, strict=True):
        if not weight:
            continue
        chosen = {a: program.binary() for a in dict.fromkeys(alternatives)}
        program.require(total(chosen.values()) <= 1)
        for alternative, y in chosen.items():
            for item in sorted(alternative):
                held = program.number(1)
                program.require(held <= x[item])
                program.require(held <= y)
                gains.append(float(weight / len(alternative)) * held)
    most = float(sum(problem.weights))
    if not gains:
        return frozenset(), 0.0, True
    status, bound = program.maximise(total(gains))
    is_known = status in (Status.OPTIMAL, Status.FEASIBLE)
    held_items = frozenset(item for item, one in x.items() if is_known and is_one(one))
    return held_items, min(bound, most), status is Status.OPTIMAL

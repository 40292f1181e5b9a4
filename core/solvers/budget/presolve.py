"""Makes a budgeted coverage problem smaller without losing its best set.

Units longer than the limit or without any gain go. A feature that cannot reach its cap twice over,
such as one of a single unit, becomes a plain gain of its units; features that the same units have
equally often become one with a weight. Where only the best set is wanted, a unit goes, too, when a
unit that is shorter (or equally long and earlier) covers all that it could.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from awase.core.solvers.budget.problem import BudgetProblem

Gains = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Features with the same cap that the same units have equally often.

    Attributes:
        weight: How many features they are.
        cap: Of each.
        counts: (unit, how often it has each); units are indices of the reduced problem.
    """

    weight: int
    cap: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReducedProblem:
    """What is left to be decided.

    Attributes:
        units: Index in the problem of each unit left, ascending.
        lengths: Of each unit left.
        own: Of each unit left, what it adds whatever else is chosen.
        groups: Features for which units compete.
        limit: As in the problem.
    """

    units: tuple[int, ...]
    lengths: tuple[int, ...]
    own: tuple[int, ...]
    groups: tuple[Group, ...]
    limit: int


def reduced(problem: BudgetProblem, *, keeps_ties: bool) -> ReducedProblem:
    """Returns the reduced problem.

    Args:
        problem: Any.
        keeps_ties: Whether every irredundant optimal set must survive, and not the best one alone.
    """
    caps = problem.caps
    clipped: dict[int, Gains] = {}
    for unit, gains in enumerate(problem.gains):
        if gains and problem.lengths[unit] <= problem.limit:
            clipped[unit] = {f: min(count, caps[f]) for f, count in gains.items()}
    if not keeps_ties:
        for unit in _dominated(problem, clipped):
            del clipped[unit]
    units = tuple(clipped)
    own = [0] * len(units)
    weight_by_group: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    for feature, counts in _supports(clipped.values()).items():
        if len(counts) == 1 or sum(count for _, count in counts) <= caps[feature]:
            for idx, count in counts:
                own[idx] += count
        else:
            key = caps[feature], tuple(counts)
            weight_by_group[key] = weight_by_group.get(key, 0) + 1
    return ReducedProblem(
        units=units,
        lengths=tuple(problem.lengths[unit] for unit in units),
        own=tuple(own),
        groups=tuple(
            Group(weight=weight, cap=cap, counts=counts)
            for (cap, counts), weight in weight_by_group.items()
        ),
        limit=problem.limit,
    )


def _supports(gains: Iterable[Gains]) -> dict[int, list[tuple[int, int]]]:
    supports: dict[int, list[tuple[int, int]]] = {}
    for idx, of_unit in enumerate(gains):
        for feature, count in of_unit.items():
            supports.setdefault(feature, []).append((idx, count))
    return supports


def _dominated(problem: BudgetProblem, clipped: Mapping[int, Gains]) -> list[int]:
    """Returns units that another one makes useless.

    Only features that the other one brings to their cap by itself are taken for covered, so that a
    unit is useless beside it as well as in its place.
    """
    lengths, caps = problem.lengths, problem.caps
    full: dict[int, set[int]] = {
        unit: {f for f, count in gains.items() if count >= caps[f]}
        for unit, gains in clipped.items()
    }
    bringing: dict[int, list[int]] = {}
    for unit, features in full.items():
        for feature in features:
            bringing.setdefault(feature, []).append(unit)
    gone = []
    for unit, gains in clipped.items():
        rivals = min((bringing.get(f, []) for f in gains), key=len)
        place = lengths[unit], unit
        wanted = gains.keys()
        if any((lengths[r], r) < place and wanted <= full[r] for r in rivals):
            gone.append(unit)
    return gone

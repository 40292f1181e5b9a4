"""Distances of two annotators' families, 0 = equal, 1 = disjoint.

Families are absorbed, and bit sets over the sentences of one topic.

Sources: `alternatives` is the entity-based CEAF of Luo (2005) with Jaccard as the similarity;
    `support` is MASI of Passonneau (2006) on all sentences linked; `function` is the Jaccard
    distance of the two functions' truth tables, which is ours.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import permutations
from operator import getitem
from typing import TYPE_CHECKING, Final

from awase.core.solvers.assignment import assigned
from awase.core.solvers.masks import (
    MOST_STATES,
    Count,
    Family,
    absorbed,
    count_of,
    items_of,
    union_of,
)

if TYPE_CHECKING:  # They bring numpy, which nobody needs to compare two families.
    from awase.core.statistics.alpha import Distances, Floats

UNDEFINED: Final = float("nan")

# Stands for what was not counted yet, as None does for what cannot be counted.
_UNKNOWN: Final = Count(-1, -1)

# Assignments that are tried one by one: up to here that is quicker than an algorithm.
_MOST_TRIED: Final = 120


class SetDistance(StrEnum):
    """Distances, as commands and results name them."""

    ALTERNATIVES = "alternatives"
    FUNCTION = "function"
    SUPPORT = "support"
    EQUAL = "equal"
    STATE = "state"
    RANK = "rank"
    LINKS = "links"


# Those that compare families.
OF_FAMILIES: Final = (
    SetDistance.ALTERNATIVES,
    SetDistance.FUNCTION,
    SetDistance.SUPPORT,
    SetDistance.EQUAL,
)


class FamilyComparer:
    """Compares the families of one topic, with a cache.

    Args:
        most_states: Of `count_of`; beyond it the distance of functions is undefined.
        still_wanted: Called now and then; raising ends the work.
    """

    def __init__(
        self, most_states: int = MOST_STATES, still_wanted: Callable[[], None] = lambda: None
    ) -> None:
        self._most_states = most_states
        self._still_wanted = still_wanted
        self._count_by_family: dict[Family, Count | None] = {}
        self._known: dict[SetDistance, dict[tuple[Family, Family], float]] = {}

    def distance(self, kind: SetDistance, first: Family, second: Family) -> float:
        """Returns the distance of two absorbed families, from 0 to 1; NaN = undefined."""
        if first == second:
            return 0.0
        of_kind = self._known.setdefault(kind, {})
        known = of_kind.get((first, second))
        if known is None:
            known = self._function_of(kind)(first, second)
            of_kind[first, second] = of_kind[second, first] = known
        return known

    def share(self, family: Family) -> float:
        """Returns the probability that a random half of the sentences satisfies the family.

        0..1, higher = the annotator accepts more; NaN when it takes too many states.
        """
        count = self._count(family)
        return UNDEFINED if count is None else count.share

    def distances(
        self, kind: SetDistance, families: Sequence[Family], sharing: Sequence[tuple[int, int]]
    ) -> "Distances":
        """Returns all distances of distinct families; computes `pairs_sharing(families)` singly."""
        import numpy as np

        from awase.core.statistics.alpha import Distances

        n = len(families)
        group, between = self._groups(kind, families)
        pairs = () if kind is SetDistance.EQUAL else sharing
        known, function = self._known.setdefault(kind, {}), self._function_of(kind)
        own = []
        for i, j in pairs:
            first, second = families[i], families[j]
            distance = known.get((first, second))
            if distance is None:
                distance = function(first, second)
                known[first, second] = known[second, first] = distance
            own.append(distance)
        return Distances(
            group=np.array(group, dtype=np.intp),
            between=between,
            pairs=np.array([i * n + j for i, j in pairs], dtype=np.intp),
            own=np.array(own, dtype=np.float64),
        )

    def _function_of(self, kind: SetDistance) -> Callable[[Family, Family], float]:
        # Not held here: a method holds its object, and a circle of the two waits for a search for
        # cycles, which commands go without.
        return self._function_distance if kind is SetDistance.FUNCTION else _BY_KIND[kind]

    def _groups(self, kind: SetDistance, families: Sequence[Family]) -> "tuple[list[int], Floats]":
        """Returns each family's group, and the distances of unrelated families by group."""
        # Unrelated functions are independent, so their distance depends on each one's probability.
        import numpy as np

        if kind is not SetDistance.FUNCTION:
            return [0] * len(families), np.ones((1, 1))
        shares = [self.share(family) for family in families]
        number: dict[float, int] = {}
        group = [number.setdefault(share, len(number)) for share in shares]
        p = np.array([*number], dtype=np.float64)
        both = p[:, np.newaxis] * p[np.newaxis, :]
        either = p[:, np.newaxis] + p[np.newaxis, :] - both
        return group, 1 - np.divide(both, either, where=either != 0, out=np.zeros_like(both))

    def _function_distance(self, first: Family, second: Family) -> float:
        if not first or not second:
            return float(first != second)
        own, other = self._count(first), self._count(second)
        if own is None or other is None:
            return UNDEFINED
        either = self._count(absorbed((*first, *second)))
        if either is None:
            return UNDEFINED
        n = (union_of(first) | union_of(second)).bit_count()
        n_either = either.over(n)
        n_both = own.over(n) + other.over(n) - n_either
        return (n_either - n_both) / n_either

    def _count(self, family: Family) -> Count | None:
        known = self._count_by_family.get(family, _UNKNOWN)
        if known is _UNKNOWN:
            known = count_of(family, self._most_states, self._still_wanted)
            self._count_by_family[family] = known
        return known


def alternatives_distance(first: Family, second: Family) -> float:
    """Returns 1 - 2M / (|F| + |G|), with M the best one-to-one matching by Jaccard.

    0 for equal families; 1 also where only one has no alternatives.
    """
    if not first or not second:
        return float(first != second)
    # The distance of Jaccard is a metric, so no matching is better than one that matches the same.
    shared = first & second
    weight = float(len(shared))
    few, many = (first - shared, second - shared) if shared else (first, second)
    if len(few) > len(many):
        few, many = many, few
    alike = [
        (one, other, both.bit_count() / (one | other).bit_count())
        for one in few
        for other in many
        if (both := one & other)
    ]
    if len(alike) == 1:
        weight += alike[0][2]
    elif len({one for one, _, _ in alike}) == len({other for _, other, _ in alike}) == len(alike):
        weight += math.fsum(jaccard for _, _, jaccard in alike)  # no two of one
    else:
        weight += _greatest_sum([[_jaccard(one, other) for other in many] for one in few])
    return max(0.0, 1 - 2 * weight / (len(first) + len(second)))


def matching(
    first: Sequence[int], second: Sequence[int]
) -> tuple[tuple[tuple[int, int], ...], float]:
    """Returns the one-to-one matching of alternatives with the greatest sum of Jaccards.

    Args:
        first: Alternatives, at least one.

    Returns:
        (index in `first`, index in `second`) of each match with a common member, by the first;
        and the sum.
    """
    place = {mask: j for j, mask in enumerate(second)}
    chosen = [(i, place[mask]) for i, mask in enumerate(first) if mask in place]
    rows = [i for i, mask in enumerate(first) if mask not in place]
    columns = sorted({*range(len(second))} - {j for _, j in chosen})
    if rows and columns:
        weights = [[_jaccard(first[i], second[j]) for j in columns] for i in rows]
        chosen += [(rows[i], columns[j]) for i, j in _assigned(weights) if weights[i][j] > 0]
    chosen.sort()
    return tuple(chosen), sum(_jaccard(first[i], second[j]) for i, j in chosen)


def _greatest_sum(weights: Sequence[Sequence[float]]) -> float:
    n_rows, n_columns = len(weights), len(weights[0])
    if n_rows == 1:
        return max(weights[0])
    if math.perm(n_columns, n_rows) > _MOST_TRIED:
        return math.fsum(weights[i][j] for i, j in _assigned(weights))
    every = permutations(range(n_columns), n_rows)
    return max(math.fsum(map(getitem, weights, columns)) for columns in every)


def _assigned(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Returns the (row, column) pairs of the assignment with the greatest sum."""
    if len(weights) == 1:
        return [(0, max(range(len(weights[0])), key=weights[0].__getitem__))]
    if len(weights[0]) == 1:
        return [(max(range(len(weights)), key=lambda i: weights[i][0]), 0)]
    return assigned(weights)


def _jaccard(one: int, other: int) -> float:
    return (one & other).bit_count() / (one | other).bit_count()


_SAME, _PART, _OVERLAPPING = 1.0, 2 / 3, 1 / 3


def support_distance(first: Family, second: Family) -> float:
    """Returns MASI of all the sentences that each family contains, from 0 to 1.

    Source: Passonneau (2006), Measuring agreement on set-valued items.
    """
    one, other = union_of(first), union_of(second)
    if not one or not other:
        return float(one != other)
    shared = one & other
    if one == other:
        weight = _SAME
    elif shared in (one, other):
        weight = _PART
    else:
        weight = _OVERLAPPING
    return 1 - _jaccard(one, other) * weight


def equal_distance(first: Family, second: Family) -> float:
    """Returns 0 for equivalent families, else 1."""
    return float(first != second)


# Those that need no counts; `Distance.FUNCTION` does.
_BY_KIND: Final[Mapping[SetDistance, Callable[[Family, Family], float]]] = {
    SetDistance.ALTERNATIVES: alternatives_distance,
    SetDistance.SUPPORT: support_distance,
    SetDistance.EQUAL: equal_distance,
}


def pairs_sharing(families: Sequence[Family]) -> list[tuple[int, int]]:
    """Returns the pairs (i, j), i < j, ascending, of families that have a sentence in common."""
    holders: dict[int, list[int]] = {}
    for at, family in enumerate(families):
        for item in items_of(union_of(family)):
            holders.setdefault(item, []).append(at)
    pairs: set[tuple[int, int]] = set()
    for held in holders.values():
        pairs.update((i, j) for at, i in enumerate(held) for j in held[at + 1 :])
    return sorted(pairs)

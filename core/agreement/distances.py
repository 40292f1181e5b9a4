"""Raters, distances of two annotators' families, and kinds of difference.

Families are absorbed, and bit sets over the sentences of one topic.

Sources: `alternatives` is the entity-based CEAF of Luo (2005) with Jaccard as the similarity;
    `support` is MASI of Passonneau (2006) on all sentences linked; `function` is the Jaccard
    distance of the two functions' truth tables, which is ours. Linear assignment: Crouse (2016),
    On implementing 2D rectangular assignment algorithms: shortest augmenting paths, with ties
    settled as by `scipy.optimize.linear_sum_assignment`.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from math import inf
from operator import getitem
from typing import TYPE_CHECKING, Final, NamedTuple

from awase.core.errors import Reporter
from awase.core.records.abstract import Abstract, Alignment, gold_alignment
from awase.core.records.topic import Topic
from awase.core.solvers.cover import Family, absorbed, items_of, union_of

if TYPE_CHECKING:  # they import numpy, which comparing two families does not need
    from awase.core.agreement.alpha import Distances
    from awase.core.statistics.bootstraps import Floats


MOST_STATES: Final = 200_000  # subfunctions until counting gives up

_DEEPEST: Final = 200
_FEW: Final = 3
_STATES_BETWEEN_LOOKS: Final = 1_000


class Count(NamedTuple):
    """Number of subsets of `n_elements` elements for which a function is true."""

    n_sets: int
    n_elements: int

    @property
    def share(self) -> float:
        """The probability that it is true when each element is present with probability 1/2."""
        return self.n_sets / (1 << self.n_elements)

    def over(self, n_elements: int) -> int:
        """Returns the number among the subsets of a larger ground set."""
        return self.n_sets << (n_elements - self.n_elements)


def count_of(
    family: Family,
    most_states: int = MOST_STATES,
    still_wanted: Callable[[], None] = lambda: None,
) -> Count | None:
    """Returns the exact number of subsets of the support for which the function is true.

    Shannon's expansion on the commonest element, memoised; independent parts are counted apart.
    None beyond `most_states` or the recursion limit.
    """
    try:
        return _Expansion(most_states, still_wanted).count(family, 0)
    except _TooManyStatesError:
        return None


class _TooManyStatesError(Exception):
    pass


class _Expansion:
    def __init__(self, most_states: int, still_wanted: Callable[[], None]) -> None:
        self._most_states = most_states
        self._still_wanted = still_wanted
        self._known: dict[Family, Count] = {}
        self._n_states = 0

    def count(self, family: Family, depth: int) -> Count:
        if not family or 0 in family:
            return Count(len(family), 0)
        n_failing, union = 1, 0
        for mask in family:
            if mask & union:
                break
            union |= mask
            n_failing *= (1 << mask.bit_count()) - 1
        else:  # no two members share an element
            return Count((1 << union.bit_count()) - n_failing, union.bit_count())
        n_failing, n_elements = 1, 0
        for part in _independent(family):
            own = self._count_part(part, depth)
            n_failing *= (1 << own.n_elements) - own.n_sets
            n_elements += own.n_elements
        return Count((1 << n_elements) - n_failing, n_elements)

    def _count_part(self, part: Sequence[int], depth: int) -> Count:
        if len(part) <= _FEW:
            return _count_of_few(part)
        key = frozenset(part)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._expanded(part, depth)
        return known

    def _expanded(self, part: Sequence[int], depth: int) -> Count:
        self._n_states += 1
        if self._n_states > self._most_states or depth > _DEEPEST:
            raise _TooManyStatesError
        if self._n_states % _STATES_BETWEEN_LOOKS == 0:
            self._still_wanted()
        n_others = union_of(part).bit_count() - 1
        element = _commonest(part)
        there = self.count(absorbed(mask & ~element for mask in part), depth + 1)
        absent = self.count(frozenset(mask for mask in part if not mask & element), depth + 1)
        return Count(there.over(n_others) + absent.over(n_others), n_others + 1)


def _count_of_few(part: Sequence[int]) -> Count:
    """Counts up to three members by inclusion and exclusion."""
    if len(part) == 1:
        return Count(1, part[0].bit_count())
    n = union_of(part).bit_count()
    n_sets = sum([1 << n - mask.bit_count() for mask in part])
    if len(part) == 2:
        return Count(n_sets - 1, n)
    a, b, c = part
    n_twice = (1 << n - (a | b).bit_count()) + (1 << n - (a | c).bit_count())
    return Count(n_sets - n_twice - (1 << n - (b | c).bit_count()) + 1, n)


def _independent(family: Iterable[int]) -> list[list[int]]:
    """Groups the members into parts without common elements."""
    groups: list[tuple[int, list[int]]] = []
    for mask in family:
        union, members, apart = mask, [mask], []
        for group in groups:
            if group[0] & mask:
                union |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (union, members)]
    return [members for _, members in groups]


def _commonest(members: Sequence[int]) -> int:
    """Returns the element, as a bit, in most members; the lowest of equals."""
    best, most = 0, 0
    left = union_of(members)
    while left:
        element = left & -left
        left ^= element
        n = sum(1 for mask in members if mask & element)
        if n > most:
            best, most = element, n
    return best


def implies(need: Iterable[int], other: Iterable[int]) -> bool:
    """Returns whether `need` implies `other`, which is iterated repeatedly."""
    for mask in need:
        for inner in other:
            if inner & mask == inner:
                break
        else:
            return False
    return True


def assigned(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Returns the (row, column) pairs of the assignment with the greatest sum, by row.

    `weights` is a finite matrix; all of its shorter side is assigned.
    """
    is_wide = len(weights) <= len(weights[0])
    rows = weights if is_wide else [*zip(*weights, strict=True)]
    found = _columns([[-weight for weight in row] for row in rows])
    return [*enumerate(found)] if is_wide else sorted((at, row) for row, at in enumerate(found))


def _columns(costs: Sequence[Sequence[float]]) -> list[int]:
    """Returns the column of each row with the least sum; columns are at least as many."""
    n_columns = len(costs[0])
    of_rows, of_columns = [0.0] * len(costs), [0.0] * n_columns
    column_of, row_of = [-1] * len(costs), [-1] * n_columns
    for row in range(len(costs)):
        shortest, before = [inf] * n_columns, [-1] * n_columns
        remaining = [*range(n_columns)][::-1]
        rows_seen, columns_seen = list[int](), list[int]()
        at, least, end = row, 0.0, -1
        while end < 0:
            rows_seen.append(at)
            chosen, lowest = -1, inf
            for place, column in enumerate(remaining):
                length = least + costs[at][column] - of_rows[at] - of_columns[column]
                if length < shortest[column]:
                    before[column], shortest[column] = at, length
                known = shortest[column]
                # Of equal ones a column that is free ends the path.
                if known < lowest or (known == lowest and row_of[column] < 0):
                    chosen, lowest = place, known
            least, column = lowest, remaining[chosen]
            if row_of[column] < 0:
                end = column
            else:
                at = row_of[column]
            columns_seen.append(column)
            remaining[chosen] = remaining[-1]
            remaining.pop()
        of_rows[row] += least
        for other in rows_seen[1:]:
            of_rows[other] += least - shortest[column_of[other]]
        for column in columns_seen:
            of_columns[column] -= least - shortest[column]
        column, at = end, -1
        while at != row:
            at = row_of[column] = before[column]
            column_of[at], column = column, column_of[at]
    return column_of


UNDEFINED: Final = float("nan")

# Not computed yet, while None is not computable.
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
    """Compares the families of one topic, with a cache; ended by `still_wanted`, which raises.

    Beyond `most_states`, as of `count_of`, the distance of functions is undefined.
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

        from awase.core.agreement.alpha import Distances

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
    """Returns the one-to-one matching of alternatives with the greatest sum of Jaccards, and that.

    It has the indices of each match with a common member, in the order of `first`.
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


class Kind(StrEnum):
    """Every pair of settled entries is of exactly one kind: the first that fits, in this order."""

    BOTH_NO_SOURCE = "both no source"
    ONE_NO_SOURCE = "one no source"
    IDENTICAL = "identical"
    SAME_AFTER_ABSORPTION = "same after absorption"
    MISSED_ALTERNATIVE = "missed alternative"
    GROUPED_OTHERWISE = "same sentences, grouped otherwise"
    IMPLIES = "one implies the other"
    OVERLAPPING = "overlapping"
    DISJOINT = "disjoint"

    @property
    def is_agreement(self) -> bool:
        """Whether both annotators agree."""
        return self in (Kind.BOTH_NO_SOURCE, Kind.IDENTICAL, Kind.SAME_AFTER_ABSORPTION)


def kind_of(first: Family, second: Family, *, is_same_as_given: bool) -> Kind:
    """Returns the kind of a pair of entries; families are absorbed, empty = no source."""
    if not first or not second:
        return Kind.ONE_NO_SOURCE if first or second else Kind.BOTH_NO_SOURCE
    if first == second:
        return Kind.IDENTICAL if is_same_as_given else Kind.SAME_AFTER_ABSORPTION
    if first < second or second < first:
        return Kind.MISSED_ALTERNATIVE
    one, other = union_of(first), union_of(second)
    if one == other:
        return Kind.GROUPED_OTHERWISE
    if implies(first, tuple(second)) or implies(second, tuple(first)):
        return Kind.IMPLIES
    return Kind.OVERLAPPING if one & other else Kind.DISJOINT


def is_explained(first: Family, second: Family, standing_for: Callable[[int], int]) -> bool:
    """Returns whether the families are equivalent up to near-duplicates."""
    return _with(first, standing_for) == _with(second, standing_for)


def _with(family: Family, standing_for: Callable[[int], int]) -> Family:
    masks = []
    for mask in family:
        changed = 0
        for item in items_of(mask):
            changed |= 1 << standing_for(item)
        masks.append(changed)
    return absorbed(masks)


# The annotator who links every abstract sentence to its first candidate alone.
ROBOT: Final = "robot"

GOLD: Final = "gold"  # the gold layer as an annotator


def alignment_of(abstract: Abstract, who: str) -> Alignment | None:
    """Returns the alignment of `who`; an annotator of that name takes precedence over the gold."""
    own = abstract.alignment_by(who)
    if own is None and who == GOLD and abstract.gold:
        return gold_alignment(abstract.gold)
    return own


@dataclass(frozen=True, slots=True, kw_only=True)
class Raters:
    """Whose work on some topics can be compared, and on which abstracts."""

    # All annotators, in order of appearance.
    annotators: tuple[str, ...]
    has_gold: bool
    # Length classes of abstracts, in that order; None is that of those without one.
    lengths: tuple[str | None, ...]

    @property
    def has_robot(self) -> bool:
        """Whether the robot can be compared: not where a person is called so."""
        return ROBOT not in self.annotators

    def knows(self, who: str) -> bool:
        """Returns whether `who` is a rater."""
        return who in (*self.annotators, ROBOT) or (who == GOLD and self.has_gold)


def raters_in(topics: Sequence[Topic], reporter: Reporter) -> Raters:
    """Returns the raters, in one pass over the topics."""
    annotators, lengths = dict[str, None](), dict[str | None, None]()
    has_gold = False
    for done, topic in enumerate(topics):
        reporter.advance(done, len(topics), topic.id)
        for abstract in topic.abstracts:
            lengths[abstract.length] = None
            annotators |= dict.fromkeys(one.annotator for one in abstract.alignments)
            has_gold = has_gold or bool(abstract.gold)
    return Raters(annotators=tuple(annotators), has_gold=has_gold, lengths=tuple(lengths))

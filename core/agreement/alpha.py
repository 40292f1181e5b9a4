"""Krippendorff's alpha, from sums by topic; kappa, precision and recall from counts of cells.

Values are indices into a list of distinct values, distances any function of two of them. Chance
shuffles values only among the items of their topic. A topic's sums (observed, expected, number of
values) are sufficient for alpha and for its interval, which resamples topics.

Source: Krippendorff (2004), Content Analysis, chapter 11, with unsquared distances; chance within
    strata is ours. With a single topic it is the usual alpha.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.bootstraps import Floats

Ints = NDArray[np.intp]

MISSING: Final = -1  # the code of an item that a coder did not code

# Expected disagreement up to this is none: sums of floats rarely end at 0 itself.
_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Distances of distinct values: one for each pair of groups, and exceptions; sparse."""

    group: Ints  # (n_values,) the group of each value, from 0
    # (n_groups, n_groups) symmetric: the distance of two different values by their groups. NaN =
    # undefined.
    between: Floats
    # (n_exceptions,) `i * n_values + j` with i < j, ascending, of pairs with a distance of their
    # own.
    pairs: Ints
    own: Floats  # (n_exceptions,) that distance; NaN = undefined

    def distance_of(self, first: Ints, second: Ints) -> Floats:
        """Returns the distance of each value in `first` from the one in `second`; 0 to itself."""
        n_values = len(self.group)
        distance = self.between[self.group[first], self.group[second]]
        if len(self.pairs):
            keys = np.minimum(first, second) * n_values + np.maximum(first, second)
            at = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
            distance = np.where(self.pairs[at] == keys, self.own[at], distance)
        return np.where(first == second, 0.0, distance)

    def total(self, counts: Floats) -> Floats:
        """Returns the summed distances of all ordered pairs, (n_sets,), of multisets of values.

        `counts` has their multiplicities, (n_sets, n_values). NaN where a distance that takes part
        is undefined.
        """
        n_groups = len(self.between)
        belongs = (self.group[:, np.newaxis] == np.arange(n_groups)).astype(np.float64)
        by_group, same = counts @ belongs, counts**2 @ belongs
        weights = by_group[:, :, np.newaxis] * by_group[:, np.newaxis, :]
        diagonal = np.arange(n_groups)
        weights[:, diagonal, diagonal] -= same
        total = _weighted(weights, self.between).sum(axis=(1, 2))
        if len(self.pairs):
            first, second = np.divmod(self.pairs, len(self.group))
            usual = self.between[self.group[first], self.group[second]]
            together = 2 * counts[:, first] * counts[:, second]
            total = total + _weighted(together, self.own - usual).sum(axis=1)
        return np.asarray(total)


def _weighted(weights: Floats, distances: Floats) -> Floats:
    """Returns the products; weight 0 gives 0 even where the distance is undefined."""
    return np.where(weights == 0, 0.0, weights * distances)


class Sums(NamedTuple):
    """Sufficient statistics of some coders in one topic."""

    # The disagreement within items: for each item the distances of all ordered pairs of its m
    # values, divided by m - 1.
    observed: float
    expected: float  # that of all ordered pairs of the topic's n values, divided by n - 1
    n_values: int
    n_items: int


NO_SUMS: Final = Sums(0.0, 0.0, 0, 0)  # of a topic in which nothing can be compared


def topic_sums(
    codes: Ints, distances: Distances, choices: Sequence[Sequence[int]]
) -> tuple[Sums, ...]:
    """Returns the sums of one topic, for several choices of coders: two or more columns of `codes`.

    These are (n_items, n_coders) codes of values, `MISSING` where there is none.
    """
    if not len(distances.group):
        return (NO_SUMS,) * len(choices)
    is_there = codes != MISSING
    first, second = np.triu_indices(codes.shape[1], k=1)
    # Missing values get some value with weight 0.
    apart = distances.distance_of(np.maximum(codes[:, first], 0), np.maximum(codes[:, second], 0))
    apart[~(is_there[:, first] & is_there[:, second])] = 0.0
    pair_at = {
        pair: at for at, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))
    }
    observed, n_items, counts = _of_what_is_there(
        codes, apart, choices, pair_at, len(distances.group)
    )
    n = counts.sum(axis=1)
    out = np.zeros(len(choices))
    expected = np.divide(distances.total(counts), n - 1, where=n > 1, out=out)
    return tuple(
        Sums(*of_choice)
        for of_choice in zip(
            observed.tolist(),
            expected.tolist(),
            n.astype(int).tolist(),
            n_items.tolist(),
            strict=True,
        )
    )


def _of_what_is_there(
    codes: Ints,
    apart: Floats,
    choices: Sequence[Sequence[int]],
    pair_at: Mapping[tuple[int, int], int],
    n_values: int,
) -> tuple[Floats, Ints, Floats]:
    """Returns the sums of each choice; only items that two of it coded count.

    (n_choices,) disagreement observed and items, (n_choices, n_values) how often each value is.
    """
    is_there = codes != MISSING
    counts = np.zeros((len(choices), n_values))
    observed, n_items = np.zeros(len(choices)), np.zeros(len(choices), dtype=np.intp)
    for at, coders in enumerate(choices):
        chosen = [*coders]
        n_coded = is_there[:, chosen].sum(axis=1)
        pairable = n_coded > 1
        pairs = [pair_at[min(i, j), max(i, j)] for i, j in combinations(chosen, 2)]
        within = 2 * apart[:, pairs].sum(axis=1)
        observed[at] = (within[pairable] / (n_coded[pairable] - 1)).sum()
        n_items[at] = pairable.sum()
        kept = codes[pairable][:, chosen]
        counts[at] = np.bincount(kept[kept != MISSING], minlength=n_values)
    return observed, n_items, counts


def alpha_of(observed: Floats, expected: Floats) -> Floats:
    """Returns 1 - observed / expected, at most 1; NaN where none is expected. Shapes are equal."""
    undefined = np.full_like(expected, np.nan)
    return 1 - np.divide(observed, expected, where=expected > _NOTHING, out=undefined)


def ordinal_distances(counts: Floats) -> Distances:
    """Returns Krippendorff's ordinal distances from frequencies, (n_values,) in order."""
    upto = np.cumsum(counts)
    between = upto - counts / 2
    distance = (between[:, np.newaxis] - between[np.newaxis, :]) ** 2
    return Distances(
        group=np.arange(len(counts), dtype=np.intp),
        between=np.asarray(distance, dtype=np.float64),
        pairs=np.zeros(0, dtype=np.intp),
        own=np.zeros(0),
    )


def nominal_distances(n_values: int) -> Distances:
    """Returns the distances of values that are the same or not: 0 or 1."""
    return Distances(
        group=np.zeros(n_values, dtype=np.intp),
        between=np.ones((1, 1)),
        pairs=np.zeros(0, dtype=np.intp),
        own=np.zeros(0),
    )


def disagreements(table: Floats) -> tuple[Floats, Floats]:
    """Returns observed and expected disagreement of two coders; kappa is 1 - first / second.

    `table` has (n, 4) counts of cells: both, first only, second only, neither. The values, (n,),
    are from 0 to 1; NaN without any cell.
    """
    both, first, second, neither = table.T
    n = both + first + second + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        yes_first, yes_second = (both + first) / n, (both + second) / n
        observed = (first + second) / n
    return observed, yes_first * (1 - yes_second) + yes_second * (1 - yes_first)


def precision_recall_f1(table: Floats) -> tuple[float, float, float]:
    """Returns the second coder's precision, recall and F1 against the first; NaN = undefined.

    `table` has (4,) counts of cells: both, first only, second only, neither.
    """
    both, first, second, _ = (float(cell) for cell in table)

    def share(part: float, whole: float) -> float:
        return part / whole if whole else float("nan")

    return (
        share(both, both + second),
        share(both, both + first),
        share(2 * both, 2 * both + first + second),
    )

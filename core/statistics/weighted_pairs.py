"""Ranks, ties and inversions of one sample under many weightings of its items.

The items are sorted once. A weighting then changes nothing but the counts, and all weightings are
counted in the same few passes over an array of (items, weightings): items first, so that sorting
them moves whole rows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.coefficients import Floats

_Ints = NDArray[np.intp]


class PairCounts(NamedTuple):
    """Numbers of ordered pairs of drawn items, (n_weightings,) each.

    Attributes:
        concordant: Ordered the same way by x and y.
        discordant: Ordered in opposite ways.
        untied_x: Of different x.
        untied_y: Of different y.
        tied_twice: Different items of the same x and the same y.
        of_different: Different items, that is, none a copy of the other.
    """

    concordant: Floats
    discordant: Floats
    untied_x: Floats
    untied_y: Floats
    tied_twice: Floats
    of_different: Floats


class RankedPair:
    """Two samples of the same items, of which only the order counts."""

    def __init__(self, x: Floats, y: Floats) -> None:
        """Sorts the items.

        Args:
            x: (n,), finite.
            y: (n,), finite.
        """
        self._by_x, self._by_y = _Groups(x), _Groups(y)
        code = self._by_x.group_of.astype(np.int64) * len(y) + self._by_y.group_of
        self._by_both = _Groups(code.astype(np.float64))
        self._merges = _merges(self._by_y.group_of[np.lexsort((y, x))])
        self._order = np.lexsort((y, x))

    def ranks(self, weights: Floats) -> tuple[Floats, Floats]:
        """Returns the average ranks in x and in y less their mean, (n, n_weightings) each."""
        return self._by_x.ranks(weights), self._by_y.ranks(weights)

    def counts(self, weights: Floats) -> PairCounts:
        """Returns how the drawn items pair up.

        Args:
            weights: (n, n_weightings), whole numbers from 0.

        Source: Knight (1966), with the sorting done once and for all.
        """
        n_pairs = weights.sum(axis=0) ** 2
        tied_x, tied_y, tied_both = (
            _sum_of_squares(groups.sizes(weights))
            for groups in (self._by_x, self._by_y, self._by_both)
        )
        discordant = 2 * self._inversions(weights[self._order])
        of_copies = _sum_of_squares(weights)
        return PairCounts(
            concordant=n_pairs - tied_x - tied_y + tied_both - discordant,
            discordant=discordant,
            untied_x=n_pairs - tied_x,
            untied_y=n_pairs - tied_y,
            tied_twice=tied_both - of_copies,
            of_different=n_pairs - of_copies,
        )

    def _inversions(self, weights: Floats) -> Floats:
        """Returns the weight of pairs whose later one, in the order of x, has the smaller y."""
        total = np.zeros(weights.shape[1])
        for merge in self._merges:
            sorted_weights = weights[merge.order]
            before = np.cumsum(sorted_weights * merge.is_left, axis=0)
            greater = before[merge.block_end_of_right] - before[merge.right]
            total += np.einsum("ib,ib->b", greater, sorted_weights[merge.right])
        return total


class _Groups:
    """Items with one value, and the order of the values."""

    def __init__(self, values: Floats) -> None:
        self._order = np.argsort(values, kind="stable")
        _, self._begins, self.group_of = np.unique(
            values[self._order], return_index=True, return_inverse=True
        )
        in_place = np.empty_like(self.group_of)
        in_place[self._order] = self.group_of
        self.group_of = in_place

    def sizes(self, weights: Floats) -> Floats:
        """Returns the drawn number of each group, in the order of values."""
        sizes: Floats = np.add.reduceat(weights[self._order], self._begins, axis=0)
        return sizes

    def ranks(self, weights: Floats) -> Floats:
        """Returns each item's average rank less the mean rank."""
        sizes = self.sizes(weights)
        ranks = np.cumsum(sizes, axis=0) - sizes / 2 - weights.sum(axis=0) / 2
        of_items: Floats = ranks[self.group_of]
        return of_items


class _Merge(NamedTuple):
    """One level of a merge sort by y of items in the order of x.

    Attributes:
        order: Positions, block by block, each block sorted by y; of equal y the left half first.
        is_left: (n, 1), 1.0 for those of the left half of their block, 0.0 for the others.
        right: Places in `order` of those of the right halves.
        block_end_of_right: Where the block of each of these ends in `order`.
    """

    order: _Ints
    is_left: Floats
    right: _Ints
    block_end_of_right: _Ints


def _merges(y: _Ints) -> list[_Merge]:
    merges = []
    positions = np.arange(len(y))
    half = 1
    while half < len(y):
        block = positions // (2 * half)
        order = np.lexsort((y, block))
        is_left = (order // half) % 2 == 0
        block_end = np.minimum((block + 1) * 2 * half, len(y)) - 1
        right = np.flatnonzero(~is_left)
        merges.append(_Merge(order, is_left.astype(np.float64)[:, None], right, block_end[right]))
        half *= 2
    return merges


def _sum_of_squares(values: Floats) -> Floats:
    sums: Floats = np.einsum("ib,ib->b", values, values)
    return sums

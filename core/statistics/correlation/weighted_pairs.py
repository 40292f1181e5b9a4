"""Ranks, ties and agreeing pairs of one sample under many weightings of its items.

The items are sorted once. A weighting then changes nothing but the counts, and all weightings are
counted in the same few passes over an array of (items, weightings): items first, so that sorting
them moves whole rows.

Source: Spearman's rho with average ranks and Kendall's tau-b (1945), of weighted items.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from awase.core.statistics.correlation.pair_agreement import Agreement
from awase.core.statistics.exact_sums import Floats

_STEP = 32


class RankProducts(NamedTuple):
    """Sums over the drawn items of products of average ranks less the mean rank.

    Attributes:
        xy: Of the ranks in x and in y, (n_weightings,).
        xx: Of the ranks in x with themselves.
        yy: Of the ranks in y with themselves.
    """

    xy: Floats
    xx: Floats
    yy: Floats


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

    @cached_property
    def agreement(self) -> Agreement:
        """Returns which pairs are ordered alike, prepared when first asked for."""
        return Agreement(self._by_x.group_of, self._by_y.group_of)

    def rank_products(self, weights: Floats) -> RankProducts:
        """Returns how the ranks of the drawn items vary together.

        Args:
            weights: (n, n_weightings), whole numbers from 0.
        """
        cube = weights.sum(axis=0) ** 3
        sizes_x, sizes_y = self._by_x.sizes(weights), self._by_y.sizes(weights)
        ranks_x, ranks_y = self._by_x.ranks(sizes_x), self._by_y.ranks(sizes_y)
        return RankProducts(
            xy=np.einsum("ib,ib,ib->b", weights, ranks_x, ranks_y) - cube / 4,
            xx=(cube - _cubes(sizes_x)) / 12,
            yy=(cube - _cubes(sizes_y)) / 12,
        )

    def rank_sums(self, weights: Floats, values: Floats) -> Floats:
        """Returns the sums over the drawn items of rank in x less 1/2 times a value of the item.

        Args:
            weights: (n, n_weightings), whole numbers from 0.
            values: (n,), the same in each weighting.
        """
        ranks = self._by_x.ranks(self._by_x.sizes(weights))
        sums: Floats = np.einsum("ib,ib,i->b", weights, ranks, values)
        return sums

    def counts(self, weights: Floats) -> PairCounts:
        """Returns how the drawn items pair up.

        Args:
            weights: (n, n_weightings), whole numbers from 0.
        """
        n_pairs = weights.sum(axis=0) ** 2
        of_copies = _squares(weights)
        tied_x, tied_y, tied_both = (
            groups.sum_of_squares(weights, of_copies)
            for groups in (self._by_x, self._by_y, self._by_both)
        )
        agreement = self.agreement.under(weights)
        untied = n_pairs - tied_x - tied_y + tied_both
        return PairCounts(
            concordant=(untied + agreement) / 2,
            discordant=(untied - agreement) / 2,
            untied_x=n_pairs - tied_x,
            untied_y=n_pairs - tied_y,
            tied_twice=tied_both - of_copies,
            of_different=n_pairs - of_copies,
        )


class _Groups:
    """Items with one value, and the order of the values."""

    def __init__(self, values: Floats) -> None:
        self._order = np.argsort(values, kind="stable")
        self.group_of = np.unique(values, return_inverse=True)[1]
        counts = np.bincount(self.group_of)
        self._begins = np.cumsum(counts) - counts
        self._has_ties = len(counts) < len(values)
        self._is_in_order = bool((self._order[1:] > self._order[:-1]).all())

    def sizes(self, weights: Floats) -> Floats:
        """Returns the drawn number of each group, in the order of values."""
        in_order = weights if self._is_in_order else weights[self._order]
        if not self._has_ties:
            return in_order
        sizes: Floats = np.add.reduceat(in_order, self._begins, axis=0)
        return sizes

    def ranks(self, sizes: Floats) -> Floats:
        """Returns each item's average rank less 1/2, given the sizes; their mean is n / 2."""
        ranks = _running(sizes)
        ranks -= sizes / 2
        if self._is_in_order and not self._has_ties:
            return ranks
        of_items: Floats = ranks[self.group_of]
        return of_items

    def sum_of_squares(self, weights: Floats, of_items: Floats) -> Floats:
        """Returns the sum of the squared sizes, given that of the squared weights."""
        return _squares(self.sizes(weights)) if self._has_ties else of_items


def _running(values: Floats) -> Floats:
    """Returns the running sums over rows, in whole rows: numpy goes column by column."""
    sums = values.copy()
    n_blocks = len(sums) // _STEP
    blocks = sums[: n_blocks * _STEP].reshape(n_blocks, _STEP, sums.shape[1])
    for row in range(1, _STEP):
        blocks[:, row] += blocks[:, row - 1]
    for block in range(1, n_blocks):
        blocks[block] += blocks[block - 1, -1]
    for row in range(max(1, n_blocks * _STEP), len(sums)):
        sums[row] += sums[row - 1]
    return sums


def _squares(values: Floats) -> Floats:
    sums: Floats = np.einsum("ib,ib->b", values, values)
    return sums


def _cubes(values: Floats) -> Floats:
    sums: Floats = np.einsum("ib,ib,ib->b", values, values, values)
    return sums

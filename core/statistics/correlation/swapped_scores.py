"""Permutation test of two metrics at the global level, without ranking permuted samples.

Let e be 1 for scores that stay and -1 for swapped ones. Sums over scores or over pairs of them are
a + b(e) + c(e), b linear in e and c quadratic. The other metric has e reversed, a - b(e) + c(e), so
the difference is 2 b(e): one small matrix product, as e is a product of a system's and a topic's
sign. Only ties, which make the two denominators differ, need one of the sums as well.

Source: the permutation test of Deutsch, Dror and Roth (2021), section 4; the algebra is ours.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.bootstraps import Floats, summable
from awase.core.statistics.correlation.coefficients import FEWEST, Coefficient
from awase.core.statistics.correlation.resampled_coefficients import (
    Bools,
    ByCoefficient,
    RankedPair,
    moments_r,
    ratio,
)

_Ints = NDArray[np.intp]
_OF_RANKS = frozenset(Coefficient) - {Coefficient.R}


class _Signs(NamedTuple):
    """Signs, -1 = swapped: (n, n_systems) and (n, n_topics)."""

    systems: Floats
    topics: Floats


class SwappedScores:
    """The scores of two metrics and of people."""

    def __init__(
        self, first: Floats, second: Floats, y: Floats, coefficients: Sequence[Coefficient]
    ) -> None:
        """Takes standardised (n_systems, n_topics) metrics, NaN where `y` is."""
        self._coefficients = tuple(coefficients)
        self._shape = y.shape
        self._cells = np.nonzero(~np.isnan(y))
        first, second, y = (side[self._cells] for side in (first, second, y))
        self._n = len(y)
        if self._n < FEWEST:
            return
        self._set_moments(first, second, y)
        if _OF_RANKS & {*coefficients}:
            self._set_ranks(first, second, y)

    def differences(self, swap_systems: Bools, swap_topics: Bools) -> ByCoefficient:
        """Returns corr(first, y) - corr(second, y) after swaps, NaN where undefined.

        `swap_topics` is (n_permutations, n_topics); a score is swapped when exactly one of both is.
        """
        if self._n < FEWEST:
            return {one: np.full(len(swap_systems), np.nan) for one in self._coefficients}
        signs = _Signs(*(np.where(swap, -1.0, 1.0) for swap in (swap_systems, swap_topics)))
        found: ByCoefficient = {}
        if Coefficient.R in self._coefficients:
            found[Coefficient.R] = self._of_moments(signs)
        if _OF_RANKS & {*self._coefficients}:
            found |= self._of_ranks(signs, swap_systems, swap_topics)
        return {one: found[one] for one in self._coefficients}

    def _set_moments(self, first: Floats, second: Floats, y: Floats) -> None:
        middle, half = (first + second) / 2, (first - second) / 2
        self._fixed = (
            middle.sum(), y.sum(), (middle**2 + half**2).sum(), (y**2).sum(), (middle * y).sum(),
        )  # fmt: skip
        self._of_swaps = [
            self._matrix(summable(one, self._n)) for one in (half, 2 * middle * half, half * y)
        ]

    def _of_moments(self, signs: _Signs) -> Floats:
        x, xx, xy = (_linear(matrix, signs) for matrix in self._of_swaps)
        sum_x, sum_y, sum_xx, sum_yy, sum_xy = self._fixed
        n, ys, yys = (np.full(len(x), float(one)) for one in (self._n, sum_y, sum_yy))
        ours = moments_r(n, sum_x + x, ys, sum_xx + xx, yys, sum_xy + xy)
        return ours - moments_r(n, sum_x - x, ys, sum_xx - xx, yys, sum_xy - xy)

    def _set_ranks(self, first: Floats, second: Floats, y: Floats) -> None:
        both, twice = np.concatenate([first, second]), np.tile(y, 2)
        # Ranks and agreements among all scores of both metrics: what a swap changes is the
        # difference of a score's own two.
        self._pairs = RankedPair(both, twice)
        self._agreement_of_swaps = self._matrix(_difference(self._pairs.agreement.of_items()))
        ranks_y = _centred_ranks(y)  # of each system and topic one score is drawn, whichever
        self._ranks_y = np.tile(ranks_y, 2)
        self._covariance_of_swaps = self._matrix(_difference(_covariances(both, ranks_y)))
        cell = np.tile(np.arange(self._n), 2)
        self._tied_x, self._tied_both = _Ties([both], cell), _Ties([both, twice], cell)
        counts = np.unique(y, return_counts=True)[1].astype(np.float64)
        self._untied_y = self._n**2 - (counts**2).sum()
        self._variance_y = (self._n**3 - (counts**3).sum()) / 12

    def _of_ranks(self, signs: _Signs, swap_systems: Bools, swap_topics: Bools) -> ByCoefficient:
        of_system, of_topic = self._cells
        is_swapped = np.empty((0, len(swap_systems)), bool)
        if self._tied_x:
            is_swapped = swap_systems.T[of_system] ^ swap_topics.T[of_topic]
        ours, theirs = self._tied_x.sums(is_swapped)
        n, found = float(self._n), ByCoefficient()
        agreement = _linear(self._agreement_of_swaps, signs)
        if Coefficient.ACCURACY in self._coefficients:
            own, other = self._tied_both.sums(is_swapped)
            tied = ours.squares - theirs.squares
            tied_twice = own.squares - other.squares
            found[Coefficient.ACCURACY] = (agreement - tied + 3 * tied_twice) / 2 / (n * n - n)
        weights = np.concatenate([~is_swapped, is_swapped]).astype(np.float64)
        if Coefficient.TAU in self._coefficients:
            own_sum = self._pairs.agreement.under(weights) if self._tied_x else agreement / 2
            found[Coefficient.TAU] = _quotients(
                own_sum, agreement, self._untied_y,
                n * n - n - ours.squares, n * n - n - theirs.squares,
            )  # fmt: skip
        if Coefficient.RHO in self._coefficients:
            covariance = _linear(self._covariance_of_swaps, signs)
            own_sum = covariance / 2
            if self._tied_x:
                own_sum = self._pairs.rank_sums(weights, self._ranks_y)
            found[Coefficient.RHO] = _quotients(
                own_sum, covariance, self._variance_y,
                (n**3 - n - ours.cubes) / 12, (n**3 - n - theirs.cubes) / 12,
            )  # fmt: skip
        return found

    def _matrix(self, values: Floats) -> Floats:
        matrix = np.zeros(self._shape)
        matrix[self._cells] = values
        return matrix


def _linear(matrix: Floats, signs: _Signs) -> Floats:
    """Returns sums of the matrix with signed rows and columns, (n_permutations,)."""
    sums: Floats = np.einsum("bt,bt->b", signs.systems @ matrix, signs.topics)
    return sums


def _difference(of_both: Floats) -> Floats:
    half = len(of_both) // 2
    return of_both[:half] - of_both[half:]


def _quotients(
    own_sum: Floats, difference: Floats, below_y: float, below_own: Floats, below_other: Floats
) -> Floats:
    """Returns the difference of the two metrics' tau-b or rho."""
    side_y = np.full(len(difference), below_y)
    return ratio(own_sum, below_own, side_y) - ratio(own_sum - difference, below_other, side_y)


def _centred_ranks(values: Floats) -> Floats:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - counts / 2 - len(values) / 2)[places]
    return ranks


def _covariances(both: Floats, ranks_y: Floats) -> Floats:
    """Returns what each score's rank adds to the covariance of ranks."""
    # A quarter of the sum over all scores of sign(score - other) * (its y - the other's y).
    order = np.argsort(both, kind="stable")
    in_order = both[order]
    twice = np.tile(ranks_y, 2)
    until = np.concatenate([[0.0], np.cumsum(twice[order])])
    below, not_above = (np.searchsorted(in_order, both, side) for side in ("left", "right"))
    n_less = below + not_above - len(both)
    y_less = until[below] + until[not_above] - until[-1]
    covariances: Floats = (twice * n_less - y_less) / 4
    return covariances


class _TieSums(NamedTuple):
    """Corrections for ties to n² and n³, (n_permutations,); 0 without ties."""

    squares: Floats
    cubes: Floats


class _Ties:
    """Tied scores of either metric."""

    def __init__(self, keys: Sequence[Floats], cell: _Ints) -> None:
        order = np.lexsort(keys[::-1])
        is_new = np.zeros(len(order), bool)
        is_new[0] = True
        for key in keys:
            is_new[1:] |= key[order][1:] != key[order][:-1]
        group = np.cumsum(is_new) - 1
        # A score that both metrics give one system in one topic is not tied with itself.
        pairs = np.unique(np.stack([group, cell[order]]), axis=1)
        is_tied = (np.bincount(pairs[0], minlength=group[-1] + 1) > 1)[group]
        self._items = order[is_tied]
        self._begins = np.flatnonzero(np.diff(group[is_tied], prepend=-1))
        self._sizes = np.diff(self._begins, append=len(self._items))[:, None].astype(np.float64)
        self._cell = cell

    def __bool__(self) -> bool:
        return len(self._items) > 0

    def sums(self, is_swapped: Bools) -> tuple[_TieSums, _TieSums]:
        """Returns the tie corrections of both metrics after (n_scores, n_permutations) swaps."""
        if not self:
            nothing = np.zeros(is_swapped.shape[1])
            return _TieSums(nothing, nothing), _TieSums(nothing, nothing)
        is_second = self._items >= len(is_swapped)
        drawn = (is_swapped[self._cell[self._items]] == is_second[:, None]).astype(np.float64)
        sizes = np.add.reduceat(drawn, self._begins, axis=0)
        return _tie_sums(sizes), _tie_sums(self._sizes - sizes)


def _tie_sums(sizes: Floats) -> _TieSums:
    return _TieSums(
        np.einsum("gb,gb->b", sizes, sizes - 1),
        np.einsum("gb,gb->b", sizes, sizes**2 - 1),
    )

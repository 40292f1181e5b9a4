"""Coefficients of thousands of resamples, and of swapped metrics, vectorised.

A resample is a vector of weights: how often each item was drawn. Copies of an item are tied, as in
the sample written out; accuracy counts pairs of different items only, as copies would always agree.

Swaps: let e be 1 for scores that stay and -1 for swapped ones. Sums over scores or over pairs of
them are a + b(e) + c(e), b linear in e and c quadratic. The other metric has e reversed, a - b(e) +
c(e), so the difference is 2 b(e): one small matrix product, as e is a product of a system's and a
topic's sign. Only ties, which make the two denominators differ, need one of the sums as well.

Source: the permutation test of Deutsch, Dror and Roth (2021), section 4; the algebra is ours.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.bootstraps import Floats, summable
from awase.core.statistics.coefficients import FEWEST, Coefficient, PairAgreement, settled

Bools = NDArray[np.bool_]
ByCoefficient = dict[Coefficient, Floats]

_NO_VARIANCE = 1e-13  # of standardised values; what cancellation leaves of a constant is smaller


class FixedPair:
    """Two fixed samples under varying weights."""

    def __init__(self, x: Floats, y: Floats, coefficients: Sequence[Coefficient]) -> None:
        self._coefficients = tuple(coefficients)
        self._is_small = len(x) < FEWEST
        if self._is_small:
            return
        self._moments = powers_of(x, y)[1:]
        if set(coefficients) - {Coefficient.R}:
            self._pairs = RankedPair(x, y)

    def under(self, weights: Floats) -> ByCoefficient:
        """Returns the coefficients under (n, n_resamples) whole weights; NaN = undefined."""
        if self._is_small:
            return {one: np.full(weights.shape[1], np.nan) for one in self._coefficients}
        found: ByCoefficient = {}
        if Coefficient.R in self._coefficients:
            sums = (np.einsum("i,ib->b", one, weights) for one in self._moments)
            found[Coefficient.R] = moments_r(weights.sum(axis=0), *sums)
        if Coefficient.RHO in self._coefficients:
            found[Coefficient.RHO] = self._pairs.rho(weights)
        if {Coefficient.TAU, Coefficient.ACCURACY} & {*self._coefficients}:
            found |= self._pairs.tau_and_accuracy(weights)
        is_small = weights.sum(axis=0) < FEWEST
        return {one: np.where(is_small, np.nan, found[one]) for one in self._coefficients}


def varying(
    x: Floats, y: Floats, weights: Floats, coefficients: Sequence[Coefficient]
) -> ByCoefficient:
    """Returns coefficients of (n_resamples, n) values and weights from 0, NaN where undefined.

    A value may be NaN where its weight is 0.
    """
    x, y = (settled(np.where(weights > 0, side, 0.0)) for side in (x, y))
    found: ByCoefficient = {}
    if Coefficient.R in coefficients:
        found[Coefficient.R] = _product_moment(weights, _centred(x, weights), _centred(y, weights))
    if set(coefficients) - {Coefficient.R}:
        found |= _of_pairs(x, y, weights, coefficients)
    is_small = weights.sum(axis=1) < FEWEST
    return {one: np.where(is_small, np.nan, found[one]) for one in coefficients}


def _of_pairs(
    x: Floats, y: Floats, weights: Floats, coefficients: Sequence[Coefficient]
) -> ByCoefficient:
    first, second = np.triu_indices(x.shape[1], k=1)
    signs_x, signs_y = (np.sign(side[:, first] - side[:, second]) for side in (x, y))
    of_first, of_second = weights[:, first], weights[:, second]
    of_pair = of_first * of_second
    found: ByCoefficient = {}
    if Coefficient.RHO in coefficients:
        # Rows of the two incidence matrices gather a pair's sign into the ranks of its items.
        is_first = np.zeros((len(first), x.shape[1]))
        is_first[np.arange(len(first)), first] = 1
        is_second = np.zeros_like(is_first)
        is_second[np.arange(len(first)), second] = -1
        ranks = [
            (signs * of_second) @ is_first + (signs * of_first) @ is_second
            for signs in (signs_x, signs_y)
        ]
        found[Coefficient.RHO] = _product_moment(weights, *ranks)
    if Coefficient.TAU in coefficients:
        found[Coefficient.TAU] = ratio(
            np.einsum("bp,bp,bp->b", signs_x, signs_y, of_pair),
            np.einsum("bp,bp->b", np.abs(signs_x), of_pair),
            np.einsum("bp,bp->b", np.abs(signs_y), of_pair),
        )
    if Coefficient.ACCURACY in coefficients:
        right = np.einsum("bp,bp->b", (signs_x == signs_y).astype(np.float64), of_pair)
        found[Coefficient.ACCURACY] = _share(right, of_pair.sum(axis=1))
    return found


def powers_of(x: Floats, y: Floats) -> tuple[Floats, ...]:
    """Returns 1, x, y, x², y² and xy of standardised scores, for `moments_r`; NaN = missing."""
    x, y = standardised(x), standardised(y)
    return np.ones_like(x), x, y, x**2, y**2, x * y


def standardised(x: Floats) -> Floats:
    """Standardises `x` to mean 0 and deviation 1 over all of it; 0 when constant, NaN stays."""
    centred = x - np.nanmean(x)
    spread = float(np.nanstd(x))
    is_constant = spread <= _NO_VARIANCE * float(np.nanmax(np.abs(x)))
    scaled: Floats = centred * 0.0 if is_constant else centred / spread
    return scaled


def _centred(x: Floats, weights: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (x * weights).sum(axis=1) / weights.sum(axis=1)
    centred = x - np.nan_to_num(means)[:, None]
    # What is left of a constant by the subtraction is not a variation.
    scale = np.abs(x).max(axis=1, keepdims=True, initial=0.0)
    kept: Floats = np.where(np.abs(centred) <= 1e-13 * scale, 0.0, centred)
    return kept


def _product_moment(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Returns r of values with weighted means 0."""
    return ratio(
        np.einsum("bi,bi,bi->b", weights, x, y),
        np.einsum("bi,bi,bi->b", weights, x, x),
        np.einsum("bi,bi,bi->b", weights, y, y),
    )


def moments_r(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Returns r, -1..1, from n and the sums of `powers_of` (equal shapes); NaN = undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        variance_x, variance_y = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2
        covariance = xy / n - x / n * y / n
    variance_x[~(variance_x > _NO_VARIANCE)] = 0
    variance_y[~(variance_y > _NO_VARIANCE)] = 0
    return ratio(covariance, variance_x, variance_y)


def ratio(above: Floats, below_x: Floats, below_y: Floats) -> Floats:
    """Returns above / sqrt(below_x * below_y), -1..1; NaN where a side has no variation."""
    # Covariances over variances, or concordant less discordant pairs over ordered pairs.
    is_defined = (below_x > 0) & (below_y > 0)
    below = np.where(is_defined, below_x, 1.0) * np.where(is_defined, below_y, 1.0)
    values = np.where(is_defined, above / np.sqrt(below), np.nan)
    clipped: Floats = np.clip(values, -1.0, 1.0)
    return clipped


def _share(part: Floats, whole: Floats) -> Floats:
    is_defined = whole > 0
    share: Floats = np.where(is_defined, part / np.where(is_defined, whole, 1.0), np.nan)
    return share


_STEP = 32


class RankedPair:
    """Two samples of the same items, of which only the order counts."""

    def __init__(self, x: Floats, y: Floats) -> None:
        self._by_x, self._by_y = _Groups(x), _Groups(y)
        code = self._by_x.group_of.astype(np.int64) * len(y) + self._by_y.group_of
        self._by_both = _Groups(code.astype(np.float64))

    @cached_property
    def agreement(self) -> PairAgreement:
        """Returns which pairs are ordered alike; lazy."""
        return PairAgreement(self._by_x.group_of, self._by_y.group_of)

    def rho(self, weights: Floats) -> Floats:
        """Returns rho of the drawn items, (n_weightings,)."""
        cube = weights.sum(axis=0) ** 3
        sizes_x, sizes_y = self._by_x.sizes(weights), self._by_y.sizes(weights)
        ranks_x, ranks_y = self._by_x.ranks(sizes_x), self._by_y.ranks(sizes_y)
        return ratio(
            np.einsum("ib,ib,ib->b", weights, ranks_x, ranks_y) - cube / 4,
            (cube - _cubes(sizes_x)) / 12,
            (cube - _cubes(sizes_y)) / 12,
        )

    def rank_sums(self, weights: Floats, values: Floats) -> Floats:
        """Returns sums over the drawn items of (rank in x - 1/2) * value; values (n,)."""
        ranks = self._by_x.ranks(self._by_x.sizes(weights))
        sums: Floats = np.einsum("ib,ib,i->b", weights, ranks, values)
        return sums

    def tau_and_accuracy(self, weights: Floats) -> ByCoefficient:
        """Returns both of the drawn items, from numbers of ordered pairs of these."""
        n_pairs = weights.sum(axis=0) ** 2
        of_copies = _squares(weights)
        tied_x, tied_y, tied_both = (
            groups.sum_of_squares(weights, of_copies)
            for groups in (self._by_x, self._by_y, self._by_both)
        )
        agreement = self.agreement.under(weights)
        concordant = (n_pairs - tied_x - tied_y + tied_both + agreement) / 2
        return {
            Coefficient.TAU: ratio(agreement, n_pairs - tied_x, n_pairs - tied_y),
            Coefficient.ACCURACY: _share(concordant + tied_both - of_copies, n_pairs - of_copies),
        }


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
        """Returns each item's average rank less 1/2; their mean is n / 2."""
        ranks = _running(sizes)
        ranks -= sizes / 2
        if self._is_in_order and not self._has_ties:
            return ranks
        of_items: Floats = ranks[self.group_of]
        return of_items

    def sum_of_squares(self, weights: Floats, of_items: Floats) -> Floats:
        return _squares(self.sizes(weights)) if self._has_ties else of_items


def _running(values: Floats) -> Floats:
    """Returns cumulative sums over rows, in whole rows: numpy goes column by column."""
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
        of_y = _Groups(y)  # of each system and topic one score is drawn, whichever
        ranks_y = of_y.ranks(of_y.sizes(np.ones((self._n, 1))))[:, 0] - self._n / 2
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
        # Equal scores of both metrics for one system and topic are no tie.
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

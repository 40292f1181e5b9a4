"""Coefficients of thousands of resamples at once.

A resample says how often each item was drawn: weights, whole numbers from 0. Copies of an item are
tied, as in the sample written out; accuracy counts pairs of different items only, as copies of
one would always agree.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.correlation.coefficients import FEWEST, Coefficient, settled
from awase.core.statistics.correlation.weighted_pairs import RankedPair
from awase.core.statistics.exact_sums import Floats

Bools = NDArray[np.bool_]
ByCoefficient = dict[Coefficient, Floats]

_NO_VARIANCE = 1e-13  # of standardised values; what cancellation leaves of a constant is smaller


class FixedPair:
    """Two samples whose values stay while the weights of their items change."""

    def __init__(self, x: Floats, y: Floats, coefficients: Sequence[Coefficient]) -> None:
        """Prepares what all resamples share.

        Args:
            x: (n,), finite.
            y: (n,), finite.
            coefficients: Which will be asked for.
        """
        self._coefficients = tuple(coefficients)
        self._is_small = len(x) < FEWEST
        if self._is_small:
            return
        self._moments = powers_of(x, y)[1:]
        if set(coefficients) - {Coefficient.R}:
            self._pairs = RankedPair(x, y)

    def under(self, weights: Floats) -> ByCoefficient:
        """Returns each coefficient's values, NaN where undefined.

        Args:
            weights: (n, n_resamples), whole numbers from 0.
        """
        if self._is_small:
            return {one: np.full(weights.shape[1], np.nan) for one in self._coefficients}
        found: ByCoefficient = {}
        if Coefficient.R in self._coefficients:
            sums = (np.einsum("i,ib->b", one, weights) for one in self._moments)
            found[Coefficient.R] = moments_r(weights.sum(axis=0), *sums)
        if Coefficient.RHO in self._coefficients:
            found[Coefficient.RHO] = ratio(*self._pairs.rank_products(weights))
        if {Coefficient.TAU, Coefficient.ACCURACY} & {*self._coefficients}:
            pairs = self._pairs.counts(weights)
            found[Coefficient.TAU] = ratio(
                pairs.concordant - pairs.discordant, pairs.untied_x, pairs.untied_y
            )
            found[Coefficient.ACCURACY] = _share(
                pairs.concordant + pairs.tied_twice, pairs.of_different
            )
        is_small = weights.sum(axis=0) < FEWEST
        return {one: np.where(is_small, np.nan, found[one]) for one in self._coefficients}


class SwappedPair:
    """Two metrics and a human score of the same items, the metrics being swapped for some.

    Every item stands twice in a fixed sample, once with each metric; a permutation gives weight 1
    to one of the two and 0 to the other.
    """

    def __init__(
        self, first: Floats, second: Floats, y: Floats, coefficients: Sequence[Coefficient]
    ) -> None:
        """Prepares what all permutations share.

        Args:
            first: (n,), finite.
            second: (n,), on the same scale.
            y: (n,).
            coefficients: Which will be asked for.
        """
        self._pair = FixedPair(np.concatenate([first, second]), np.tile(y, 2), coefficients)

    def under(self, is_swapped: Bools) -> ByCoefficient:
        """Returns the coefficients of the first metric with the human score after the swaps.

        Those of the second metric are `under(~is_swapped)`.

        Args:
            is_swapped: (n, n_permutations).
        """
        return self._pair.under(np.concatenate([~is_swapped, is_swapped]).astype(np.float64))


def varying(
    x: Floats, y: Floats, weights: Floats, coefficients: Sequence[Coefficient]
) -> ByCoefficient:
    """Returns coefficients of resamples which each have values of their own, NaN where undefined.

    Args:
        x: (n_resamples, n); what has weight 0 may be NaN.
        y: (n_resamples, n), likewise.
        weights: (n_resamples, n), not negative.
        coefficients: Which are wanted.
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
    """Returns 1, x, y, x², y² and xy of standardised scores: their sums make r (`moments_r`).

    Args:
        x: Any shape, NaN = missing.
        y: Likewise.
    """
    x, y = standardised(x), standardised(y)
    return np.ones_like(x), x, y, x**2, y**2, x * y


def standardised(x: Floats) -> Floats:
    """Returns `x` with mean 0 and standard deviation 1 over all of it; 0 when it is constant.

    Args:
        x: Any shape, at least one value, NaN = missing and stays.
    """
    centred = x - np.nanmean(x)
    spread = float(np.nanstd(x))
    is_constant = spread <= _NO_VARIANCE * float(np.nanmax(np.abs(x)))
    scaled: Floats = centred * 0.0 if is_constant else centred / spread
    return scaled


def _centred(x: Floats, weights: Floats | None = None) -> Floats:
    if weights is None:
        weights = np.ones_like(x)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (x * weights).sum(axis=1) / weights.sum(axis=1)
    centred = x - np.nan_to_num(means)[:, None]
    # What is left of a constant by the subtraction is not a variation.
    scale = np.abs(x).max(axis=1, keepdims=True, initial=0.0)
    kept: Floats = np.where(np.abs(centred) <= 1e-13 * scale, 0.0, centred)
    return kept


def _product_moment(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Returns r of values whose weighted means are 0."""
    return ratio(
        np.einsum("bi,bi,bi->b", weights, x, y),
        np.einsum("bi,bi,bi->b", weights, x, x),
        np.einsum("bi,bi,bi->b", weights, y, y),
    )


def moments_r(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Returns r, from -1 to 1, from sums of `powers_of` standardised values; NaN = undefined.

    Args:
        n: How many values were summed; all arguments have the shape of what is returned.
        x: Sums of x.
        y: Sums of y.
        xx: Sums of x squared.
        yy: Sums of y squared.
        xy: Sums of x times y.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        variance_x, variance_y = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2
        covariance = xy / n - x / n * y / n
    variance_x[~(variance_x > _NO_VARIANCE)] = 0
    variance_y[~(variance_y > _NO_VARIANCE)] = 0
    return ratio(covariance, variance_x, variance_y)


def ratio(above: Floats, below_x: Floats, below_y: Floats) -> Floats:
    """Returns above / sqrt(below_x * below_y), -1..1; NaN where a side has no variation.

    Args:
        above: Covariances, or pairs that agree less those that do not.
        below_x: Variances of x, or pairs that x orders; at least 0, of the same shape.
        below_y: Likewise of y.
    """
    is_defined = (below_x > 0) & (below_y > 0)
    below = np.where(is_defined, below_x, 1.0) * np.where(is_defined, below_y, 1.0)
    values = np.where(is_defined, above / np.sqrt(below), np.nan)
    clipped: Floats = np.clip(values, -1.0, 1.0)
    return clipped


def _share(part: Floats, whole: Floats) -> Floats:
    is_defined = whole > 0
    share: Floats = np.where(is_defined, part / np.where(is_defined, whole, 1.0), np.nan)
    return share

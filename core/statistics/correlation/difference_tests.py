"""Tests of whether two metrics correlate differently with the same human scores; two-sided."""

import math

import numpy as np

from awase.core.statistics.exact_sums import Floats

_SAME = 1e-12  # differences that are equal on paper differ by less


def permutation_p(observed: float, permuted: Floats) -> float | None:
    """Returns (c + 1) / (N + 1), c of N permuted differences being at least as large as `observed`.

    Args:
        observed: The difference of the two correlations; NaN = undefined.
        permuted: (N,); an undefined one counts as large, so that the test errs on the safe side.

    Returns:
        Above 0, at most 1; None when there is no difference to test.

    Source: Deutsch, Dror and Roth (2021), section 4; the added ones are those of Phipson and Smyth
    (2010): an estimated p is never 0.
    """
    if math.isnan(observed):
        return None
    is_small = np.abs(permuted) < abs(observed) - _SAME  # NaN is not
    return float((~is_small).sum() + 1) / (len(permuted) + 1)


def williams_p(r_first: float, r_second: float, r_between: float, n: int) -> float | None:
    """Returns the p of Williams's test that two correlations with one variable are equal.

    Args:
        r_first: Correlation of the first metric with the human scores.
        r_second: Of the second metric.
        r_between: Of the metrics with each other.
        n: How many values were correlated.

    Returns:
        From 0 to 1; None for n < 4, or when the metrics are the same up to scale.

    Source: Williams (1959); the formula of Steiger (1980), equation 7, as in R's psych::r.test.
    Differs: nlpstats takes absolute values first; here signs count, as in the permutation test.
    """
    if n < 4:
        return None
    det = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    below = 2 * (n - 1) / (n - 3) * det + ((r_first + r_second) / 2) ** 2 * (1 - r_between) ** 3
    if below <= _SAME:
        return None
    t = (r_first - r_second) * math.sqrt((n - 1) * (1 + r_between) / below)
    from scipy.special import stdtr  # as `scipy.stats` has it, which takes 50 MB more

    return float(2 * stdtr(n - 3, -abs(t)))

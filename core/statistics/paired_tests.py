"""Paired two-sided tests on the mean difference of two systems over topics; p is never 0."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from awase.core.statistics.bootstraps import Floats, resample_counts, summable

CELLS_AT_ONCE = 250_000
_TIE = 1e-12  # means nearer than this, relatively, are equal: sums of floats differ by their order


def randomisation_p_values(
    differences: Floats, *, n_resamples: int, rng: np.random.Generator
) -> Floats:
    """Returns the p-value of each column under approximate randomisation.

    Under the null every sign of a difference is equally likely; exact (all sign vectors) where
    there are no more than `n_resamples` of them.

    Args:
        differences: (n, k) finite, system minus baseline by topic; n from 1.
        rng: A column's p-value does not depend on its neighbours.

    Returns:
        (k,) over 0 and up to 1; 1 where every difference is 0.

    Source: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses, section 2.5; the sum
        over signs of Fisher (1935), section 21, when all are taken.
    """
    n = len(differences)
    is_exact = n < 63 and 2**n <= n_resamples
    batches = _all_signs(n) if is_exact else _drawn_signs(n, n_resamples, rng)
    as_far, total = _count_as_far(batches, differences, differences.sum(axis=0))
    return as_far / total if is_exact else (as_far + 1) / (total + 1)


def bootstrap_p_values(
    differences: Floats, *, n_resamples: int, rng: np.random.Generator
) -> Floats:
    """Returns the p-value of each column under the paired bootstrap of centred differences.

    Args:
        differences: (n, k) finite, system minus baseline by topic; n from 1.
        rng: A column's p-value does not depend on its neighbours.

    Returns:
        (k,) over 0 and up to 1; 1 where every difference is 0. Where all are the same and not 0,
        no resample differs from the others: 1 / (n_resamples + 1), as for n = 1.

    Source: Efron and Tibshirani (1993), section 16.4, for the shift; Koehn (2004), Statistical
        Significance Tests for Machine Translation Evaluation, for pairing.
    Differs: Koehn counts how often the resampled difference changes its sign, which is no p-value.
    """
    centred = differences - differences.mean(axis=0)
    batches = resample_counts(len(differences), n_resamples, rng)
    as_far, total = _count_as_far(batches, centred, differences.sum(axis=0))
    return (as_far + 1) / (total + 1)


def _count_as_far(
    batches: Iterator[Floats], values: Floats, observed: Floats
) -> tuple[Floats, int]:
    """Counts weighted sums of each column that are as extreme as the observed one."""
    scale = np.abs(values).sum(axis=0) + np.abs(observed)
    bound = np.abs(observed) - _TIE * scale
    values = summable(values, len(values))
    as_far, total = np.zeros(len(observed)), 0
    for weights in batches:
        as_far += (np.abs(weights @ values) >= bound).sum(axis=0)
        total += len(weights)
    return as_far, total


def _drawn_signs(n: int, n_resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    at_once = max(1, CELLS_AT_ONCE // n)
    for begin in range(0, n_resamples, at_once):
        some = min(at_once, n_resamples - begin)
        yield np.asarray(2.0 * rng.integers(0, 2, (some, n)) - 1.0, dtype=np.float64)


def _all_signs(n: int) -> Iterator[Floats]:
    at_once = max(1, CELLS_AT_ONCE // n)
    for begin in range(0, 2**n, at_once):
        numbers = np.arange(begin, min(begin + at_once, 2**n))
        bits = numbers[:, np.newaxis] >> np.arange(n) & 1
        yield np.asarray(2.0 * bits - 1.0, dtype=np.float64)


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Returns Holm's adjusted p-values, (m,) in the same order.

    Source: Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure; the form in which
        R's p.adjust gives it.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return adjusted

"""Bootstrap intervals of means."""

from collections.abc import Iterator

import numpy as np

from awase.core.statistics.exact_sums import Floats, summable

CELLS_AT_ONCE = 250_000
"""Two megabytes an array, of which there are four: more are no quicker."""


def bootstrap_interval(
    values: Floats, *, n_resamples: int, level: float, rng: np.random.Generator
) -> Floats:
    """Returns the percentile bootstrap interval of each column's mean.

    Args:
        values: (n, k) finite; rows (topics) are resampled, whole, with replacement. n from 1.
        n_resamples: How many resamples.
        level: Share of the means that lies inside, over 0 and under 1, such as 0.95.
        rng: Draws the resamples. The interval of a column does not depend on its neighbours.

    Returns:
        (2, k) the lower and the upper bound; both the mean itself when n is 1.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3; quantiles
        are interpolated linearly.
    """
    rows, columns = values.shape
    means, values = np.empty((n_resamples, columns)), summable(values, rows)
    begin = 0
    for counts in resample_counts(rows, n_resamples, rng):
        means[begin : begin + len(counts)] = counts @ values / rows
        begin += len(counts)
    tail = (1 - level) / 2
    return np.asarray(np.quantile(means, [tail, 1 - tail], axis=0))


def resample_counts(n: int, n_resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yields how often each of `n` rows is in each resample, some resamples at a time.

    Args:
        n: Rows to draw from, with replacement, as many as there are; at least 1.
        n_resamples: Resamples in all.
        rng: What draws; the same state gives the same counts.

    Yields:
        (some, n) whole numbers; each row sums to `n`.
    """
    at_once = max(1, CELLS_AT_ONCE // n)
    for begin in range(0, n_resamples, at_once):
        some = min(at_once, n_resamples - begin)
        drawn = rng.integers(0, n, (some, n)) + n * np.arange(some)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=some * n)
        yield counts.reshape(some, n).astype(np.float64)

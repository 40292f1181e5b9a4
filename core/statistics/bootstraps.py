"""Bootstrap intervals of means and of sums, and sums independent of their order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.progress import Reporter

Floats = NDArray[np.float64]

CELLS_AT_ONCE = 250_000  # two megabytes an array, of which there are four: more are no quicker


def bootstrap_interval(
    values: Floats, *, n_resamples: int, level: float, rng: np.random.Generator
) -> Floats:
    """Returns the percentile bootstrap interval of each column's mean.

    Args:
        values: (n, k) finite; rows (topics) are resampled, whole, with replacement. n from 1.
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
    """Yields how often each of `n` rows is drawn in each resample, (batch, n), in batches."""
    at_once = max(1, CELLS_AT_ONCE // n)
    for begin in range(0, n_resamples, at_once):
        some = min(at_once, n_resamples - begin)
        drawn = rng.integers(0, n, (some, n)) + n * np.arange(some)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=some * n)
        yield counts.reshape(some, n).astype(np.float64)


_BITS = 53  # of a float's significand


def summable(values: Floats, n_terms: int, axis: int | None = 0) -> Floats:
    """Rounds `values` so that their sums are exact, hence independent of the order of adding.

    A matrix product adds in whatever order suits the processor, which decides the last digit.

    Args:
        n_terms: Most terms of a sum, each as often as it is counted (whole, of either sign).
        axis: Along which they are summed; None = all together.

    Returns:
        The same shape; each moved by at most n_terms * 2**-53 of the greatest summed with it.
    """
    greatest = np.abs(values).max(axis=axis, keepdims=True, initial=0.0)
    unit = np.ldexp(1.0, np.frexp(greatest)[1] + n_terms.bit_length() - _BITS)
    rounded: Floats = np.round(values / unit) * unit
    return rounded


# (n_resamples, k) sums to (n_resamples,) values, NaN = undefined.
Statistic = Callable[[Floats], Floats]

FEWEST_TOPICS: Final = 8  # intervals of fewer topics say nothing that holds

_CELLS_AT_ONCE: Final = 2_000_000


class BootstrapInterval(NamedTuple):
    """Bounds of an interval, and the number of undefined resamples."""

    low: float
    high: float
    n_undefined: int = 0


def bootstrap_intervals(
    sums: Sequence[Floats],
    statistics: Sequence[Statistic],
    *,
    n_resamples: int,
    level: float,
    rng: np.random.Generator,
    reporter: Reporter,
) -> tuple[BootstrapInterval | None, ...]:
    """Returns the intervals of several statistics of the same topics, by the same resamples.

    An interval does not depend on its neighbours. A difference of two statistics is a statistic of
    both their sums, side by side.

    Args:
        sums: For each statistic (n_topics, k), the sums of each topic.
        level: Share of the values that lies inside, over 0 and under 1, such as 0.95.

    Returns:
        None where half of the resamples or more are undefined.
    """
    n_topics = len(sums[0])
    columns = summable(np.concatenate(sums, axis=1), n_topics)
    ends = np.cumsum([one.shape[1] for one in sums])[:-1]
    parts: list[list[Floats]] = [[] for _ in statistics]
    at_once = max(1, _CELLS_AT_ONCE // n_topics)
    for begin in range(0, n_resamples, at_once):
        reporter.advance(begin, n_resamples)
        some = min(at_once, n_resamples - begin)
        weights = rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), size=some)
        drawn = np.split(weights @ columns, ends, axis=1)
        for part, statistic, own in zip(parts, statistics, drawn, strict=True):
            part.append(statistic(own))
    tail = (1 - level) / 2
    return tuple(_interval(np.concatenate(part), tail) for part in parts)


def _interval(values: Floats, tail: float) -> BootstrapInterval | None:
    defined = values[~np.isnan(values)]
    if 2 * len(defined) <= len(values):
        return None
    low, high = np.quantile(defined, [tail, 1 - tail])
    return BootstrapInterval(float(low), float(high), len(values) - len(defined))

"""Bootstrap intervals of means and of sums, and tests whether two systems differ."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from awase.core.errors import Reporter

Floats = NDArray[np.float64]

CELLS_AT_ONCE = 250_000  # two megabytes an array, of which there are four: more are no quicker


def bootstrap_interval(
    values: Floats, *, n_resamples: int, level: float, rng: np.random.Generator
) -> Floats:
    """Returns each column's percentile bootstrap interval of the mean, (2, k).

    Rows (topics) of the (n, k) finite values are resampled, whole, with replacement. `level`, over
    0 and under 1, is the share of means inside; both bounds are the mean when n is 1. A column's
    interval does not depend on its neighbours.

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

    A matrix product adds in whatever order suits the processor, which decides the last digit. A sum
    along `axis`, None = of all, has at most `n_terms`, each as often as it is counted (whole, of
    either sign); each is moved by at most n_terms * 2**-53 of the greatest summed with it.
    """
    greatest = np.abs(values).max(axis=axis, keepdims=True, initial=0.0)
    unit = np.ldexp(1.0, np.frexp(greatest)[1] + n_terms.bit_length() - _BITS)
    unit = np.maximum(unit, np.finfo(np.float64).smallest_subnormal)
    rounded: Floats = np.round(values / unit) * unit
    return rounded


# (n_resamples, k) sums to (n_resamples,) values, NaN = undefined.
Statistic = Callable[[Floats], Floats]

FEWEST_TOPICS: Final = 8  # intervals of fewer topics are unreliable

_CELLS_AT_ONCE: Final = 2_000_000


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float
    n_undefined: int = 0  # of a bootstrap, the resamples without a value, which are left out


def percentile_interval(values: Floats, level: float) -> Interval | None:
    """Returns the central interval of resampled values (NaN = undefined); None without any value.

    Source: Efron (1979); percentiles by linear interpolation, as numpy and nlpstats.
    """
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), len(values) - defined.size)


def bootstrap_intervals(
    sums: Sequence[Floats],
    statistics: Sequence[Statistic],
    *,
    n_resamples: int,
    level: float,
    rng: np.random.Generator,
    reporter: Reporter,
) -> tuple[Interval | None, ...]:
    """Returns the intervals of several statistics of the same topics, by the same resamples.

    Each has the (n_topics, k) sums of each topic. An interval, which has the share `level` of
    values, does not depend on its neighbours; None where half of the resamples or more are
    undefined. A difference of two statistics is a statistic of both their sums, side by side.
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
    intervals = (percentile_interval(np.concatenate(part), level) for part in parts)
    return tuple(
        one if one is not None and 2 * one.n_undefined < n_resamples else None for one in intervals
    )


_TIE = 1e-12  # means nearer than this, relatively, are equal: sums of floats differ by their order


def randomisation_p_values(
    differences: Floats, *, n_resamples: int, rng: np.random.Generator
) -> Floats:
    """Returns each column's p-value under approximate randomisation; 1 where every difference is 0.

    `differences` are (n, k) finite, system minus baseline by topic. Under the null every sign of
    one is equally likely; exact (all sign vectors) where there are no more than `n_resamples` of
    them. A column's p-value does not depend on its neighbours.

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
    """Returns each column's p-value under the paired bootstrap of centred differences.

    As `randomisation_p_values`. Where all differences are the same and not 0, no resample differs
    from the others: 1 / (n_resamples + 1), as for n = 1.

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

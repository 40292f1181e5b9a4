"""Percentile bootstrap over topics of statistics that are functions of sums over topics.

A resample of T topics is how often each was drawn, w ~ multinomial(T, 1/T); a sum over the topics
drawn is w times the topics' own sums. So nothing is ever counted again.

Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3; quantiles are
    interpolated linearly.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from awase.core.progress import Reporter
from awase.core.statistics.exact_sums import Floats, summable

Statistic = Callable[[Floats], Floats]
"""(n_resamples, k) sums to (n_resamples,) values, NaN = undefined."""

FEWEST_TOPICS: Final = 8
"""Intervals of fewer topics say nothing that holds."""

_CELLS_AT_ONCE: Final = 2_000_000


class Interval(NamedTuple):
    """The bounds of a value, and how many resamples had none."""

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
) -> tuple[Interval | None, ...]:
    """Returns the intervals of several statistics of the same topics, by the same resamples.

    The interval of a statistic does not depend on its neighbours. A difference of two of them is a
    statistic of both their sums, side by side.

    Args:
        sums: For each statistic (n_topics, k), the sums of each topic.
        statistics: As many.
        n_resamples: How many resamples.
        level: Share of the values that lies inside, over 0 and under 1, such as 0.95.
        rng: Draws the resamples.
        reporter: Told of the resamples done.

    Returns:
        None where half of the resamples or more have no value.

    Raises:
        Cancelled: The reporter asked to stop.
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


def _interval(values: Floats, tail: float) -> Interval | None:
    defined = values[~np.isnan(values)]
    if 2 * len(defined) <= len(values):
        return None
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), len(values) - len(defined))

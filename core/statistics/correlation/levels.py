"""The correlation of two matrices of scores at three levels.

Matrices are X[s, t]: the score of system s in topic t, NaN = missing.
Source: Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods", section 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from awase.core.statistics.correlation.coefficients import Coefficient, coefficient_of, settled
from awase.core.statistics.exact_sums import Floats


class Level(StrEnum):
    """What is correlated."""

    SYSTEM = "system"
    """The systems' means over topics: one correlation over systems."""
    TOPIC = "topic"
    """The systems' scores in a topic: a correlation for each topic, averaged."""
    GLOBAL = "global"
    """All scores of all systems in all topics, in one correlation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A correlation, or that there is none.

    Attributes:
        value: The coefficient; None = undefined.
        undefined_topics: At the level of topics, the columns without a value: one side is constant
            there, or there are fewer than 3 systems.
    """

    value: float | None
    undefined_topics: tuple[int, ...] = ()


def shared(*matrices: Floats) -> tuple[Floats, ...]:
    """Returns the matrices with NaN wherever any of them is missing.

    Raises:
        ValueError: Their shapes differ.
    """
    if len({matrix.shape for matrix in matrices}) > 1 or matrices[0].ndim != 2:
        raise ValueError("matrices of scores need one shape, systems by topics")
    is_missing = np.any([np.isnan(matrix) for matrix in matrices], axis=0)
    return tuple(np.where(is_missing, np.nan, matrix) for matrix in matrices)


def correlate(
    x: Floats, y: Floats, level: Level, coefficients: Sequence[Coefficient]
) -> dict[Coefficient, Correlation]:
    """Returns the coefficients of two matrices; what one lacks is missing in both.

    Args:
        x: (n_systems, n_topics), NaN = missing.
        y: The same shape.
        level: What is correlated.
        coefficients: Which are wanted.
    """
    x, y = shared(x, y)
    if level is Level.TOPIC:
        return {one: _over_topics(x, y, one) for one in coefficients}
    if level is Level.SYSTEM:
        x, y = system_means(x), system_means(y)
    is_there = ~np.isnan(x)
    sides = x[is_there], y[is_there]
    values = {one: coefficient_of(*sides, one) for one in coefficients}
    return {one: Correlation(value=_defined(value)) for one, value in values.items()}


def system_means(x: Floats) -> Floats:
    """Returns the mean over topics of each system, (n_systems,), NaN for one without a score."""
    is_there = ~np.isnan(x)
    n_topics = is_there.sum(axis=1)
    sums = np.where(is_there, x, 0.0).sum(axis=1)
    return settled(np.where(n_topics > 0, sums / np.maximum(n_topics, 1), np.nan))


def n_of_closed_form(x: Floats, level: Level) -> int:
    """Returns how many values a correlation at this level rests on, for closed forms.

    At the level of topics that is the size of the greatest topic, as in nlpstats.

    Args:
        x: (n_systems, n_topics) with the shared NaN.
        level: What is correlated.
    """
    is_there = ~np.isnan(x)
    if level is Level.SYSTEM:
        return int(is_there.any(axis=1).sum())
    if level is Level.TOPIC:
        return int(is_there.sum(axis=0).max(initial=0))
    return int(is_there.sum())


def _over_topics(x: Floats, y: Floats, coefficient: Coefficient) -> Correlation:
    values = np.array([
        coefficient_of(x[is_there, topic], y[is_there, topic], coefficient)
        for topic, is_there in enumerate(~np.isnan(x.T))
    ])  # fmt: skip
    undefined = np.isnan(values)
    return Correlation(
        value=None if undefined.all() else float(values[~undefined].mean()),
        undefined_topics=tuple(int(idx) for idx in np.flatnonzero(undefined)),
    )


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value

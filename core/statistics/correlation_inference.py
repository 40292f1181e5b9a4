"""Intervals and tests of correlations, from resamples and permutations of matrices of scores.

Texts are never scored again.

Source: Deutsch, Dror and Roth (2021), sections 3 and 4; nlpstats 0.0.1 is the tests' oracle.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import Final

import numpy as np
from numpy.random import Generator

from awase.core.errors import Reporter
from awase.core.statistics.bootstraps import Floats, Interval, summable
from awase.core.statistics.coefficients import FEWEST, Coefficient, Level
from awase.core.statistics.resampled_coefficients import (
    Bools,
    ByCoefficient,
    FixedPair,
    SwappedScores,
    moments_r,
    powers_of,
    standardised,
    varying,
)

# Of the largest array that a chunk of resamples makes.
_ELEMENTS = {Level.SYSTEM: 1 << 20, Level.TOPIC: 1 << 18, Level.GLOBAL: 1 << 18}


class ResamplingUnit(StrEnum):
    """What is resampled or swapped."""

    SYSTEMS = "systems"
    TOPICS = "topics"
    BOTH = "both"


def bootstrap_values(
    x: Floats,
    y: Floats,
    *,
    level: Level,
    coefficients: Sequence[Coefficient],
    unit: ResamplingUnit,
    n_resamples: int,
    rng: Generator,
    reporter: Reporter,
) -> ByCoefficient:
    """Returns each coefficient of every resample, (n_resamples,), NaN where undefined.

    Systems, topics or both are drawn with replacement, the same ones on both sides; `x` and `y` are
    (n_systems, n_topics) with NaN in the same cells.
    """
    by_level: dict[Level, type[_Means | _Topics | _All]]
    by_level = {Level.SYSTEM: _Means, Level.TOPIC: _Topics, Level.GLOBAL: _All}
    evaluated = by_level[level](x, y, coefficients)
    n_systems, n_topics = x.shape
    parts: list[ByCoefficient] = []
    for begin, n in _chunks(n_resamples, x.shape, level):
        reporter.advance(begin, n_resamples)
        systems = _drawn(n_systems, n, rng, is_drawn=unit is not ResamplingUnit.TOPICS)
        topics = _drawn(n_topics, n, rng, is_drawn=unit is not ResamplingUnit.SYSTEMS)
        parts.append(evaluated.under(systems, topics))
    reporter.advance(n_resamples, n_resamples)
    return {one: np.concatenate([part[one] for part in parts]) for one in coefficients}


def _drawn(n_items: int, n: int, rng: Generator, *, is_drawn: bool) -> Floats:
    """Draws n resamples of the items, (n, n_items) counts."""
    if not is_drawn:
        return np.ones((n, n_items))
    return rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n).astype(np.float64)


def swap_differences(
    first: Floats, second: Floats, y: Floats, level: Level, coefficients: Sequence[Coefficient]
) -> Callable[[Bools, Bools], ByCoefficient]:
    """Returns a function giving corr(first, y) - corr(second, y) after swaps, (n_permutations,).

    It takes which systems are swapped, (n_permutations, n_systems), and which topics; a score is
    swapped when exactly one of its system and its topic is. NaN = undefined.
    """
    if level is Level.GLOBAL:
        return SwappedScores(first, second, y, coefficients).differences
    function = _swapped_means if level is Level.SYSTEM else _swapped_topics
    return partial(function, first, second, y, coefficients)


def permutation_values(
    first: Floats,
    second: Floats,
    y: Floats,
    *,
    level: Level,
    coefficients: Sequence[Coefficient],
    unit: ResamplingUnit,
    n_resamples: int,
    rng: Generator,
    reporter: Reporter,
) -> tuple[dict[Coefficient, float], ByCoefficient]:
    """Returns the observed differences, and those after random swaps, (n_resamples,).

    The metrics are standardised over all their scores first, so that different scales can be
    swapped.
    """
    first, second, y = standardised(first), standardised(second), standardised(y)
    n_systems, n_topics = y.shape
    differences = swap_differences(first, second, y, level, coefficients)
    unswapped = differences(np.zeros((1, n_systems), bool), np.zeros((1, n_topics), bool))
    observed = {one: float(values[0]) for one, values in unswapped.items()}
    parts: list[ByCoefficient] = []
    for begin, n in _chunks(n_resamples, y.shape, level):
        reporter.advance(begin, n_resamples)
        systems = _chosen(n_systems, n, rng, is_chosen=unit is not ResamplingUnit.TOPICS)
        topics = _chosen(n_topics, n, rng, is_chosen=unit is not ResamplingUnit.SYSTEMS)
        parts.append(differences(systems, topics))
    reporter.advance(n_resamples, n_resamples)
    return observed, {one: np.concatenate([part[one] for part in parts]) for one in coefficients}


def _chosen(n_items: int, n: int, rng: Generator, *, is_chosen: bool) -> Bools:
    if not is_chosen:
        return np.zeros((n, n_items), dtype=bool)
    return rng.random((n, n_items)) < 0.5


def _swapped_means(
    first: Floats,
    second: Floats,
    y: Floats,
    coefficients: Sequence[Coefficient],
    swap_systems: Bools,
    swap_topics: Bools,
) -> ByCoefficient:
    is_there = ~np.isnan(y)
    n_topics = is_there.sum(axis=1)
    kept = n_topics > 0
    gain = summable(np.where(is_there, second - first, 0.0), y.shape[1], axis=1)
    of_topics = swap_topics.astype(np.float64) @ gain.T
    # Swapped by the topic alone, or, in a swapped system, by all topics but those.
    moved = np.where(swap_systems, gain.sum(axis=1) - of_topics, of_topics)[:, kept]
    sums = [np.where(is_there, side, 0.0).sum(axis=1)[kept] for side in (first, second, y)]
    n = n_topics[kept]
    ones = np.ones_like(moved)
    means_y = ones * (sums[2] / n)
    ours = varying((sums[0] + moved) / n, means_y, ones, coefficients)
    theirs = varying((sums[1] - moved) / n, means_y, ones, coefficients)
    return {one: ours[one] - theirs[one] for one in coefficients}


def _swapped_topics(
    first: Floats,
    second: Floats,
    y: Floats,
    coefficients: Sequence[Coefficient],
    swap_systems: Bools,
    swap_topics: Bools,
) -> ByCoefficient:
    shape = (len(coefficients), *swap_topics.shape)
    ours, theirs = np.full(shape, np.nan), np.full(shape, np.nan)
    for topic, is_there in enumerate(~np.isnan(y.T)):
        a, b, human = (side[is_there, topic] for side in (first, second, y))
        # Every score is there with both metrics; a permutation weighs one of them 1, the other 0.
        pair = FixedPair(np.concatenate([a, b]), np.tile(human, 2), coefficients)
        swaps = swap_systems.T[is_there] ^ swap_topics[:, topic]
        of_first, of_second = (
            pair.under(np.concatenate([~some, some]).astype(np.float64)) for some in (swaps, ~swaps)
        )
        for idx, one in enumerate(coefficients):
            ours[idx, :, topic], theirs[idx, :, topic] = of_first[one], of_second[one]
    ones = np.ones(swap_topics.shape)
    return {
        one: _topic_mean(ours[idx], ones) - _topic_mean(theirs[idx], ones)
        for idx, one in enumerate(coefficients)
    }


class _Means:
    """The level of systems: means over the drawn topics, correlated over the drawn systems."""

    def __init__(self, x: Floats, y: Floats, coefficients: Sequence[Coefficient]) -> None:
        self._is_there = ~np.isnan(x)
        self._x, self._y = (
            summable(np.where(self._is_there, side, 0.0), x.shape[1], axis=1) for side in (x, y)
        )
        self._coefficients = coefficients

    def under(self, systems: Floats, topics: Floats) -> ByCoefficient:
        n = topics @ self._is_there.T.astype(np.float64)
        divisor = np.maximum(n, 1.0)
        means = (topics @ self._x.T) / divisor, (topics @ self._y.T) / divisor
        return varying(*means, np.where(n > 0, systems, 0.0), self._coefficients)


class _Topics:
    """The level of topics: a correlation for each, averaged over the drawn ones."""

    def __init__(self, x: Floats, y: Floats, coefficients: Sequence[Coefficient]) -> None:
        self._is_there = ~np.isnan(x.T)
        self._pairs = [
            FixedPair(x[there, topic], y[there, topic], coefficients) if there.sum() >= FEWEST
            else None
            for topic, there in enumerate(self._is_there)
        ]  # fmt: skip
        self._coefficients = coefficients

    def under(self, systems: Floats, topics: Floats) -> ByCoefficient:
        is_same = bool((systems == 1).all())  # then every resample has the same topics' values
        drawn = np.ascontiguousarray((systems[:1] if is_same else systems).T)
        values = np.full((len(self._coefficients), drawn.shape[1], len(self._pairs)), np.nan)
        for topic, pair in enumerate(self._pairs):
            if pair is not None:
                found = pair.under(drawn[self._is_there[topic]])
                for idx, one in enumerate(self._coefficients):
                    values[idx, :, topic] = found[one]
        return {
            one: _topic_mean(np.broadcast_to(values[idx], topics.shape), topics)
            for idx, one in enumerate(self._coefficients)
        }


class _All:
    """The global level: all scores of the drawn systems in the drawn topics."""

    def __init__(self, x: Floats, y: Floats, coefficients: Sequence[Coefficient]) -> None:
        is_there = ~np.isnan(x)
        of_system, of_topic = np.nonzero(is_there)
        by_x = np.argsort(x[is_there], kind="stable")  # what is in order is sorted for nothing
        self._cells = of_system[by_x], of_topic[by_x]
        self._coefficients = coefficients
        self._of_ranks = tuple(one for one in coefficients if one is not Coefficient.R)
        self._pair = FixedPair(x[self._cells], y[self._cells], self._of_ranks)
        self._moments: list[Floats] = []
        if len(self._of_ranks) < len(coefficients) and len(of_system) >= FEWEST:
            self._moments = [
                summable(np.where(is_there, one, 0.0), x.size, axis=None) for one in powers_of(x, y)
            ]

    def under(self, systems: Floats, topics: Floats) -> ByCoefficient:
        found: ByCoefficient = {}
        if self._moments:
            # A score is drawn as often as its system times its topic: sums need no single scores.
            sums = [np.einsum("bt,bt->b", systems @ one, topics) for one in self._moments]
            found[Coefficient.R] = np.where(sums[0] < FEWEST, np.nan, moments_r(*sums))
        if self._of_ranks:
            of_system, of_topic = self._cells
            weights = np.ascontiguousarray(systems.T)[of_system]
            weights *= np.ascontiguousarray(topics.T)[of_topic]
            found |= self._pair.under(weights)
        undefined = np.full(len(systems), np.nan)
        return {one: found.get(one, undefined) for one in self._coefficients}


def _topic_mean(values: Floats, weights: Floats) -> Floats:
    """Returns means over the topics with a value, (n_resamples,)."""
    is_defined = ~np.isnan(values)
    n = np.where(is_defined, weights, 0.0).sum(axis=1)
    sums = np.where(is_defined, weights * values, 0.0).sum(axis=1)
    means: Floats = np.where(n > 0, sums / np.maximum(n, 1.0), np.nan)
    return means


def _chunks(n_resamples: int, shape: tuple[int, ...], level: Level) -> Iterator[tuple[int, int]]:
    """Yields (first resample, count) of chunks of small arrays."""
    # The chunks follow from the shape alone, so that a seed draws the same resamples anywhere.
    n_systems, n_topics = shape
    width = {
        Level.SYSTEM: max(n_systems * n_systems // 2, n_topics),
        Level.TOPIC: max(n_systems, n_topics) * 4,
        Level.GLOBAL: n_systems * n_topics,
    }[level]
    size = max(1, min(n_resamples, _ELEMENTS[level] // max(width, 1)))
    for begin in range(0, n_resamples, size):
        yield begin, min(size, n_resamples - begin)


CONFIDENCE = 0.95


def closed_form_interval(
    value: float, n: int, coefficient: Coefficient, confidence: float = CONFIDENCE
) -> Interval | None:
    """Returns tanh(artanh(value) -+ z * c / sqrt(n - b)); None for accuracy, n <= b, and ±1.

    r: b = 3, c = 1; rho: b = 3, c^2 = 1 + rho^2 / 2; tau-b: b = 4, c^2 = .437.

    Source: Fisher (1921) for r; Bonett and Wright (2000) for rho and tau.
    """
    if coefficient is Coefficient.ACCURACY or abs(value) >= 1:
        return None
    less, squared = {
        Coefficient.R: (3, 1.0),
        Coefficient.RHO: (3, 1 + value**2 / 2),
        Coefficient.TAU: (4, 0.437),
    }[coefficient]
    if n <= less:
        return None
    from statistics import NormalDist

    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    reach = z * math.sqrt(squared / (n - less))
    centre = math.atanh(value)
    return Interval(low=math.tanh(centre - reach), high=math.tanh(centre + reach))


_SAME = 1e-12  # differences that are equal on paper differ by less


def permutation_p(observed: float, permuted: Floats) -> float | None:
    """Returns (c + 1) / (N + 1), c of N permuted differences being at least as large as `observed`.

    An undefined permuted difference counts as large (conservative); None if `observed` is NaN.

    Source: Deutsch, Dror and Roth (2021), section 4; the added ones are those of Phipson and Smyth
    (2010): an estimated p is never 0.
    """
    if math.isnan(observed):
        return None
    is_small = np.abs(permuted) < abs(observed) - _SAME  # NaN is not
    return float((~is_small).sum() + 1) / (len(permuted) + 1)


FEWEST_OF_WILLIAMS: Final = 4  # values


def williams_p(r_first: float, r_second: float, r_between: float, n: int) -> float | None:
    """Returns the p of Williams's test that two correlations with one variable are equal.

    None for n < 4, or when the metrics are the same up to scale.

    Source: Williams (1959); the formula of Steiger (1980), equation 7, as in R's psych::r.test.
    Differs: nlpstats takes absolute values first; here signs count, as in the permutation test.
    """
    if n < FEWEST_OF_WILLIAMS:
        return None
    det = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    below = 2 * (n - 1) / (n - 3) * det + ((r_first + r_second) / 2) ** 2 * (1 - r_between) ** 3
    if below <= _SAME:
        return None
    t = (r_first - r_second) * math.sqrt((n - 1) * (1 + r_between) / below)
    from scipy.special import stdtr  # as in `scipy.stats`, which takes 50 MB more

    return float(2 * stdtr(n - 3, -abs(t)))

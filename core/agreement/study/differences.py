"""Differences of agreement between pairs, over common topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from awase.core.agreement.measures.distances import SetDistance
from awase.core.agreement.measures.levels import Choice, Levels
from awase.core.agreement.measures.raters import ROBOT, Raters
from awase.core.agreement.measures.topic_sums import TopicSums
from awase.core.agreement.study.request import AgreementRequest
from awase.core.agreement.study.results import AgreementDifference
from awase.core.errors import Problem
from awase.core.progress import Reporter
from awase.core.statistics.bootstraps import (
    FEWEST_TOPICS,
    BootstrapInterval,
    Floats,
    bootstrap_intervals,
)

_MOST_PAIRS = 3


def usual_comparisons(raters: Raters) -> tuple[tuple[Choice, Choice], ...]:
    """Returns the default comparisons: each pair with each other, or two people with the robot."""
    # Of more than three annotators there are too many pairs.
    pairs = [*combinations(raters.annotators, 2)]
    if len(pairs) == 1 and raters.has_robot:
        (pair,) = pairs
        return tuple((pair, (who, ROBOT)) for who in pair)
    return tuple(combinations(pairs, 2)) if len(pairs) <= _MOST_PAIRS else ()


def differences_of(
    levels: Levels, request: AgreementRequest, reporter: Reporter
) -> tuple[AgreementDifference, ...]:
    """Returns the difference of each two pairs to be compared, on each level.

    Only topics with sentences of both count, and both values are of the same resamples, so that
    difficult topics make no difference.
    """
    found = []
    for distance in dict.fromkeys(request.distances):
        for first, second in request.compares:
            pair = levels.measured(distance, first), levels.measured(distance, second)
            if pair[0] is not None and pair[1] is not None:
                both = (pair[0], pair[1])
                found.append(_difference(distance, (first, second), both, request, reporter))
    return tuple(found)


def _difference(
    distance: SetDistance,
    choices: tuple[Choice, Choice],
    sums: tuple[TopicSums, TopicSums],
    request: AgreementRequest,
    reporter: Reporter,
) -> AgreementDifference:
    found = compared_sums(sums, request, reporter)
    return AgreementDifference(
        distance=distance,
        first=choices[0],
        second=choices[1],
        alphas=found.alphas,
        n_topics=found.n_topics,
        interval=found.interval,
        reason=None if found.interval is not None else _reason(found.alphas, found.n_topics),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SumsCompared:
    """Two values of alpha over the same topics."""

    alphas: tuple[float | None, float | None]  # at most 1; None = undefined
    n_topics: int
    interval: BootstrapInterval | None  # of the first minus the second; None = there is none


def compared_sums(
    sums: tuple[TopicSums, TopicSums], request: AgreementRequest, reporter: Reporter
) -> SumsCompared:
    """Returns both values over the topics that both have, and the interval of their difference."""
    one, other = sums
    if not len(one.n_items) or not len(other.n_items):
        return SumsCompared(alphas=(None, None), n_topics=0, interval=None)
    common = (one.n_items > 0) & (other.n_items > 0)
    n_topics, interval = int(common.sum()), None
    own, others = one.columns[common], other.columns[common]
    alphas = _alpha(one, own), _alpha(other, others)
    if None not in alphas and n_topics >= FEWEST_TOPICS:
        width = own.shape[1]

        def difference(columns: Floats) -> Floats:
            return one.values(columns[:, :width]) - other.values(columns[:, width:])

        (interval,) = bootstrap_intervals(
            [np.concatenate([own, others], axis=1)],
            [difference],
            n_resamples=request.resampling.n_resamples,
            level=request.resampling.level,
            rng=np.random.default_rng(request.resampling.seed),
            reporter=reporter,
        )
    return SumsCompared(alphas=alphas, n_topics=n_topics, interval=interval)


def _alpha(sums: TopicSums, columns: Floats) -> float | None:
    value = float(sums.values(columns.sum(axis=0)[np.newaxis])[0])
    return None if np.isnan(value) else value


def _reason(alphas: Sequence[float | None], n_topics: int) -> Problem:
    if None in alphas:
        return Problem(what="One of the two has no value in the topics that both have.")
    if n_topics < FEWEST_TOPICS:
        return Problem(
            what="No interval: too few topics ({n}); it takes {fewest}.",
            fields={"n": n_topics, "fewest": FEWEST_TOPICS},
        )
    return Problem(what="No interval: most resamples have no variation.")

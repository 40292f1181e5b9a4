"""The rows of an agreement study: values, intervals, and why there is none."""

import math
from collections.abc import Mapping, Sequence
from itertools import compress

import numpy as np

from awase.core.agreement.measures.distances import OF_FAMILIES, SetDistance
from awase.core.agreement.measures.levels import Choice, Levels
from awase.core.agreement.measures.raters import GOLD, ROBOT
from awase.core.agreement.measures.topic_sums import TopicSums
from awase.core.agreement.study.by_topic import by_topic
from awase.core.agreement.study.request import AgreementRequest
from awase.core.agreement.study.results import AgreementRow
from awase.core.errors import Listing, Problem
from awase.core.progress import Reporter
from awase.core.statistics.alpha import precision_recall_f1
from awase.core.statistics.bootstraps import (
    FEWEST_TOPICS,
    BootstrapInterval,
    bootstrap_intervals,
)

Key = tuple[SetDistance, Choice]


def rows_of(
    levels: Levels,
    choices: Sequence[Choice],
    topics: Sequence[str],
    request: AgreementRequest,
    reporter: Reporter,
) -> tuple[AgreementRow, ...]:
    """Returns a row for each level and choice; `topics` are ids in order of the sums."""
    measured: dict[Key, TopicSums] = {}
    for distance in dict.fromkeys(request.distances):
        for choice in choices:
            found = levels.measured(distance, choice)
            if found is not None:
                measured[distance, choice] = found
    intervals = _intervals(measured, request, reporter)
    return tuple(
        _row(distance, choice, measured, intervals, levels, topics, request)
        for distance in dict.fromkeys(request.distances)
        for choice in choices
    )


def _intervals(
    measured: Mapping[Key, TopicSums], request: AgreementRequest, reporter: Reporter
) -> dict[Key, BootstrapInterval | None]:
    """Returns the intervals; levels with items in the same topics share their resamples."""
    groups: dict[bytes, list[Key]] = {}
    for key, found in measured.items():
        has_items = found.n_items > 0
        total = found.columns.sum(axis=0)
        if has_items.sum() >= FEWEST_TOPICS and not np.isnan(found.values(total[np.newaxis])[0]):
            groups.setdefault(has_items.tobytes(), []).append(key)
    intervals: dict[Key, BootstrapInterval | None] = {}
    for keys in groups.values():
        has_items = measured[keys[0]].n_items > 0
        found_intervals = bootstrap_intervals(
            [measured[key].columns[has_items] for key in keys],
            [measured[key].values for key in keys],
            n_resamples=request.resampling.n_resamples,
            level=request.resampling.level,
            rng=np.random.default_rng(request.resampling.seed),
            reporter=reporter,
        )
        intervals.update(zip(keys, found_intervals, strict=True))
    return intervals


def _row(
    distance: SetDistance,
    choice: Choice,
    measured: Mapping[Key, TopicSums],
    intervals: Mapping[Key, BootstrapInterval | None],
    levels: Levels,
    topics: Sequence[str],
    request: AgreementRequest,
) -> AgreementRow:
    found = measured.get((distance, choice))
    if found is None:
        return _row_of_a_pair_level(distance, choice, request)
    total = found.columns.sum(axis=0)
    observed, expected = (_defined(share[0]) for share in found.shares(total[np.newaxis]))
    alpha = _defined(found.values(total[np.newaxis])[0])
    interval = intervals.get((distance, choice))
    n_items, n_topics = int(found.n_items.sum()), int((found.n_items > 0).sum())
    reason = (
        _reason_of_no_value(distance, choice, observed, expected, n_items, request)
        if alpha is None
        else _reason_of_no_interval(interval, n_topics)
    )
    is_links = distance is SetDistance.LINKS
    precision, recall, f1 = map(_defined, precision_recall_f1(total)) if is_links else _NO_LINKS
    return AgreementRow(
        annotators=choice,
        distance=distance,
        length=request.length,
        n_items=n_items,
        n_topics=n_topics,
        observed=observed,
        expected=expected,
        alpha=alpha,
        interval=interval,
        reason=reason,
        signature=request.signature(
            distance, choice, n_items, compress(topics, (found.n_items > 0).tolist())
        ),
        precision=precision,
        recall=recall,
        f1=f1,
        robot=_against(ROBOT, distance, choice, levels),
        gold=_against(GOLD, distance, choice, levels),
        by_topic=by_topic(found, topics),
    )


_NO_LINKS = (None, None, None)


def _row_of_a_pair_level(
    distance: SetDistance, choice: Choice, request: AgreementRequest
) -> AgreementRow:
    return AgreementRow(
        annotators=choice,
        distance=distance,
        length=request.length,
        n_items=0,
        n_topics=0,
        observed=None,
        expected=None,
        alpha=None,
        interval=None,
        reason=Problem(
            what="Cohen's kappa is of two annotators, not of {n}.",
            hint="See the pairs.",
            fields={"n": len(choice)},
        ),
        signature=request.signature(distance, choice, 0, ()),
        robot={},
        gold={},
        by_topic=(),
    )


def _reason_of_no_interval(interval: BootstrapInterval | None, n_topics: int) -> Problem | None:
    if interval is not None:
        return None
    if n_topics < FEWEST_TOPICS:
        return Problem(
            what="No interval: too few topics ({n}); it takes {fewest}.",
            fields={"n": n_topics, "fewest": FEWEST_TOPICS},
        )
    return Problem(what="No interval: most resamples have no variation.")


def _reason_of_no_value(
    distance: SetDistance,
    choice: Choice,
    observed: float | None,
    expected: float | None,
    n_items: int,
    request: AgreementRequest,
) -> Problem:
    fields = {"annotators": Listing(choice)}
    if not n_items:
        if distance is SetDistance.RANK:
            return Problem(
                what="No common item: no abstract sentence has ranks of their own by two of "
                "{annotators}.",
                fields=fields,
            )
        return Problem(
            what="No common item: no abstract sentence is settled by two of {annotators}.",
            hint="Let them annotate the same abstracts.",
            fields=fields,
        )
    if observed is None or expected is None:
        return Problem(
            what="Some alternatives are too entangled to count: more than {states} states.",
            hint="Use another distance.",
            fields={"states": f"{request.most_states:,}"},
        )
    return Problem(
        what="No variation: all say the same everywhere, so that nothing else was to be expected "
        "by chance; observed agreement {agreement}.",
        fields={"agreement": f"{1 - observed:.3f}"},
    )


def _against(
    other: str, distance: SetDistance, choice: Choice, levels: Levels
) -> dict[str, float | None]:
    """Returns the alpha of the robot or the gold against each annotator, if computed."""
    if distance not in OF_FAMILIES or other in choice:
        return {}
    alphas: dict[str, float | None] = {}
    for who in choice:
        found = levels.measured(distance, (who, other))
        if found is not None and len(found.n_items):
            alphas[who] = _defined(found.values(found.columns.sum(axis=0)[np.newaxis])[0])
    return alphas


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)

"""The rows of an agreement study: values, intervals, and why there is none."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, compress

import numpy as np

from awase.core.agreement.alpha import precision_recall_f1
from awase.core.agreement.coding import Choice, Levels, TopicSums, coded
from awase.core.agreement.distances import (
    GOLD,
    OF_FAMILIES,
    ROBOT,
    FamilyComparer,
    Raters,
    SetDistance,
)
from awase.core.agreement.results import (
    AgreementDifference,
    AgreementRequest,
    AgreementRow,
    TopicAgreement,
)
from awase.core.errors import Listing, Problem, Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, annotators_of
from awase.core.statistics.bootstraps import FEWEST_TOPICS, Floats, Interval, bootstrap_intervals


def by_topic(found: TopicSums, topics: Sequence[str]) -> tuple[TopicAgreement, ...]:
    """Returns the agreement within the topics that have an item; `topics` are ids of the sums."""
    places = np.flatnonzero(found.n_items)
    columns = found.columns[places]
    observed, expected = found.shares(columns)
    rows = zip(
        places.tolist(),
        found.n_items[places].astype(int).tolist(),
        observed.tolist(),
        expected.tolist(),
        found.values(columns).tolist(),
        strict=True,
    )
    return tuple(
        [
            TopicAgreement(
                topic=topics[place],
                n_items=n_items,
                observed=_defined(one),
                expected=_defined(other),
                alpha=_defined(alpha),
            )
            for place, n_items, one, other, alpha in rows
        ]
    )


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


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
) -> dict[Key, Interval | None]:
    """Returns the intervals; levels with items in the same topics share their resamples."""
    groups: dict[bytes, list[Key]] = {}
    for key, found in measured.items():
        has_items = found.n_items > 0
        total = found.columns.sum(axis=0)
        if has_items.sum() >= FEWEST_TOPICS and not np.isnan(found.values(total[np.newaxis])[0]):
            groups.setdefault(has_items.tobytes(), []).append(key)
    intervals: dict[Key, Interval | None] = {}
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
    intervals: Mapping[Key, Interval | None],
    levels: Levels,
    topics: Sequence[str],
    request: AgreementRequest,
) -> AgreementRow:
    found = measured.get((distance, choice))
    if found is None:
        return AgreementRow(
            annotators=choice,
            distance=distance,
            length=request.length,
            n_items=0,
            n_topics=0,
            reason=Problem(
                what="Cohen's kappa compares two annotators, not {n}.",
                hint="See the pairs.",
                fields={"n": len(choice)},
            ),
            signature=request.signature(distance, choice, 0, ()),
        )
    total = found.columns.sum(axis=0)
    observed, expected = (_defined(share[0]) for share in found.shares(total[np.newaxis]))
    alpha = _alpha(found, found.columns)
    interval = intervals.get((distance, choice))
    n_items, n_topics = int(found.n_items.sum()), int((found.n_items > 0).sum())
    reason = None if interval is not None else _reason_of_no_interval(n_topics)
    if alpha is None:
        reason = _reason_of_no_value(distance, choice, observed, expected, n_items, request)
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


def _reason_of_no_interval(n_topics: int) -> Problem:
    if n_topics < FEWEST_TOPICS:
        return Problem(
            what="No interval: too few topics ({n}); at least {fewest} are needed.",
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
                what="No common item: no abstract sentence was ranked by two of {annotators} "
                "themselves.",
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
        what="No variation: all values are the same, so chance alone predicts full agreement; "
        "observed agreement {agreement}.",
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
            alphas[who] = _alpha(found, found.columns)
    return alphas


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
    reason = None if found.interval is not None else _reason_of_no_interval(found.n_topics)
    if None in found.alphas:
        reason = Problem(what="One of the two has no value in their common topics.")
    return AgreementDifference(
        distance=distance,
        first=choices[0],
        second=choices[1],
        alphas=found.alphas,
        n_topics=found.n_topics,
        interval=found.interval,
        reason=reason,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SumsCompared:
    """Two values of alpha over the same topics."""

    alphas: tuple[float | None, float | None]  # at most 1; None = undefined
    n_topics: int
    interval: Interval | None  # of the first minus the second; None = there is none


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
    return _defined(sums.values(columns.sum(axis=0)[np.newaxis])[0])


# A topic to (abstract, n) of some of its abstract sentences.
PartOf = Callable[[Topic], frozenset[tuple[str, int]]]

FEWEST_ANNOTATORS = 2


def agreement_in_parts(
    corpus: Corpus,
    part_of: PartOf,
    request: AgreementRequest,
    reporter: Reporter,
    left_out: Collection[tuple[str, str, int]] = (),
) -> SumsCompared | None:
    """Returns alpha of the alternatives on sentences outside a part, then inside.

    Topics with sentences of both sorts are resampled. None with fewer than two annotators. Those
    in `left_out` (topic, abstract, number) are in neither.
    """
    annotators = annotators_of(corpus.topics)
    if len(annotators) < FEWEST_ANNOTATORS:
        return None
    both = tuple(Levels([annotators], [SetDistance.ALTERNATIVES], ()) for _ in range(2))
    for done, topic in enumerate(corpus.topics):
        still_wanted = partial(reporter.advance, done, len(corpus.topics), topic.id)
        still_wanted()
        part, whole = part_of(topic), coded(topic, annotators, request.length)
        comparer = FamilyComparer(request.most_states, still_wanted)
        for is_inside, levels in enumerate(both):
            items = tuple(
                item
                for item in whole.items
                if ((item.abstract.id, item.n) in part) == bool(is_inside)
                and (topic.id, item.abstract.id, item.n) not in left_out
            )
            levels.add(replace(whole, items=items), comparer)
    outside, inside = (levels.measured(SetDistance.ALTERNATIVES, annotators) for levels in both)
    if not isinstance(outside, TopicSums) or not isinstance(inside, TopicSums):
        return None
    return compared_sums((outside, inside), request, reporter)

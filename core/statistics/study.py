"""Correlation study: metrics against human scores, with intervals and tests.

Source: Deutsch, Dror and Roth (2021); coefficients, intervals and tests name theirs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Final

import numpy as np

from awase.core.errors import NOTHING, Listing, Problem, Reporter, ScoringUndefinedError
from awase.core.statistics.bootstraps import Floats, Interval, holm, percentile_interval
from awase.core.statistics.coefficients import (
    FEWEST,
    PAPERS,
    Coefficient,
    Correlation,
    Level,
    NamedScores,
    aligned,
    correlate,
    n_of_closed_form,
    system_means,
)
from awase.core.statistics.correlation_inference import (
    CONFIDENCE,
    FEWEST_OF_WILLIAMS,
    ResamplingUnit,
    bootstrap_values,
    closed_form_interval,
    permutation_p,
    permutation_values,
    williams_p,
)


class PairTest(StrEnum):
    """Result of a test of two metrics."""

    PERMUTATION = "permutation"
    WILLIAMS = "williams"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """Settings of a correlation study."""

    level: Level = Level.SYSTEM
    coefficients: tuple[Coefficient, ...] = PAPERS  # in the order of the columns
    has_bootstrap: bool = True  # whether intervals are resampled; closed forms are always computed
    unit: ResamplingUnit = ResamplingUnit.BOTH
    n_resamples: int = 9999
    # Of the generator, anew for each metric and pair, so that a value does not depend on other
    # requests.
    seed: int = 0
    test: PairTest | None = None  # None = no tests
    excluded: tuple[str, ...] = ()
    confidence: float = CONFIDENCE  # of intervals, over 0 and under 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One coefficient of one metric."""

    coefficient: Coefficient
    value: float | None  # None = undefined, see `reason`
    undefined_topics: tuple[str, ...] = ()
    bootstrap: Interval | None = None  # percentile interval; None when not requested or undefined
    # Fisher's or Bonett and Wright's interval; None where there is none.
    closed_form: Interval | None = None
    reason: Problem | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePoint:
    """A system in a scatter plot: its means over the topics shared by metric and people."""

    system: str
    metric: float
    human: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """One metric against the human scores."""

    metric: str
    signature: str
    estimates: tuple[Estimate, ...]  # in the order of the request's coefficients
    n_topics: int  # how many topics have scores on both sides; 0 = systems as wholes
    n_scores: int
    points: tuple[ScorePoint, ...]

    @property
    def n_systems(self) -> int:
        """Number of systems with scores on both sides."""
        return len(self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationComparison:
    """Two metrics, one coefficient."""

    first: str
    second: str
    coefficient: Coefficient
    # That of the first less that of the second, over what all three have scores for; None =
    # undefined.
    difference: float | None
    p: float | None  # two-sided; None = undefined
    p_holm: float | None
    n_systems: int
    reason: Problem | None = None  # why p is undefined
    signature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Results of a study, and its settings."""

    request: StudyRequest
    human: str  # the human scores' name; how judgements were joined is in its signature
    human_signature: str
    results: tuple[MetricResult, ...]
    comparisons: tuple[CorrelationComparison, ...] = ()  # a pair of metrics and a coefficient each
    warnings: tuple[Problem, ...] = ()


def study(
    human: NamedScores, metrics: Sequence[NamedScores], request: StudyRequest, reporter: Reporter
) -> Study:
    """Returns the correlations of each metric with the human scores."""
    _check(human, metrics, request)
    pairs = [*combinations(metrics, 2)] if request.test is not None else []
    steps = _Steps(reporter, len(metrics) + len(pairs))
    results = []
    for metric in metrics:
        steps.begin(metric.name)
        results.append(_result(human, metric, request, steps))
    compared: list[CorrelationComparison] = []
    for first, second in pairs:
        steps.begin(f"{first.name} / {second.name}")
        compared += _compared(human, first, second, request, steps)
    return Study(
        request=request,
        human=human.name,
        human_signature=human.signature,
        results=tuple(results),
        comparisons=_with_holm(compared),
        warnings=tuple(_warnings(human, results)),
    )


class _Steps:
    """Progress over several parts."""

    def __init__(self, reporter: Reporter, n_parts: int) -> None:
        self._reporter, self._n_parts = reporter, n_parts
        self._part, self._name = -1, ""

    def begin(self, name: str) -> None:
        """Turns to the next part."""
        self._part, self._name = self._part + 1, name
        self.advance(0, 1)

    def advance(self, done: int, total: int, what: str = "") -> None:
        self._reporter.advance(
            100 * self._part + 100 * done // max(total, 1), 100 * self._n_parts, what or self._name
        )


def _check(human: NamedScores, metrics: Sequence[NamedScores], request: StudyRequest) -> None:
    if request.level is not Level.SYSTEM:
        wholes = [one.name for one in (human, *metrics) if one.is_of_wholes]
        if wholes:
            raise ScoringUndefinedError.of(
                "{names} {names:scores|score} systems as wholes, so there is no correlation at "
                "level={level}.",
                "Choose level=system, or import scores by topic.",
                names=Listing(wholes),
                level=request.level.value,
            )
    if any(aligned((human, one), request.excluded).systems for one in metrics):
        return
    both = [name for one in metrics for name in aligned((human, one)).systems]
    if both:
        raise ScoringUndefinedError.of(
            "Every system that has both a human score and a metric's is left out: {names}.",
            names=_names(both),
        )
    raise ScoringUndefinedError.of(
        "No system has both a human score and a metric's. People scored {human}; metrics "
        "scored {metrics}.",
        "Do the two sides use the same names for systems and topics? A file of aliases can map "
        "names.",
        human=_names(human.systems),
        metrics=_names([name for one in metrics for name in one.systems]),
    )


def _names(names: Sequence[str]) -> str:
    different = [*dict.fromkeys(names)]
    return Listing(different, most=5) or NOTHING


def _result(
    human: NamedScores, metric: NamedScores, request: StudyRequest, reporter: Reporter
) -> MetricResult:
    both = aligned((human, metric), request.excluded)
    y, x = both.matrices
    found = correlate(x, y, request.level, request.coefficients) if both.systems else {}
    resampled = {}
    is_defined = any(one.value is not None for one in found.values())
    if request.has_bootstrap and is_defined:
        resampled = bootstrap_values(
            x, y, level=request.level, coefficients=request.coefficients, unit=request.unit,
            n_resamples=request.n_resamples, rng=np.random.default_rng(request.seed),
            reporter=reporter,
        )  # fmt: skip
    is_whole = human.is_of_wholes and metric.is_of_wholes
    means = zip(both.systems, system_means(x), system_means(y), strict=True) if found else ()
    return MetricResult(
        metric=metric.name,
        signature=metric.signature,
        estimates=tuple(
            _estimate(one, found.get(one, Correlation(value=None)), x, resampled.get(one),
                      request, both.topics)
            for one in request.coefficients
        ),
        n_topics=0 if is_whole else len(both.topics),
        n_scores=int((~np.isnan(x)).sum()),
        points=tuple(ScorePoint(system=s, metric=float(a), human=float(b)) for s, a, b in means),
    )  # fmt: skip


def _estimate(
    coefficient: Coefficient,
    found: Correlation,
    x: Floats,
    resampled: Floats | None,
    request: StudyRequest,
    topics: Sequence[str],
) -> Estimate:
    undefined = tuple(topics[idx] for idx in found.undefined_topics)
    if found.value is None:
        return Estimate(
            coefficient=coefficient,
            value=None,
            undefined_topics=undefined,
            reason=_why_undefined(x, request.level),
        )
    n = n_of_closed_form(x, request.level)
    return Estimate(
        coefficient=coefficient,
        value=found.value,
        undefined_topics=undefined,
        bootstrap=None if resampled is None else percentile_interval(resampled, request.confidence),
        closed_form=closed_form_interval(found.value, n, coefficient, request.confidence),
    )


def _why_undefined(x: Floats, level: Level) -> Problem:
    n = n_of_closed_form(x, level)
    if n < FEWEST:
        return Problem(
            what="there {n:is|are} {n} {n:value|values} with a score on both sides; a correlation "
            "needs 3.",
            fields={"n": n},
        )
    if level is Level.TOPIC:
        return Problem(what="in every topic one side is constant, or fewer than 3 systems are.")
    return Problem(what="one side is constant.")


def _compared(
    human: NamedScores,
    first: NamedScores,
    second: NamedScores,
    request: StudyRequest,
    reporter: Reporter,
) -> list[CorrelationComparison]:
    all_three = aligned((human, first, second), request.excluded)
    y, of_first, of_second = all_three.matrices
    n = len(all_three.systems)
    if n < FEWEST:
        few: _Tested = None, None, replace(_TOO_FEW, fields={"n": n, "fewest": FEWEST})
        values = dict.fromkeys(request.coefficients, few)
    elif request.test is PairTest.WILLIAMS:
        values = _by_williams(y, of_first, of_second, request)
    else:
        values = _by_permutation(y, of_first, of_second, request, reporter)
    return [
        CorrelationComparison(
            first=first.name, second=second.name, coefficient=one,
            difference=values[one][0], p=values[one][1], reason=values[one][2],
            p_holm=None, n_systems=n,
        )
        for one in request.coefficients
    ]  # fmt: skip


# Difference, p, and why p is undefined.
_Tested = tuple[float | None, float | None, Problem | None]

_TOO_FEW: Final = Problem(
    what="there {n:is|are} {n} {n:value|values} with a score by people and by both metrics; the "
    "test needs {fewest}."
)
_ONE_UNDEFINED: Final = Problem(what="one of the two coefficients is undefined.")
_NO_WILLIAMS: Final = Problem(
    what="Williams's test knows neither averages over topics nor accuracy.",
    hint="Take the permutation test.",
)
_ALIKE: Final = Problem(what="the two metrics are the same but for their scale.")


def _by_permutation(
    y: Floats, first: Floats, second: Floats, request: StudyRequest, reporter: Reporter
) -> dict[Coefficient, _Tested]:
    observed, permuted = permutation_values(
        first, second, y, level=request.level, coefficients=request.coefficients,
        unit=request.unit, n_resamples=request.n_resamples,
        rng=np.random.default_rng(request.seed), reporter=reporter,
    )  # fmt: skip
    return {
        one: (None, None, _ONE_UNDEFINED)
        if np.isnan(value)
        else (value, permutation_p(value, permuted[one]), None)
        for one, value in observed.items()
    }


def _by_williams(
    y: Floats, first: Floats, second: Floats, request: StudyRequest
) -> dict[Coefficient, _Tested]:
    """Returns differences and p by Williams's test, for unaveraged coefficients but accuracy."""
    coefficients = [one for one in request.coefficients if one is not Coefficient.ACCURACY]
    found: dict[Coefficient, _Tested]
    found = dict.fromkeys(request.coefficients, (None, None, _NO_WILLIAMS))
    if request.level is Level.TOPIC:
        return found
    ours, theirs, between = (
        correlate(*pair, request.level, coefficients)
        for pair in ((first, y), (second, y), (first, second))
    )
    n = n_of_closed_form(y, request.level)
    few = replace(_TOO_FEW, fields={"n": n, "fewest": FEWEST_OF_WILLIAMS})
    for one in coefficients:
        a, b, c = ours[one].value, theirs[one].value, between[one].value
        if a is None or b is None or c is None:
            found[one] = None, None, _ONE_UNDEFINED
        else:
            p = williams_p(a, b, c, n)
            why = None if p is not None else few if n < FEWEST_OF_WILLIAMS else _ALIKE
            found[one] = a - b, p, why
    return found


def _with_holm(comparisons: Sequence[CorrelationComparison]) -> tuple[CorrelationComparison, ...]:
    adjusted: dict[int, float] = {}
    for coefficient in Coefficient:
        idxs = [
            idx for idx, one in enumerate(comparisons)
            if one.coefficient is coefficient and one.p is not None
        ]  # fmt: skip
        p_values = holm([comparisons[idx].p or 0.0 for idx in idxs])
        adjusted |= {idx: float(p) for idx, p in zip(idxs, p_values, strict=True)}
    return tuple(replace(one, p_holm=adjusted.get(idx)) for idx, one in enumerate(comparisons))


def _warnings(human: NamedScores, results: Sequence[MetricResult]) -> list[Problem]:
    warnings = []
    numbers = {(one.n_systems, one.n_topics, one.n_scores) for one in results}
    if len(numbers) > 1:
        warnings.append(
            Problem(
                what="The metrics are not based on the same scores; see the numbers of systems and "
                "topics before comparing them.",
            )
        )
    for one in results:
        n_full = one.n_systems * max(one.n_topics, 1)
        if one.n_scores < n_full:
            warnings.append(
                Problem(
                    what="{metric} and {human} share {n} of {all} scores; means of systems are "
                    "over different topics.",
                    fields={"metric": one.metric, "human": human.name, "n": one.n_scores,
                            "all": n_full},
                )
            )  # fmt: skip
    return warnings

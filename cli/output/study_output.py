"""A study of metrics against people: everything for programs, and tables for people."""

from collections.abc import Iterator, Mapping

from awase.cli.output.messages import counted, full_text, warning_record
from awase.cli.output.report import Report
from awase.core.errors import NOTHING
from awase.core.reports.grid import (
    Field,
    Grid,
    Shown,
    attributes,
    columns_of,
    grid_of_records,
    grid_of_texts,
)
from awase.core.reports.study_report import (
    report_of_study,
    signatures_of,
    study_rows,
    unit_of,
)
from awase.core.statistics.coefficients import VARIANTS, Coefficient
from awase.core.statistics.resampling import Interval
from awase.core.statistics.score_matrix import Level
from awase.core.statistics.study import CorrelationComparison, MetricResult, Study


def report_of_correlations(
    study: Study, suggestions: Mapping[str, float] | None, interval: str
) -> Report:
    """Returns the report of correlations with its notes.

    Args:
        suggestions: Outlying systems with their distances; None = not requested.
        interval: `bootstrap`, `fisher` or `none`.
    """
    return Report(
        shown=lambda: _shown(study, suggestions, interval),
        json=lambda: _members(study, suggestions, has_closed_form=interval != "none"),
        grid=lambda: report_of_study(study),
        rows=lambda: study_rows(study),
    )


def _members(
    study: Study, suggestions: Mapping[str, float] | None, *, has_closed_form: bool
) -> list[tuple[str, object]]:
    """Returns the JSON members; an undefined interval or p is null."""
    request = study.request
    compared = ("first", "second", "coefficient", "difference", "p", "p_holm", "n_systems",
                "signature")  # fmt: skip
    record: dict[str, object] = {
        "human": {"measure": study.human, "signature": study.human_signature},
        "level": request.level,
        "coefficients": {one: VARIANTS[one] for one in request.coefficients},
        "confidence": request.confidence,
        "resample": request.unit,
        "n": request.n_resamples,
        "seed": request.seed,
        "excluded": list(request.excluded),
        "correlations": [_result(one, has_closed_form=has_closed_form) for one in study.results],
        "test": request.test,
        "comparisons": [attributes(one, *compared) for one in study.comparisons],
    }
    if suggestions is not None:
        record["suggested_outliers"] = dict(suggestions)
    record["warnings"] = [warning_record(problem) for problem in study.warnings]
    return [*record.items()]


def _result(result: MetricResult, *, has_closed_form: bool) -> dict[str, object]:
    return {
        **attributes(result, "metric", "signature", "n_systems", "n_topics", "n_scores"),
        "estimates": [
            {
                "coefficient": one.coefficient,
                "value": one.value,
                "bootstrap": _ends(one.bootstrap),
                "n_undefined_resamples": one.bootstrap.n_undefined if one.bootstrap else None,
                "closed_form": _ends(one.closed_form) if has_closed_form else None,
                "undefined_topics": list(one.undefined_topics),
                "reason": None if one.reason is None else full_text(one.reason),
                "signature": one.signature,
            }
            for one in result.estimates
        ],
        "systems": [attributes(point, "system", "metric", "human") for point in result.points],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


SIGNIFICANT = 0.05
_UNDEFINED = "undefined"
_LEVELS = {
    Level.SYSTEM: " (mean over topics, then one correlation over systems)",
    Level.TOPIC: " (a correlation over systems in each topic, averaged)",
    Level.GLOBAL: " (one correlation over all scores)",
}


def _shown(study: Study, suggestions: Mapping[str, float] | None, interval: str) -> Shown:
    yield from _values(study)
    if interval != "none":
        yield f"\n{100 * study.request.confidence:g}% intervals"
        yield _intervals(study, has_bootstrap=interval == "bootstrap")
    for coefficient in study.request.coefficients:
        yield from _comparisons(study, coefficient)
    yield from _facts(study, interval)
    if suggestions is not None:
        yield ""
        if not suggestions:
            yield "No system lies more than 2.5 MADs from the median human score."
        for name, distance in suggestions.items():
            yield (
                f"outlier? {name}: {distance:.1f} MADs from the median human score; still included "
                f"(--exclude {name})"
            )


def _values(study: Study) -> Shown:
    fields: list[Field[MetricResult]] = [
        Field("", "metric", text=lambda one: one.metric),
        *(_estimate(at, name) for at, name in enumerate(study.request.coefficients)),
        Field("", "systems", text=lambda one: str(one.n_systems), is_number=True),
        Field("", "topics", text=lambda one: str(one.n_topics or NOTHING), is_number=True),
    ]  # fmt: skip
    if study.request.level is Level.TOPIC:
        fields.append(Field("", "undefined topics", is_number=True, text=lambda one: str(
            max(len(estimate.undefined_topics) for estimate in one.estimates))))  # fmt: skip
    yield grid_of_records(fields, study.results)
    for result in study.results:
        for one in result.estimates:
            if one.reason is not None:
                yield f"{one.coefficient} of {result.metric} is undefined: {one.reason}"


def _estimate(at: int, name: str) -> Field[MetricResult]:
    return Field("", name, text=lambda one: _number(one.estimates[at].value), is_number=True)


def _intervals(study: Study, *, has_bootstrap: bool) -> Grid:
    columns = ("metric", "coefficient", "value", *["bootstrap"][:has_bootstrap], "closed form")
    groups = (
        (
            (
                result.metric,
                one.coefficient.value,
                _number(one.value),
                *[_interval(one.bootstrap)][:has_bootstrap],
                _interval(one.closed_form),
            )
            for one in result.estimates
        )
        for result in study.results
    )
    return grid_of_texts(columns_of(columns, 2), groups)


def _comparisons(study: Study, coefficient: Coefficient) -> Shown:
    """Yields a matrix: the row's metric less the column's, and its p after Holm's correction."""
    found = {
        (one.first, one.second): one for one in study.comparisons if one.coefficient is coefficient
    }
    if not found:
        return
    names = [result.metric for result in study.results]
    columns = columns_of((f"{coefficient}: row − column (p)", *names[1:]))
    rows = (
        [first, *(_compared(found.get((first, second))) for second in names[1:])]
        for first in names[:-1]
    )
    yield ""
    yield grid_of_texts(columns, [rows])


def _compared(comparison: CorrelationComparison | None) -> str:
    if comparison is None:
        return ""
    if comparison.difference is None or comparison.p_holm is None:
        return _UNDEFINED
    mark = "*" if comparison.p_holm <= SIGNIFICANT else " "
    return f"{comparison.difference:+.3f} ({comparison.p_holm:.4f}){mark}"


def _facts(study: Study, interval: str) -> Iterator[str]:
    request = study.request
    yield ""
    yield f"human scores: {study.human_signature}"
    yield f"level: {request.level}{_LEVELS[request.level]}"
    yield f"coefficients: {'; '.join(VARIANTS[one] for one in request.coefficients)}"
    if request.excluded:
        yield f"excluded: {', '.join(request.excluded)}"
    if interval == "bootstrap":
        n_lost = max(
            (one.bootstrap.n_undefined for result in study.results for one in result.estimates
             if one.bootstrap is not None),
            default=0,
        )  # fmt: skip
        resamples = counted(n_lost, "resample without a value is", "resamples without a value are")
        lost = f"; up to {resamples} left out" if n_lost else ""
        yield (
            f"bootstrap: percentiles of {request.n_resamples} resamples of {unit_of(study)}, "
            f"seed {request.seed}{lost}"
        )
    if interval != "none":
        yield "closed form: Fisher for r, Bonett and Wright for rho and tau-b"
    if request.test is not None:
        how = (
            f"{request.n_resamples} permutations of {unit_of(study)}, seed {request.seed}"
            if request.test == "permutation"
            else "for dependent correlations"
        )
        yield (
            f"test: {request.test}, {how}; two-sided, p after Holm's correction over all pairs; "
            f"* p ≤ {SIGNIFICANT}"
        )
    signatures = dict.fromkeys(
        (*signatures_of(study), *(result.signature for result in study.results))
    )
    shown = [one for one in signatures if one]
    yield from ["", *shown] if shown else []


def _number(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"

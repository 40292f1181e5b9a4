"""A study of metrics as JSON, for programs."""

from collections.abc import Mapping, Sequence

from awase.cli.output.messages import full_text, say
from awase.cli.output.score_output import warning_record
from awase.cli.output.tables import print_table
from awase.core.errors import NOTHING
from awase.core.reports.grid import columns_of
from awase.core.reports.study_report import signatures_of
from awase.core.statistics.correlation.coefficients import VARIANTS, Coefficient
from awase.core.statistics.correlation.resampling import Interval
from awase.core.statistics.correlation.score_matrix import Level
from awase.core.statistics.correlation.study import CorrelationComparison, MetricResult, Study


def json_record(
    study: Study, suggestions: Mapping[str, float] | None, *, has_closed_form: bool
) -> dict[str, object]:
    """Returns everything; an interval or p that does not exist is null."""
    request = study.request
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
        "comparisons": [
            {
                "first": one.first,
                "second": one.second,
                "coefficient": one.coefficient,
                "difference": one.difference,
                "p": one.p,
                "p_holm": one.p_holm,
                "n_systems": one.n_systems,
                "signature": one.signature,
            }
            for one in study.comparisons
        ],
    }
    if suggestions is not None:
        record["suggested_outliers"] = dict(suggestions)
    record["warnings"] = [warning_record(problem) for problem in study.warnings]
    return record


def _result(result: MetricResult, *, has_closed_form: bool) -> dict[str, object]:
    return {
        "metric": result.metric,
        "signature": result.signature,
        "n_systems": result.n_systems,
        "n_topics": result.n_topics,
        "n_scores": result.n_scores,
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
        "systems": [
            {"system": point.system, "metric": point.metric, "human": point.human}
            for point in result.points
        ],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


SIGNIFICANT = 0.05
_UNDEFINED = "undefined"


def print_study(study: Study, suggestions: Mapping[str, float] | None, interval: str) -> None:
    """Prints the tables, and below them everything that they rest on.

    Args:
        suggestions: Far systems with their distances; None = they were not asked for.
        interval: `bootstrap`, `fisher` or `none`.
    """
    _print_values(study)
    if interval != "none":
        _print_intervals(study, interval)
    for coefficient in study.request.coefficients:
        _print_comparisons(study, coefficient)
    _print_facts(study, interval)
    if suggestions is not None:
        _print_suggestions(suggestions)


def _print_values(study: Study) -> None:
    has_undefined = study.request.level is Level.TOPIC
    undefined = ["undefined topics"] if has_undefined else []
    columns = columns_of(("metric", *study.request.coefficients, "systems", "topics", *undefined))
    rows = [
        [
            result.metric,
            *(_number(one.value) for one in result.estimates),
            str(result.n_systems),
            str(result.n_topics) if result.n_topics else NOTHING,
            *([str(max(len(one.undefined_topics) for one in result.estimates))]
              if has_undefined else []),
        ]
        for result in study.results
    ]  # fmt: skip
    print_table(columns, [rows])
    for result in study.results:
        for one in result.estimates:
            if one.reason is not None:
                say(f"{one.coefficient} of {result.metric} is undefined: {one.reason}")


def _print_intervals(study: Study, interval: str) -> None:
    has_bootstrap = interval == "bootstrap"
    bootstrap = ["bootstrap"] if has_bootstrap else []
    columns = columns_of(("metric", "coefficient", "value", *bootstrap, "closed form"), 2)
    groups = [
        [
            [
                result.metric,
                one.coefficient.value,
                _number(one.value),
                *([_interval(one.bootstrap)] if has_bootstrap else []),
                _interval(one.closed_form),
            ]
            for one in result.estimates
        ]
        for result in study.results
    ]
    say(f"\n{100 * study.request.confidence:g}% intervals")
    print_table(columns, groups)


def _print_comparisons(study: Study, coefficient: Coefficient) -> None:
    """Prints a matrix: the row's metric less the column's, and its p after Holm's correction."""
    found = {
        (one.first, one.second): one for one in study.comparisons if one.coefficient is coefficient
    }
    if not found:
        return
    names = [result.metric for result in study.results]
    columns = columns_of((f"{coefficient}: row − column (p)", *names[1:]))
    rows = [
        [first, *(_compared(found.get((first, second))) for second in names[1:])]
        for first in names[:-1]
    ]
    say()
    print_table(columns, [rows])


def _compared(comparison: CorrelationComparison | None) -> str:
    if comparison is None:
        return ""
    if comparison.difference is None or comparison.p_holm is None:
        return _UNDEFINED
    mark = "*" if comparison.p_holm <= SIGNIFICANT else " "
    return f"{comparison.difference:+.3f} ({comparison.p_holm:.4f}){mark}"


def _print_facts(study: Study, interval: str) -> None:
    request = study.request
    say()
    say(f"human scores: {study.human_signature}")
    say(f"level: {request.level}{_LEVELS[request.level]}")
    say(f"coefficients: {'; '.join(VARIANTS[one] for one in request.coefficients)}")
    if request.excluded:
        say(f"excluded: {', '.join(request.excluded)}")
    if interval == "bootstrap":
        n_lost = max(
            (one.bootstrap.n_undefined for result in study.results for one in result.estimates
             if one.bootstrap is not None),
            default=0,
        )  # fmt: skip
        lost = f"; up to {n_lost} resamples without a value are left out" if n_lost else ""
        say(
            f"bootstrap: percentiles of {request.n_resamples} resamples of {_units(study)}, "
            f"seed {request.seed}{lost}"
        )
    if interval != "none":
        say("closed form: Fisher for r, Bonett and Wright for rho and tau-b")
    if request.test is not None:
        _print_test(study)
    _print_signatures(study)


_LEVELS = {
    Level.SYSTEM: " (mean over topics, then one correlation over systems)",
    Level.TOPIC: " (a correlation over systems in each topic, averaged)",
    Level.GLOBAL: " (one correlation over all scores)",
}


def _units(study: Study) -> str:
    unit = study.request.unit.value
    return "systems and topics" if unit == "both" else unit


def _print_test(study: Study) -> None:
    request = study.request
    how = (
        f"{request.n_resamples} permutations of {_units(study)}, seed {request.seed}"
        if request.test == "permutation"
        else "for dependent correlations"
    )
    say(
        f"test: {request.test}, {how}; two-sided, p after Holm's correction over all pairs; "
        f"* p ≤ {SIGNIFICANT}"
    )


def _print_signatures(study: Study) -> None:
    signatures = dict.fromkeys(
        (*signatures_of(study), *(result.signature for result in study.results))
    )
    shown: Sequence[str] = [one for one in signatures if one]
    if shown:
        say()
    for signature in shown:
        say(signature)


def _print_suggestions(suggestions: Mapping[str, float]) -> None:
    say()
    if not suggestions:
        say("No system lies more than 2.5 MADs from the median human score.")
    for name, distance in suggestions.items():
        say(
            f"outlier? {name}: {distance:.1f} MADs from the median human score; still included "
            f"(--exclude {name})"
        )


def _number(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"

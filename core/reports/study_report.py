"""A correlation study as the papers' table, and as complete CSV."""

from awase.core.reports.grid import (
    UNDEFINED,
    Cell,
    Grid,
    TableRows,
    columns_of,
    csv_text,
    decimal_text,
)
from awase.core.statistics.resampling import Interval
from awase.core.statistics.study import Estimate, MetricResult, Study

_COLUMNS = (
    "metric", "coefficient", "value", "low", "high", "closed_low", "closed_high", "level",
    "n_systems", "n_topics", "n_scores", "n_undefined_topics", "human", "excluded", "resample", "n",
    "seed", "signature", "correlation",
)  # fmt: skip


def report_of_study(study: Study) -> Grid:
    """Returns a row a metric and a column a coefficient, with intervals and notes.

    The highest value of a column is marked as best.
    """
    best = [
        max((one.value for one in column if one.value is not None), default=None)
        for column in zip(*(result.estimates for result in study.results), strict=True)
    ]
    names = tuple(one.value for one in study.request.coefficients)
    return Grid(
        columns=columns_of(("metric", *names, "systems", "topics")),
        rows=tuple(
            (
                Cell(text=result.metric),
                *(_cell(one, top) for one, top in zip(result.estimates, best, strict=True)),
                _count(result.n_systems),
                _count(result.n_topics),
            )
            for result in study.results
        ),
        notes=(
            *facts_of(study),
            *signatures_of(study),
            *dict.fromkeys(result.signature for result in study.results),
        ),
    )


def facts_of(study: Study) -> tuple[str, ...]:
    """Returns everything that the values depend on besides the metrics' signatures, a line each."""
    request = study.request
    excluded = ", ".join(request.excluded) or "none"
    lines = [f"{study.human_signature}; level: {request.level}; excluded: {excluded}"]
    if request.has_bootstrap:
        lines.append(
            f"intervals: {100 * request.confidence:g} % percentile bootstrap over "
            f"{unit_of(study)}, N = {request.n_resamples}, seed {request.seed}"
        )
    return tuple(lines)


def signatures_of(study: Study) -> tuple[str, ...]:
    """Returns the signatures of correlations and tests, merged over coefficients."""
    told: dict[str, dict[str, None]] = {}
    signed = [
        (one.signature, str(one.coefficient))
        for result in study.results
        for one in result.estimates
    ]
    signed += [(one.signature, str(one.coefficient)) for one in study.comparisons]
    for signature, coefficient in signed:
        whole = signature.replace(f"coefficient={coefficient}", "coefficient=…", 1)
        told.setdefault(whole, {})[coefficient] = None
    return tuple(
        whole.replace("coefficient=…", f"coefficient={'+'.join(own)}", 1)
        for whole, own in told.items()
        if whole
    )


def study_csv(study: Study) -> str:
    """Returns a row for each metric and coefficient; undefined is empty."""
    return csv_text(study_rows(study))


def study_rows(study: Study) -> TableRows:
    """Returns a row for each metric and coefficient; undefined is None."""
    rows = (_row(study, result, one) for result in study.results for one in result.estimates)
    return TableRows(columns=_COLUMNS, rows=rows)


def unit_of(study: Study) -> str:
    """Describes the resampling unit."""
    unit = study.request.unit.value
    return "systems and topics" if unit == "both" else unit


def _cell(estimate: Estimate, best: float | None) -> Cell:
    if estimate.value is None:
        return Cell(text=UNDEFINED)
    bounds = estimate.bootstrap
    return Cell(
        text=decimal_text(estimate.value),
        value=estimate.value,
        interval=None if bounds is None else (bounds.low, bounds.high),
        is_best=best is not None and round(best - estimate.value, 9) == 0,
    )


def _count(n: int) -> Cell:
    return Cell(text=str(n) if n else UNDEFINED, value=float(n) if n else None)


def _row(study: Study, result: MetricResult, estimate: Estimate) -> tuple[str | float | None, ...]:
    request = study.request
    return (
        result.metric, estimate.coefficient.value, estimate.value, *_ends(estimate.bootstrap),
        *_ends(estimate.closed_form), request.level.value, result.n_systems, result.n_topics,
        result.n_scores, len(estimate.undefined_topics), study.human_signature,
        " ".join(request.excluded), request.unit.value, request.n_resamples, request.seed,
        result.signature, estimate.signature,
    )  # fmt: skip


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)

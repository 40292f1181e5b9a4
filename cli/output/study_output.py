"""Studies as JSON for programs, and as tables for people: correlations with people, agreement."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from awase.cli.output.messages import counted, full_text, warning_record
from awase.cli.output.report import InPieces, Report, exact_record
from awase.core.agreement.distances import Kind, SetDistance
from awase.core.agreement.results import (
    AgreementDifference,
    AgreementRow,
    AgreementStudy,
    Effects,
    PairFacts,
)
from awase.core.errors import NOTHING, Listing, Problem, distinct
from awase.core.reports.grid import (
    Field,
    Grid,
    Shown,
    attributes,
    change_text,
    columns_of,
    decimal_text,
    grid_of_records,
    grid_of_texts,
    records_of,
)
from awase.core.reports.study_report import (
    FIELDS,
    By,
    agreement_rows,
    names_text,
    reasons_of,
    report_of_agreement,
    report_of_study,
    signatures_of,
    study_rows,
    unit_of,
)
from awase.core.statistics.bootstraps import Interval
from awase.core.statistics.coefficients import VARIANTS, Coefficient, Level
from awase.core.statistics.study import CorrelationComparison, MetricResult, Study


def report_of_correlations(
    study: Study, suggestions: Mapping[str, float] | None, interval: str
) -> Report:
    """Returns the report of correlations with its notes; `interval` is one of `INTERVALS`.

    `suggestions` has outlying systems with their distances; None = not requested.
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
    compared = ("first", "second", "coefficient", "difference", "p", "p_holm", "n_systems")
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
            {**attributes(one, *compared), "reason": _why(one.reason), "signature": one.signature}
            for one in study.comparisons
        ],
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
                **attributes(one, "coefficient", "value"),
                "bootstrap": _ends(one.bootstrap),
                "n_undefined_resamples": one.bootstrap.n_undefined if one.bootstrap else None,
                "closed_form": _ends(one.closed_form) if has_closed_form else None,
                "undefined_topics": list(one.undefined_topics),
                "reason": _why(one.reason),
                "signature": one.signature,
            }
            for one in result.estimates
        ],
        "systems": [attributes(point, "system", "metric", "human") for point in result.points],
    }


def _why(reason: Problem | None) -> str | None:
    return None if reason is None else full_text(reason)


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
    reasons = distinct(one.reason for one in found.values() if one.reason is not None)
    for reason in reasons:
        pairs = (f"{one.first} − {one.second}" for one in found.values() if one.reason == reason)
        yield f"{coefficient} of {Listing(pairs, most=5)} is undefined: {reason}"


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
            f"bootstrap: percentiles of {counted(request.n_resamples, 'resample')} of "
            f"{unit_of(study)}, seed {request.seed}{lost}"
        )
    if interval != "none":
        yield "closed form: Fisher for r, Bonett and Wright for rho and tau-b"
    if request.test is not None:
        how = (
            f"{counted(request.n_resamples, 'permutation')} of {unit_of(study)}, "
            f"seed {request.seed}"
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


_MAX_PAIRS = 30


def report_of_agreement_study(study: AgreementStudy, warnings: Sequence[Problem], by: By) -> Report:
    """Returns the complete report; long parts are lazy."""
    return Report(
        shown=lambda: _agreement_shown(study, by),
        json=lambda: _agreement_members(study, warnings),
        grid=lambda: report_of_agreement(study, by),
        rows=lambda: agreement_rows(study, by),
    )


def _agreement_members(
    study: AgreementStudy, warnings: Sequence[Problem]
) -> Iterator[tuple[str, object]]:
    yield "rows", [_row(row) for row in study.agreement.rows]
    sentences = study.agreement.sentences
    records = zip(sentences, records_of(FIELDS[By.SENTENCE], sentences), strict=True)
    named = (record | {"annotators": [*one.annotators]} for one, record in records)
    yield "sentences", map(exact_record, named)
    yield "effects", map(_effects, study.effects)
    yield "warnings", [*map(warning_record, warnings)]
    if study.agreement.differences:
        yield "differences", [_difference(one) for one in study.agreement.differences]


def _row(row: AgreementRow) -> dict[str, object]:
    record: dict[str, object] = {
        **attributes(row, "annotators", "distance", "length"),
        "items": row.n_items,
        "topics": row.n_topics,
        **attributes(row, "observed", "expected", "alpha"),
        "interval": _ends(row.interval),
        "reason": None if row.reason is None else str(row.reason),
        "signature": row.signature,
    }
    if row.distance is SetDistance.LINKS:
        record |= attributes(row, "f1", "precision", "recall")
    if row.robot:
        record["robot"] = dict(row.robot)
    if row.gold:
        record["gold"] = dict(row.gold)
    return record


def _difference(one: AgreementDifference) -> dict[str, object]:
    return {
        **attributes(one, "distance", "first", "second", "alphas"),
        "difference": one.value,
        "interval": _ends(one.interval),
        "topics": one.n_topics,
        "reason": None if one.reason is None else str(one.reason),
    }


def _effects(one: Effects) -> InPieces:
    return InPieces({
        **attributes(one, "annotators", "length"),
        "h": (
            {"topic": size.topic, "abstract": size.abstract, "values": dict(size.values)}
            for size in one.h
        ),
        "mean_abs_h": None if one.mean_abs_h is None else float(one.mean_abs_h),
        "mean_abs_e": None if one.mean_abs_e is None else float(one.mean_abs_e),
        **attributes(one, "n_e", "tau_b"),
        "coverage": {
            system: dict(zip(one.annotators, map(float, values), strict=True))
            for system, values in one.coverage.items()
        },
        **attributes(one, "flipped", "signature"),
    })  # fmt: skip


def _agreement_shown(study: AgreementStudy, by: By) -> Shown:
    """Yields the table and its notes."""
    report = report_of_agreement(study, by)
    if by is not By.SENTENCE and len(study.agreement.annotators) > 2:
        report = _grouped(report)
    yield Grid(columns=report.columns, rows=report.rows, breaks=report.breaks)
    if by is By.PAIR:
        yield from _pairs(study.agreement.pairs[:_MAX_PAIRS])
        yield from _ranks(study.agreement.pairs[:_MAX_PAIRS])
        yield from _effects_table(study.effects)
        yield from _differences(study.agreement.differences)
        for reason in reasons_of(study.agreement.rows):
            yield f"— {reason}"
        yield "robot: the first candidate of each sentence, alone, against that annotator"
    if by is not By.SENTENCE:
        yield ""
        yield from (row.signature for row in study.agreement.rows)


def _grouped(report: Grid) -> Grid:
    """Returns the rows grouped by distance or topic."""
    first = list(dict.fromkeys(row[0].text for row in report.rows))
    rows = sorted(report.rows, key=lambda row: first.index(row[0].text))
    ends = (at for at, row in enumerate(rows) if rows[at + 1 : at + 2] and
            rows[at + 1][0].text != row[0].text)  # fmt: skip
    return replace(report, rows=rows, breaks=frozenset(ends))


def _pairs(pairs: Sequence[PairFacts]) -> Shown:
    kinds = sorted({kind for one in pairs for kind in one.kinds}, key=[*Kind].index)
    if not kinds:
        return
    columns = columns_of(("kind", *(names_text(one.annotators) for one in pairs)))
    rows = [[kind.value, *(str(one.kinds.get(kind, 0)) for one in pairs)] for kind in kinds]
    facts = [
        ["explained by near-duplicates",
         *(f"{one.n_near_duplicates} of {one.n_different}" for one in pairs)],
        ["who accepts more (bias)", *(_signed(one.bias) for one in pairs)],
    ]  # fmt: skip
    yield ""
    yield grid_of_texts(columns, [rows, facts])


def _ranks(pairs: Sequence[PairFacts]) -> Shown:
    """Yields pairs of different ranks by two annotators, with counts."""
    for pair in pairs:
        if not pair.ranks:
            continue
        first, second = pair.annotators
        ranks = sorted({rank for both in pair.ranks for rank in both})
        columns = columns_of((f"ranks: {first} \\ {second}", *ranks))
        rows = [[own, *(str(pair.ranks.get((own, other), 0)) for other in ranks)] for own in ranks]
        yield ""
        yield grid_of_texts(columns, [rows])


def _signed(value: float | None) -> str:
    return decimal_text(value) if value is None else change_text(value)


_EFFECTS: list[Field[Effects]] = [
    Field("", "annotators", text=lambda one: names_text(one.annotators)),
    Field("", "mean |h1 − h2|", text=lambda one: decimal_text(one.mean_abs_h), is_number=True),
    Field("", "mean |e1(i) − e2(i)|", text=lambda one: decimal_text(one.mean_abs_e),
          is_number=True),
    Field("", "tau-b of systems", text=lambda one: decimal_text(one.tau_b), is_number=True),
    Field("", "flipped", text=lambda one: ", ".join(f"{a}/{b}" for a, b in one.flipped)),
]  # fmt: skip


def _effects_table(effects: Sequence[Effects]) -> Shown:
    if effects:
        yield from ("", grid_of_records(_EFFECTS, effects), "")
        yield from (one.signature for one in effects)
        yield ""


_DIFFERENCES: list[Field[AgreementDifference]] = [
    Field("", "distance", text=lambda one: one.distance.value),
    Field("", "compared",
          text=lambda one: f"{names_text(one.first)} minus {names_text(one.second)}"),
    Field("", "topics", text=lambda one: str(one.n_topics), is_number=True),
    Field("", "alphas", text=lambda one: ", ".join(map(decimal_text, one.alphas)),
          is_number=True),
    Field("", "difference", text=lambda one: _signed(one.value) + (
        "" if one.interval is None
        else f" [{change_text(one.interval.low)}, {change_text(one.interval.high)}]"),
        is_number=True),
]  # fmt: skip


def _differences(differences: Sequence[AgreementDifference]) -> Shown:
    if differences:
        yield grid_of_records(_DIFFERENCES, differences)
        reasons = (str(one.reason) for one in differences if one.reason is not None)
        yield from (f"— {reason}" for reason in dict.fromkeys(reasons))
        yield ""

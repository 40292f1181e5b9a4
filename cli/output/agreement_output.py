"""Agreement as JSON for programs, and as tables for people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from awase.cli.output.report import InPieces, Report, exact_record
from awase.cli.output.score_output import warning_record
from awase.core.agreement.distances import Kind, SetDistance
from awase.core.agreement.results import (
    AgreementDifference,
    AgreementRow,
    AgreementStudy,
    Effects,
    PairFacts,
)
from awase.core.errors import Problem
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
)
from awase.core.statistics.bootstraps import BootstrapInterval

_MAX_PAIRS = 30


def report_of_study(study: AgreementStudy, warnings: Sequence[Problem], by: By) -> Report:
    """Returns the complete report; long parts are lazy."""
    return Report(
        shown=lambda: _shown(study, by),
        json=lambda: _members(study, warnings),
        grid=lambda: report_of_agreement(study, by),
        rows=lambda: agreement_rows(study, by),
    )


def _members(study: AgreementStudy, warnings: Sequence[Problem]) -> Iterator[tuple[str, object]]:
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
        "annotators": [*row.annotators],
        "distance": row.distance.value,
        "length": row.length,
        "items": row.n_items,
        "topics": row.n_topics,
        "observed": row.observed,
        "expected": row.expected,
        "alpha": row.alpha,
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
        "distance": one.distance.value,
        "first": [*one.first],
        "second": [*one.second],
        "alphas": [*one.alphas],
        "difference": one.value,
        "interval": _ends(one.interval),
        "topics": one.n_topics,
        "reason": None if one.reason is None else str(one.reason),
    }


def _effects(one: Effects) -> InPieces:
    return InPieces({
        "annotators": [*one.annotators],
        "length": one.length,
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
        "flipped": [[*pair] for pair in one.flipped],
        "signature": one.signature,
    })  # fmt: skip


def _ends(interval: BootstrapInterval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _shown(study: AgreementStudy, by: By) -> Shown:
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
          text=lambda one: f"{names_text(one.first)} less {names_text(one.second)}"),
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

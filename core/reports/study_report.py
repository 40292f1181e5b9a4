"""Studies as tables and complete CSV: progress, agreement, correlations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.agreement.comparison import WorstFirst
from awase.core.agreement.distances import OF_FAMILIES, SetDistance
from awase.core.agreement.results import AgreementRow, AgreementStudy, SentenceAgreement
from awase.core.errors import Problem
from awase.core.reports.grid import (
    UNDEFINED,
    Cell,
    Field,
    Grid,
    TableRows,
    Value,
    columns_of,
    csv_text,
    decimal_text,
    grid_of_records,
    plain_fields,
    rows_of_records,
)
from awase.core.statistics.bootstraps import Interval
from awase.core.statistics.study import Estimate, MetricResult, Study
from awase.core.team.progress import PersonProgress

MS: Final = 1000


def _count(name: str, path: str, title: str | None = None) -> Field[Any]:
    return Field(name, title or name, attrgetter(path), is_number=True)


def _speed(name: str, title: str, attribute: str, by: int = 1) -> Field[PersonProgress]:
    def value(one: PersonProgress) -> float | None:
        number = getattr(one, attribute)
        return None if number is None else round(number / by, 3)

    def text(one: PersonProgress) -> str:
        number = getattr(one, attribute)
        return UNDEFINED if number is None else f"{number * (1 / by):.0f}"

    return Field(name, title, value, text, is_number=True)


PROGRESS_FIELDS: Final[Sequence[Field[PersonProgress]]] = (
    Field("person", "person", attrgetter("id")),
    Field("name"),
    Field("role", "role"),
    _count("abstracts_done", "n_jobs_done", "abstracts done"),
    _count("abstracts", "n_jobs", "of"),
    _count("sentences_settled", "n_settled", "sentences settled"),
    _count("sentences", "n_sentences", "of"),
    _count("flagged", "n_flagged", "flagged"),
    Field("sentences_timed", value=attrgetter("n_timed")),
    _speed("median_s", "median s", "median_ms", MS),
    _speed("p90_s", "p90 s", "p90_ms", MS),
    _speed("sentences_an_hour", "an hour", "an_hour"),
    Field("alpha", "alpha", text=lambda one: decimal_text(one.alpha), is_number=True),
    Field("due", "due", is_number=True),
    _count("suggestions_taken", "n_taken", "taken"),
    _count("", "n_decoys_taken", "decoys taken"),
    _count("decoys", "n_decoys", "of"),
    Field("decoys_taken", value=attrgetter("n_decoys_taken")),
)
# Number of final fields shown only where suggestions were accepted or decoys shown.
_N_OF_HELP: Final = 4


def has_help(people: Iterable[PersonProgress]) -> bool:
    """Returns whether anybody accepted a suggestion or saw a decoy."""
    return any(one.n_taken or one.n_decoys for one in people)


def report_of_progress(people: Sequence[PersonProgress]) -> Grid:
    """Returns a row a person."""
    return grid_of_records(
        PROGRESS_FIELDS if has_help(people) else PROGRESS_FIELDS[:-_N_OF_HELP], people
    )


def progress_csv(people: Iterable[PersonProgress]) -> str:
    """Returns a row a person, unrounded; undefined is empty."""
    return csv_text(rows_of_records(PROGRESS_FIELDS, people))


BETWEEN_NAMES = " – "


class By(StrEnum):
    """Rows of the table."""

    PAIR = "pair"
    TOPIC = "topic"
    SENTENCE = "sentence"


def names_text(annotators: Sequence[str]) -> str:
    """Returns the annotators of a row for people."""
    return BETWEEN_NAMES.join(annotators)


def reasons_of(
    rows: Sequence[AgreementRow], tell: Callable[[Problem], str] = str
) -> tuple[str, ...]:
    """Returns a line for each reason of an undefined value or interval, formatted by `tell`."""
    lines: dict[str, list[str]] = {}
    for row in rows:
        if row.reason is not None:
            lines.setdefault(tell(row.reason), []).append(
                f"{row.distance} of {names_text(row.annotators)}"
            )
    return tuple(
        f"{reason} ({'; '.join(places[:3])}{'; …' if len(places) > 3 else ''})"
        for reason, places in lines.items()
    )


def alpha_text(row: AgreementRow) -> str:
    """Returns alpha with its interval, as `0.786 [0.755, 0.817]`."""
    if row.interval is None:
        return decimal_text(row.alpha)
    low, high = decimal_text(row.interval.low), decimal_text(row.interval.high)
    return f"{decimal_text(row.alpha)} [{low}, {high}]"


def _number(name: str, path: str) -> Field[Any]:
    value = attrgetter(path)
    return Field(name, name, value, lambda row: decimal_text(value(row)), is_number=True)


def _whose(path: str) -> Field[Any]:
    annotators = attrgetter(path)
    return Field("annotators", "annotators", lambda row: names_text(annotators(row)))


def _bound(name: str) -> Field[AgreementRow]:
    return Field(
        name, value=lambda row: None if row.interval is None else getattr(row.interval, name)
    )


def _distance(distance: SetDistance) -> Field[SentenceAgreement]:
    return Field(
        distance.value,
        distance.value,
        lambda one: one.distances[distance],
        lambda one: decimal_text(one.distances[distance]),
        is_number=True,
    )


class _OfTopic:
    def __init__(self, row: AgreementRow, at: int) -> None:
        self.row, self.topic = row, row.by_topic[at]


FIELDS: Final[Mapping[By, Sequence[Field[Any]]]] = {
    By.PAIR: (
        Field("distance", "distance", attrgetter("distance.value")),
        _whose("annotators"),
        Field("length"),
        _count("items", "n_items"),
        _count("topics", "n_topics"),
        _number("observed", "observed"),
        _number("expected", "expected"),
        Field("alpha", "alpha", text=lambda row: alpha_text(row), is_number=True),
        _bound("low"),
        _bound("high"),
        *(Field(name) for name in ("precision", "recall", "f1")),
        Field("robot", "robot",
              lambda row: " ".join(f"{who}={alpha}" for who, alpha in row.robot.items()),
              lambda row: ", ".join(
                  f"{who} {decimal_text(alpha)}" for who, alpha in row.robot.items()),
              is_number=True),
        Field("reason", value=lambda row: None if row.reason is None else str(row.reason)),
        Field("signature"),
    ),
    By.TOPIC: (
        Field("topic", "topic", attrgetter("topic.topic")),
        Field("distance", "distance", attrgetter("row.distance.value")),
        _whose("row.annotators"),
        Field("length", value=attrgetter("row.length")),
        _count("items", "topic.n_items"),
        *(_number(name, f"topic.{name}") for name in ("observed", "expected", "alpha")),
        Field("signature", value=attrgetter("row.signature")),
    ),
    By.SENTENCE: (
        *plain_fields("topic", "abstract", "n"),
        _whose("annotators"),
        Field("kind", "kind", attrgetter("kind.value")),
        *map(_distance, OF_FAMILIES),
    ),
}  # fmt: skip


def _rows(study: AgreementStudy, by: By) -> Sequence[Any]:
    rows = study.agreement.rows
    if by is By.TOPIC:
        return [_OfTopic(row, at) for row in rows for at in range(len(row.by_topic))]
    return rows if by is By.PAIR else study.agreement.sentences


def report_of_agreement(
    study: AgreementStudy, by: By, tell: Callable[[Problem], str] = str
) -> Grid:
    """Returns a row a level and pair, or one a topic, or one a sentence, the worst first."""
    rows = _rows(study, by)
    grid = grid_of_records(FIELDS[by], rows if by is not By.SENTENCE else WorstFirst(rows))
    notes = [row.signature for row in study.agreement.rows if by is not By.SENTENCE]
    reasons = reasons_of(study.agreement.rows, tell) if by is By.PAIR else ()
    return Grid(columns=grid.columns, rows=grid.rows, notes=(*reasons, *notes))


def agreement_rows(study: AgreementStudy, by: By) -> TableRows:
    """Returns complete rows; undefined is None."""
    return rows_of_records(FIELDS[by], _rows(study, by))


_CASE_COLUMNS = (
    "topic", "abstract", "n", "distance", "state", "origin", "cause", "decided_by", "at",
    "outdated", "alternatives", "sources",
)  # fmt: skip


def adjudication_csv(cases: Iterable[AdjudicationCase]) -> str:
    """Returns a row for each case; undecided ones have no origin."""
    return csv_text(TableRows(columns=_CASE_COLUMNS, rows=map(_case_values, cases)))


def _case_values(case: AdjudicationCase) -> tuple[Value, ...]:
    gold = case.gold
    place = (case.topic, case.abstract, case.n, case.distance)
    if gold is None:
        return (*place, "open", None, None, None, None, "no", None, None)
    alternatives = " | ".join(
        " ".join(map(str, alternative.members)) for alternative in gold.entry.alternatives
    )
    sources = " | ".join(
        f"{source.annotator}: {' '.join(map(str, source.alternatives))}".strip()
        for source in gold.sources
    )
    return (
        *place,
        "open" if gold.decided_by is None else gold.entry.state.value,
        gold.origin.value, gold.cause, gold.decided_by, gold.at,
        "yes" if case.is_outdated else "no", alternatives, sources,
    )  # fmt: skip


_COLUMNS = (
    "metric", "coefficient", "value", "low", "high", "closed_low", "closed_high", "level",
    "n_systems", "n_topics", "n_scores", "n_undefined_topics", "human", "excluded", "resample", "n",
    "seed", "signature", "correlation", "reason",
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
                _count_cell(result.n_systems),
                _count_cell(result.n_topics),
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


def study_rows(study: Study) -> TableRows:
    """Returns a row for each metric and coefficient; undefined is None, with its reason."""
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


def _count_cell(n: int) -> Cell:
    return Cell(text=str(n) if n else UNDEFINED, value=float(n) if n else None)


def _row(study: Study, result: MetricResult, estimate: Estimate) -> tuple[str | float | None, ...]:
    request = study.request
    return (
        result.metric, estimate.coefficient.value, estimate.value, *_ends(estimate.bootstrap),
        *_ends(estimate.closed_form), request.level.value, result.n_systems, result.n_topics,
        result.n_scores, len(estimate.undefined_topics), study.human_signature,
        " ".join(request.excluded), request.unit.value, request.n_resamples, request.seed,
        result.signature, estimate.signature,
        None if estimate.reason is None else str(estimate.reason),
    )  # fmt: skip


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)

"""Agreement as tables by pair, by topic and by sentence, and what was decided, as CSV."""

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
    Field,
    Grid,
    TableRows,
    Value,
    csv_text,
    decimal_text,
    grid_of_records,
    plain_fields,
    rows_of_records,
)

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


def _count(name: str, path: str) -> Field[Any]:
    return Field(name, name, attrgetter(path), is_number=True)


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


def agreement_csv(study: AgreementStudy, by: By) -> str:
    """Returns complete unrounded rows; undefined is empty."""
    return csv_text(agreement_rows(study, by))


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

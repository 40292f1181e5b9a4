"""Agreement as tables: by pair, by topic and by sentence, and as complete CSV."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from awase.core.agreement.distances import OF_FAMILIES
from awase.core.agreement.results import AgreementRow, AgreementStudy, SentenceAgreement
from awase.core.agreement.worst_first import WorstFirst
from awase.core.errors import Problem
from awase.core.reports.grid import Cell, Grid, TableRows, columns_of, csv_text
from awase.core.reports.numbers import decimal_text

BETWEEN_NAMES = " – "
_Value = str | float | None


class By(StrEnum):
    """Rows of the table."""

    PAIR = "pair"
    TOPIC = "topic"
    SENTENCE = "sentence"


CSV_COLUMNS = {
    By.PAIR: (
        "distance", "annotators", "length", "items", "topics", "observed", "expected", "alpha",
        "low", "high", "precision", "recall", "f1", "robot", "reason", "signature",
    ),
    By.TOPIC: (
        "topic", "distance", "annotators", "length", "items", "observed", "expected", "alpha",
        "signature",
    ),
    By.SENTENCE: (
        "topic", "abstract", "n", "annotators", "kind", *(one.value for one in OF_FAMILIES),
    ),
}  # fmt: skip


def report_of_agreement(
    study: AgreementStudy, by: By, tell: Callable[[Problem], str] = str
) -> Grid:
    """Returns a row a level and pair, or one a topic, or one a sentence, the worst first."""
    signatures = tuple(row.signature for row in study.agreement.rows)
    if by is By.SENTENCE:
        return Grid(
            columns=columns_of(("topic", "abstract", "n", "annotators", "kind", *OF_FAMILIES), 5),
            rows=tuple(map(_sentence_cells, WorstFirst(study.agreement.sentences))),
        )
    if by is By.TOPIC:
        return Grid(
            columns=columns_of(
                ("topic", "distance", "annotators", "items", "observed", "expected", "alpha"), 3
            ),
            rows=tuple(_topic_cells(study.agreement.rows)),
            notes=signatures,
        )
    return Grid(
        columns=columns_of((
            "distance", "annotators", "items", "topics", "observed", "expected", "alpha", "robot",
        ), 2),
        rows=tuple(map(_pair_cells, study.agreement.rows)),
        notes=(*reasons_of(study.agreement.rows, tell), *signatures),
    )  # fmt: skip


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


def agreement_csv(study: AgreementStudy, by: By) -> str:
    """Returns complete unrounded rows; undefined is empty."""
    return csv_text(TableRows(columns=CSV_COLUMNS[by], rows=agreement_rows(study, by)))


def agreement_rows(study: AgreementStudy, by: By) -> Iterator[tuple[_Value, ...]]:
    """Yields complete rows by `CSV_COLUMNS`; undefined is None."""
    rows = {By.PAIR: _pair_values, By.TOPIC: _topic_values, By.SENTENCE: _sentence_values}[by]
    yield from rows(study)


def _pair_cells(row: AgreementRow) -> tuple[Cell, ...]:
    robot = ", ".join(f"{who} {decimal_text(alpha)}" for who, alpha in row.robot.items())
    return (
        Cell(text=row.distance.value),
        Cell(text=names_text(row.annotators)),
        _count(row.n_items),
        _count(row.n_topics),
        _number(row.observed),
        _number(row.expected),
        Cell(text=alpha_text(row), value=row.alpha),
        Cell(text=robot),
    )


def alpha_text(row: AgreementRow) -> str:
    """Returns alpha with its interval, as `0.786 [0.755, 0.817]`."""
    if row.interval is None:
        return decimal_text(row.alpha)
    low, high = decimal_text(row.interval.low), decimal_text(row.interval.high)
    return f"{decimal_text(row.alpha)} [{low}, {high}]"


def _topic_cells(rows: Sequence[AgreementRow]) -> Iterator[tuple[Cell, ...]]:
    for row in rows:
        for one in row.by_topic:
            yield (
                Cell(text=one.topic),
                Cell(text=row.distance.value),
                Cell(text=names_text(row.annotators)),
                _count(one.n_items),
                _number(one.observed),
                _number(one.expected),
                _number(one.alpha),
            )


def _sentence_cells(one: SentenceAgreement) -> tuple[Cell, ...]:
    return (
        Cell(text=one.topic),
        Cell(text=one.abstract),
        Cell(text=str(one.n)),
        Cell(text=names_text(one.annotators)),
        Cell(text=one.kind.value),
        *(_number(one.distances[distance]) for distance in OF_FAMILIES),
    )


def _number(value: float | None) -> Cell:
    return Cell(text=decimal_text(value), value=value)


def _count(n: int) -> Cell:
    return Cell(text=str(n), value=float(n))


def _pair_values(study: AgreementStudy) -> Iterator[tuple[_Value, ...]]:
    for row in study.agreement.rows:
        low, high = (None, None) if row.interval is None else row.interval[:2]
        robot = " ".join(f"{who}={alpha}" for who, alpha in row.robot.items())
        yield (
            row.distance.value, names_text(row.annotators), row.length, row.n_items, row.n_topics,
            row.observed, row.expected, row.alpha, low, high, row.precision, row.recall, row.f1,
            robot, None if row.reason is None else str(row.reason), row.signature,
        )  # fmt: skip


def _topic_values(study: AgreementStudy) -> Iterator[tuple[_Value, ...]]:
    for row in study.agreement.rows:
        for one in row.by_topic:
            yield (
                one.topic, row.distance.value, names_text(row.annotators), row.length, one.n_items,
                one.observed, one.expected, one.alpha, row.signature,
            )  # fmt: skip


def _sentence_values(study: AgreementStudy) -> Iterator[tuple[_Value, ...]]:
    for one in study.agreement.sentences:
        yield (
            one.topic, one.abstract, one.n, names_text(one.annotators), one.kind.value,
            *(one.distances[distance] for distance in OF_FAMILIES),
        )  # fmt: skip

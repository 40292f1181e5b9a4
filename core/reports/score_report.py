"""A table of scores as people read it: headings, cells, notes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.formats.scores.score_lines import REASON_COLUMN, SPREAD_COLUMNS
from awase.core.metrics.significance import ALPHA, MetricColumn, ScoreArrays, column_of
from awase.core.records.score import Score
from awase.core.reports.grid import (
    BETTER,
    PROVISIONAL,
    UNDEFINED,
    WORSE,
    Cell,
    Column,
    Grid,
    RowsOnDemand,
    TableRows,
)
from awase.core.reports.score_views import (
    Arrangement,
    ScoreCell,
    ScoreColumn,
    ScoreViewRow,
    View,
    ViewKind,
    arranged,
)

SPREAD_LEGEND: Final = "{low–high} range over annotators; the value is their mean"


def _column(column: ScoreColumn) -> Column:
    title = column.title if column.metric is not None else "topics"
    return Column(title=title, is_number=True)


def _name_cell(row: ScoreViewRow) -> Cell:
    return Cell(text=row.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWording:
    """Texts of a table of scores."""

    cell: Callable[[ScoreViewRow, ScoreColumn, ScoreCell], Cell]
    column: Callable[[ScoreColumn], Column] = _column
    name: str = "system"
    name_cell: Callable[[ScoreViewRow], Cell] = _name_cell
    no_length: str = ""


def grid_of_scores(
    shown: Arrangement,
    wording: ScoreWording,
    order: Iterable[int] | None = None,
    *,
    as_asked: bool = False,
) -> Grid:
    """Returns the arranged scores with these texts, without notes.

    Args:
        order: Row numbers; None = as they come.
        as_asked: Build rows lazily, as they come.
    """
    by_topic = shown.view.kind is ViewKind.LIST_BY_TOPIC
    has_lengths = any(row.length is not None for row in shown.rows)
    names = [*(["topic"] if by_topic else ()), *(["length"] if has_lengths else ()), wording.name]

    def row_at(at: int) -> tuple[Cell, ...]:
        row = shown.rows[at]
        head = ["mean" if row.topic is None else row.topic] if by_topic else []
        head += [row.length or wording.no_length] if has_lengths else []
        cells = [
            wording.cell(row, column, cell)
            for column, cell in zip(shown.columns, shown.cells[at], strict=True)
        ]
        return (*(Cell(text=text) for text in head), wording.name_cell(row), *cells)

    def values_of(column: int) -> list[float | str | None]:
        at = column - len(names)
        if at < 0:
            return [row_at(row)[column].value for row in range(len(shown.rows))]
        if shown.columns[at].metric is None:
            return [cells[at].n_topics for cells in shown.cells]
        return [cells[at].value for cells in shown.cells]

    places = range(len(shown.rows)) if order is None else order
    return Grid(
        columns=(
            *(Column(title=name) for name in names),
            *map(wording.column, shown.columns),
        ),
        rows=RowsOnDemand(len(shown.rows), row_at, values_of)
        if as_asked
        else tuple(map(row_at, places)),
    )


def report_of_means(scores: ScoreArrays) -> Grid:
    """Returns the means over topics: a row a length class and system, a column a metric."""
    shown = arranged(scores, View(kind=ViewKind.LIST))
    return with_notes(grid_of_scores(shown, ScoreWording(cell=report_cell)), shown)


def with_notes(grid: Grid, shown: Arrangement) -> Grid:
    """Returns the table with the meaning of its marks, signatures and resampling below."""
    signatures = (text for _, text in shown.signatures)
    notes = (*legend_of(grid.rows, shown.baseline), *signatures, *shown.resampling)
    return Grid(columns=grid.columns, rows=grid.rows, notes=notes)


def report_cell(
    _row: ScoreViewRow | None, column: ScoreColumn, cell: ScoreCell, digits: int = 4
) -> Cell:
    """Returns a score for files, or a row's number of topics."""
    if column.metric is None:
        return Cell(text=str(cell.n_topics), value=cell.n_topics)
    if cell.score is None or cell.value is None:
        return Cell(text=UNDEFINED)
    return Cell(
        text=f"{cell.value:.{digits}f}",
        value=cell.value,
        interval=None if cell.interval is None else (cell.interval.low, cell.interval.high),
        spread=spread_of(cell.score),
        n_topics=cell.n_topics if cell.is_partial else None,
        is_provisional=cell.score.provisional,
        direction=0 if cell.comparison is None else cell.comparison.direction,
        is_best=cell.is_best,
    )


def spread_of(score: Score) -> tuple[float, float] | None:
    """Returns the range over annotators; None where the score is not a mean over several."""
    return None if score.spread is None else (float(score.spread[0]), float(score.spread[1]))


def legend_of(rows: Sequence[Sequence[Cell]], baseline: str = "") -> tuple[str, ...]:
    """Returns a line for each mark in the rows."""
    cells = [cell for row in rows for cell in row]
    marks = [
        (any(cell.text == UNDEFINED for cell in cells),
         f"{UNDEFINED} undefined, or no output"),
        (any(cell.is_provisional for cell in cells),
         f"{PROVISIONAL} provisional: the annotation it rests on is not finished"),
        (any(cell.spread is not None for cell in cells), SPREAD_LEGEND),
        (any(cell.n_topics is not None for cell in cells),
         "(n) mean over n topics only"),
        (any(cell.direction > 0 for cell in cells),
         f"{BETTER} better than {baseline}, p ≤ {ALPHA:g} after Holm"),
        (any(cell.direction < 0 for cell in cells),
         f"{WORSE} worse than {baseline}, p ≤ {ALPHA:g} after Holm"),
    ]  # fmt: skip
    return tuple(text for is_there, text in marks if is_there)


ScoreField = str | float | int | bool | None

TIDY_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "signature", "provisional", "n_topics",
)  # fmt: skip
# Columns of Parquet, Excel and the library's data frames.
FRAME_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "provisional", "n_topics", "reason",
    "signature",
)  # fmt: skip
STATISTICS_COLUMNS: Final = ("low", "high", "difference", "p", "p_holm", "n_common")
_KINDS: Final = {
    "topic": str, "length": str, "system": str, "metric": str, "value": float, "signature": str,
    "provisional": bool, "n_topics": int, "reason": str,
    **dict.fromkeys((*STATISTICS_COLUMNS, *SPREAD_COLUMNS), float), "n_common": int,
}  # fmt: skip


def columns_of_rows(made: ScoreArrays, columns: tuple[str, ...] = TIDY_COLUMNS) -> tuple[str, ...]:
    """Returns these columns, and further ones that some score needs."""
    has_statistics = made.intervals is not None or made.comparisons is not None
    has_spread = any(score.spread is not None for score in made.table.scores)
    has_reason = any(score.reason is not None for score in made.table.scores)
    more = (
        *(STATISTICS_COLUMNS if has_statistics else ()),
        *(SPREAD_COLUMNS if has_spread else ()),
        *((REASON_COLUMN,) if has_reason else ()),
    )
    return (*columns, *(name for name in more if name not in columns))


def row_of(
    score: Score, made: ScoreArrays, columns: tuple[str, ...], names: Mapping[MetricColumn, str]
) -> list[ScoreField]:
    """Returns the values of these columns; None = empty."""
    fields = fields_of(score, names) | statistics_of(score, made)
    return [fields[name] for name in columns]


def tidy_rows(
    scores: Iterable[Score], made: ScoreArrays, columns: tuple[str, ...] = TIDY_COLUMNS
) -> TableRows:
    """Returns a row a score, in order, unrounded; means have no topic."""
    columns = columns_of_rows(made, columns)
    names = made.names()
    rows = (row_of(score, made, columns, names) for score in scores)
    return TableRows(columns=columns, rows=rows, kinds=_KINDS)


def fields_of(score: Score, names: Mapping[MetricColumn, str]) -> dict[str, ScoreField]:
    """Returns a score by column, without statistics; None = empty.

    Args:
        names: Distinct names of the metrics' columns; by default the metric's.
    """
    low, high = (None, None) if score.spread is None else map(float, score.spread)
    return {
        "topic": score.topic,
        "length": score.length,
        "system": score.system,
        "metric": names.get(column_of(score), score.metric),
        "value": None if score.value is None else float(score.value),
        "signature": score.signature,
        "provisional": score.provisional,
        "n_topics": score.n_topics,
        SPREAD_COLUMNS[0]: low,
        SPREAD_COLUMNS[1]: high,
        REASON_COLUMN: None if score.reason is None else str(score.reason),
    }


def statistics_of(score: Score, made: ScoreArrays) -> dict[str, ScoreField]:
    """Returns a mean's statistics by `STATISTICS_COLUMNS`; None = empty."""
    bounds, compared = made.interval_of(score), made.comparison_of(score)
    return {
        "low": None if bounds is None else bounds.low,
        "high": None if bounds is None else bounds.high,
        "difference": None if compared is None else compared.difference,
        "p": None if compared is None else compared.p,
        "p_holm": None if compared is None else compared.adjusted_p,
        "n_common": None if compared is None else compared.n_topics,
    }

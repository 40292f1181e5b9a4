"""A table of scores as people read it: headings, cells, notes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.metrics.tables.scores import Scores
from awase.core.metrics.tables.significance import ALPHA
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
)
from awase.core.reports.score_views import (
    Arrangement,
    ScoreCell,
    ScoreColumn,
    ScoreRow,
    View,
    ViewKind,
    arranged,
)

SPREAD_LEGEND: Final = "{low–high} range over annotators; the value is their mean"


def _column(column: ScoreColumn) -> Column:
    title = column.title if column.metric is not None else "topics"
    return Column(title=title, is_number=True)


def _name_cell(row: ScoreRow) -> Cell:
    return Cell(text=row.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWording:
    """How a table of scores is worded.

    Attributes:
        cell: Returns what stands in a column of a row.
        column: Returns a column of numbers with its heading.
        name: Heading of the rows' names.
        name_cell: Returns the name of a row.
        no_length: Stands for the length class where there is none, besides rows that have one.
    """

    cell: Callable[[ScoreRow, ScoreColumn, ScoreCell], Cell]
    column: Callable[[ScoreColumn], Column] = _column
    name: str = "system"
    name_cell: Callable[[ScoreRow], Cell] = _name_cell
    no_length: str = ""


def grid_of_scores(
    shown: Arrangement,
    wording: ScoreWording,
    order: Iterable[int] | None = None,
    *,
    as_asked: bool = False,
) -> Grid:
    """Returns the arranged scores in these words, without notes.

    Args:
        shown: What is arranged.
        wording: Of headings and cells.
        order: Numbers of the rows; None = as they come.
        as_asked: Make each row when it is asked for; the rows are then as they come.
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


def report_of_means(scores: Scores) -> Grid:
    """Returns the means over topics: a row a length class and system, a column a metric."""
    shown = arranged(scores, View(kind=ViewKind.LIST))
    return with_notes(grid_of_scores(shown, ScoreWording(cell=report_cell)), shown)


def with_notes(grid: Grid, shown: Arrangement) -> Grid:
    """Returns the table with the meaning of its marks, signatures and resampling below."""
    signatures = (text for _, text in shown.signatures)
    notes = (*legend_of(grid.rows, shown.baseline), *signatures, *shown.resampling)
    return Grid(columns=grid.columns, rows=grid.rows, notes=notes)


def report_cell(
    _row: ScoreRow | None, column: ScoreColumn, cell: ScoreCell, digits: int = 4
) -> Cell:
    """Returns a score as files hold it, or how many topics a row rests on."""
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
    """Returns a line for each mark that stands in the rows."""
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

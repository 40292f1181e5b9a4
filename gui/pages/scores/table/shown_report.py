"""The table as shown, as a report for the clipboard and for files."""

from awase.core.reports.grid import Cell as GridCell
from awase.core.reports.grid import Grid, columns_of
from awase.core.reports.score_report import UNDEFINED, legend_of, spread_of
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.arrangement import Arrangement, Cell
from awase.gui.pages.scores.table.wording import column_title


def report_of(shown: Arrangement, order: list[int]) -> Grid:
    """Returns what is shown, its rows in this order."""
    first = tr("System") if shown.has_systems_in_rows else tr("Topic")
    rows = [
        (GridCell(text=shown.rows[row]), *(_report_cell(cell) for cell in shown.cells[row]))
        for row in order
    ]
    signatures = (text for _, text in shown.signatures)
    return Grid(
        columns=columns_of((first, *(column_title(column, " ") for column in shown.columns))),
        rows=tuple(rows),
        notes=(*legend_of(rows, shown.baseline), *signatures, *shown.resampling),
    )


def _report_cell(cell: Cell) -> GridCell:
    if cell.score is None and cell.n_topics:
        return GridCell(text=str(cell.n_topics), value=cell.n_topics)
    if cell.score is None or cell.value is None:
        return GridCell(text=UNDEFINED)
    return GridCell(
        text=f"{cell.value:.4f}",
        value=cell.value,
        interval=None if cell.interval is None else (cell.interval.low, cell.interval.high),
        spread=spread_of(cell.score),
        n_topics=cell.n_topics if cell.is_partial else None,
        is_provisional=cell.score.provisional,
        direction=0 if cell.comparison is None else cell.comparison.direction,
        is_best=cell.is_best,
    )

"""The table as shown, for the clipboard and for files."""

import atexit
from functools import cache

from PySide6.QtCore import QAbstractItemModel, QMimeData
from PySide6.QtGui import QGuiApplication

from awase.core.reports.score_report import UNDEFINED, ReportCell, ScoreReport, legend_of
from awase.core.reports.score_text import as_html, as_tsv
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.arrangement import Arrangement, Cell
from awase.gui.pages.scores.wording import column_title


def report_of(shown: Arrangement, order: list[int]) -> ScoreReport:
    """Returns what is shown, its rows in this order."""
    first = tr("System") if shown.has_systems_in_rows else tr("Topic")
    rows = [
        (ReportCell(text=shown.rows[row]), *(_report_cell(cell) for cell in shown.cells[row]))
        for row in order
    ]
    signatures = (text for _, text in shown.signatures)
    return ScoreReport(
        headings=(first, *(column_title(column, " ") for column in shown.columns)),
        rows=tuple(rows),
        notes=(*legend_of(rows, shown.baseline), *signatures, *shown.resampling),
    )


def order_of(proxy: QAbstractItemModel) -> list[int]:
    """Returns the rows of the model under a sorting proxy, in the proxy's order."""
    map_to_source = proxy.mapToSource  # type: ignore[attr-defined]
    return [map_to_source(proxy.index(row, 0)).row() for row in range(proxy.rowCount())]


class _Report(QMimeData):
    """A report on the clipboard, told from what others put there."""


def copy_report(report: ScoreReport) -> None:
    """Puts the report on the clipboard, as text and as a table for word processors."""
    data = _Report()
    data.setText(as_tsv(report))
    data.setHtml(as_html(report))
    QGuiApplication.clipboard().setMimeData(data)
    _leave_text_at_exit()


@cache
def _leave_text_at_exit() -> None:
    """Sees to it, once, that no object of Python's is on the clipboard when Python ends.

    WORKAROUND: Qt deletes it after the interpreter has gone, and the process dies of that.
    """
    atexit.register(_leave_text)


def _leave_text() -> None:
    if QGuiApplication.instance() is not None:
        clipboard = QGuiApplication.clipboard()
        # Some platforms own nothing; what another program copied meanwhile has no such object.
        if isinstance(clipboard.mimeData(), _Report):
            clipboard.setText(clipboard.text())


def _report_cell(cell: Cell) -> ReportCell:
    if cell.score is None and cell.n_topics:
        return ReportCell(text=str(cell.n_topics), value=cell.n_topics)
    if cell.score is None or cell.value is None:
        return ReportCell(text=UNDEFINED)
    return ReportCell(
        text=f"{cell.value:.4f}",
        value=cell.value,
        interval=None if cell.interval is None else (cell.interval.low, cell.interval.high),
        n_topics=cell.n_topics if cell.is_partial else None,
        is_provisional=cell.score.provisional,
        direction=0 if cell.comparison is None else cell.comparison.direction,
        is_best=cell.is_best,
    )

"""The arranged scores as a table model."""

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from awase.core.metrics.registry import greatest_of
from awase.core.reports.grid import Cell, Column, Grid
from awase.core.reports.score_report import ScoreWording, grid_of_scores
from awase.core.reports.score_views import Arrangement, ScoreColumn, ScoreViewRow
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.wording import (
    cell_explanation,
    column_title,
    heading,
    shown_cell,
)

_Index = QModelIndex | QPersistentModelIndex
_MOST_AT_ONCE = 200  # rows that are all made when they are shown; of more, those that are looked at


class ScoreRole(IntEnum):
    """Roles beside those of every table; bars are `GridRole.SHADE`."""

    BEGINS_GROUP = GridRole.OWN  # whether the columns of another length class begin here
    INTERVAL = GridRole.OWN + 1  # (low, high) of the mean on the bar's scale; None = there is none


class ScoresModel(GridModel):
    """Systems or topics in rows; the first column is the row's name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = Arrangement()

    def show_arrangement(self, arrangement: Arrangement) -> None:
        self._shown = arrangement
        self.show(self._worded())

    @property
    def arrangement(self) -> Arrangement:
        return self._shown

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self.show(self._worded())

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and index.column():
            cell = self._shown.cells[self.row_at(index)][index.column() - 1]
            column = self._shown.columns[index.column() - 1]
            if role == Qt.ItemDataRole.ToolTipRole:  # thousands, of which few are looked at
                return cell_explanation(cell, column, self._shown.baseline)
            if role == ScoreRole.BEGINS_GROUP:
                before = self._shown.columns[index.column() - 2] if index.column() > 1 else None
                return before is None or column.length != before.length
            if role == ScoreRole.INTERVAL and column.metric and cell.interval is not None:
                greatest = greatest_of(column.metric.metric)
                return cell.interval.low / greatest, cell.interval.high / greatest
        return super().data(index, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            side = self.side_of_title(section) if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignTop
        return super().headerData(section, orientation, role)

    def _worded(self) -> Grid:
        shown = self._shown
        wording = ScoreWording(
            cell=lambda _row, column, cell: shown_cell(cell, column),
            column=self._column,
            name=tr("System") if shown.has_systems_in_rows else tr("Topic"),
            name_cell=self._name_cell,
        )
        return grid_of_scores(shown, wording, as_asked=len(shown.rows) > _MOST_AT_ONCE)

    def _column(self, column: ScoreColumn) -> Column:
        signatures = [text for columns, text in self._shown.signatures if column in columns]
        tip = "\n".join([column_title(column, " "), *signatures])
        is_count = column.metric is None
        return Column(title=heading(column), tip=tip, is_number=True, is_spare=is_count)

    def _name_cell(self, row: ScoreViewRow) -> Cell:
        text, tip = row.name, ""
        if row.name == self._shown.baseline:
            text = tr("{system} (baseline)", system=row.name)
        if self._shown.has_systems_in_rows:
            tip = tr("{system}: click for its scores topic by topic", system=row.name)
        return Cell(text=text, value=row.name, tip=tip, is_number=False)

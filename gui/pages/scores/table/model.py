"""The arranged scores as a table model."""

from enum import IntEnum
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from awase.core.metrics.registry import greatest_of
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.arrangement import Arrangement, Cell, Column
from awase.gui.pages.scores.table.wording import cell_explanation, cell_text, column_title, heading

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ScoreRole(IntEnum):
    """Roles beside Qt's own."""

    SORT = Qt.ItemDataRole.UserRole
    BAR = Qt.ItemDataRole.UserRole + 1
    """Length of the bar, 0 to 1; None = no bar."""
    BEGINS_GROUP = Qt.ItemDataRole.UserRole + 2
    """Whether the columns of another length class begin here."""
    INTERVAL = Qt.ItemDataRole.UserRole + 3
    """(low, high) of the mean on the same scale; None = there is none."""


class ScoresModel(QAbstractTableModel):
    """Systems or topics in rows; the first column is the row's name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = Arrangement()

    def show(self, arrangement: Arrangement) -> None:
        """Replaces what is shown."""
        self.beginResetModel()
        self._shown = arrangement
        self.endResetModel()

    @property
    def arrangement(self) -> Arrangement:
        """What is shown."""
        return self._shown

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._shown.rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 1 + len(self._shown.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if index.column() == 0:
            return self._row_data(index.row(), role)
        cell = self._shown.cells[index.row()][index.column() - 1]
        column = self._shown.columns[index.column() - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(cell, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell_explanation(cell, column, self._shown.baseline)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT
        if role == Qt.ItemDataRole.FontRole and cell.is_best and self._has_rivals():
            font = QFont()
            font.setBold(True)
            return font
        if role == ScoreRole.BEGINS_GROUP:
            return column.length != self._length_before(index.column())
        return _value_data(cell, column, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignTop
        if section and role == Qt.ItemDataRole.ToolTipRole:
            column = self._shown.columns[section - 1]
            return "\n".join([column_title(column, " · "), *self._signatures_of(column)])
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if section:
            return heading(self._shown.columns[section - 1])
        return tr("System") if self._shown.has_systems_in_rows else tr("Topic")

    def retranslate(self) -> None:
        """Tells the views that every text may have changed."""
        if self._shown.rows:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        if self._shown.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def _has_rivals(self) -> bool:
        shown = self._shown
        return len(shown.rows if shown.has_systems_in_rows else shown.columns) > 1

    def _length_before(self, section: int) -> str | None:
        return self._shown.columns[section - 2].length if section > 1 else ""

    def _row_data(self, row: int, role: int) -> object:
        name = self._shown.rows[row]
        if role == Qt.ItemDataRole.DisplayRole and name == self._shown.baseline:
            return tr("{system} (baseline)", system=name)
        if role in (Qt.ItemDataRole.DisplayRole, ScoreRole.SORT):
            return name
        if role == Qt.ItemDataRole.ToolTipRole and self._shown.has_systems_in_rows:
            return tr("{system}: click for its scores topic by topic", system=name)
        return None

    def _signatures_of(self, column: Column) -> list[str]:
        return [text for columns, text in self._shown.signatures if column in columns]


def _value_data(cell: Cell, column: Column, role: int) -> object:
    if role == ScoreRole.SORT:
        if column.metric is None:
            return cell.n_topics
        return float("-inf") if cell.value is None else cell.value
    if column.metric is None:
        return None
    greatest = greatest_of(column.metric.metric)
    if role == ScoreRole.BAR:
        return None if cell.value is None else cell.value / greatest
    if role == ScoreRole.INTERVAL and cell.interval is not None:
        return cell.interval.low / greatest, cell.interval.high / greatest
    return None

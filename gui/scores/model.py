"""The arranged scores as a table model."""

from enum import IntEnum
from fractions import Fraction
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from awase.gui.i18n import mark, ntr, tr, what_of
from awase.gui.scores.arrangement import Arrangement, Cell, Column

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
UNDEFINED: Final = "—"
PROVISIONAL_MARK: Final = "*"
METRIC_TITLES: Final = {
    "precision": mark("Precision"),
    "coverage": mark("Coverage"),
    "weighted-coverage": mark("Weighted coverage"),
    "": mark("Topics"),
}


class ScoreRole(IntEnum):
    """Roles beside Qt's own."""

    SORT = Qt.ItemDataRole.UserRole
    BAR = Qt.ItemDataRole.UserRole + 1
    """Length of the bar, 0 to 1; None = no bar."""
    BEGINS_GROUP = Qt.ItemDataRole.UserRole + 2
    """Whether the columns of another length class begin here."""


class ScoresModel(QAbstractTableModel):
    """Systems in rows; the first column is the system's name."""

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
        return 0 if parent.isValid() else len(self._shown.systems)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 1 + len(self._shown.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if index.column() == 0:
            return self._system_data(index.row(), role)
        cell = self._shown.cells[index.row()][index.column() - 1]
        column = self._shown.columns[index.column() - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(cell, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell_explanation(cell, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and cell.is_best and len(self._shown.systems) > 1:
            font = QFont()
            font.setBold(True)
            return font
        if role == ScoreRole.BEGINS_GROUP:
            return column.length != self._length_before(index.column())
        return self._value_data(cell, column, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignTop
        if section and role == Qt.ItemDataRole.ToolTipRole:
            return self._signature_of(self._shown.columns[section - 1])
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return heading(self._shown.columns[section - 1]) if section else tr("System")

    def retranslate(self) -> None:
        """Tells the views that every text may have changed."""
        if self._shown.systems:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        if self._shown.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def _length_before(self, section: int) -> str | None:
        return self._shown.columns[section - 2].length if section > 1 else ""

    def _system_data(self, row: int, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, ScoreRole.SORT):
            return self._shown.systems[row]
        return None

    def _value_data(self, cell: Cell, column: Column, role: int) -> object:
        if role == ScoreRole.SORT:
            if not column.metric:
                return cell.n_topics
            return -1.0 if cell.value is None else cell.value
        if role == ScoreRole.BAR:
            return cell.value if column.metric else None
        return None

    def _signature_of(self, column: Column) -> str:
        return "\n".join(text for columns, text in self._shown.signatures if column in columns)


def heading(column: Column) -> str:
    """Returns the title of a column, a word a line: numbers are narrow."""
    return column_title(column, " ").replace(" ", "\n")


def column_title(column: Column, separator: str) -> str:
    """Returns the heading of a column: its length class and its metric."""
    metric = METRIC_TITLES.get(column.metric)
    title = tr(metric) if metric is not None else column.metric
    return f"{column.length}{separator}{title}" if column.length is not None else title


def cell_text(cell: Cell, column: Column) -> str:
    """Returns what stands in a cell."""
    if not column.metric:
        return str(cell.n_topics)
    if cell.score is None or cell.value is None:
        return UNDEFINED
    return f"{cell.value:.3f}{PROVISIONAL_MARK if cell.score.provisional else ''}"


def cell_explanation(cell: Cell, column: Column) -> str:
    """Returns the exact value and what it rests on, or why there is none."""
    if not column.metric:
        return ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics)
    score = cell.score
    if score is None:
        return tr("The system has no output for this.")
    if score.value is None:
        return what_of(score.reason) if score.reason is not None else tr("Undefined")
    lines = [f"{float(score.value):.6f}"]
    if isinstance(score.value, Fraction):
        lines[0] = f"{score.value} = {lines[0]}"
    if score.topic is None:
        lines.append(ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics))
    if score.provisional:
        lines.append(tr("Provisional: the annotation it rests on is unfinished."))
    lines.append(score.signature)
    return "\n".join(lines)


def as_tsv(model: QAbstractItemModel, signatures: Arrangement) -> str:
    """Returns a table as shown, in its order, tab-separated, with the signatures below.

    Args:
        model: The model or the sorting proxy over it.
        signatures: What the model shows.
    """
    n_columns = model.columnCount()
    heading = [
        str(model.headerData(section, Qt.Orientation.Horizontal)).replace("\n", " ")
        for section in range(n_columns)
    ]
    rows = [heading]
    rows += [
        [str(model.index(row, column).data()) for column in range(n_columns)]
        for row in range(model.rowCount())
    ]
    text = "".join("\t".join(row) + "\n" for row in rows)
    return text + "".join(f"# {signature}\n" for _, signature in signatures.signatures)

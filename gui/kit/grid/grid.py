"""A table that is only read: rows of cells, each with a text, a value to sort by, and a shade."""

from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from awase.core.reports.grid import Column, Grid
from awase.core.reports.numbers import typeset
from awase.core.text.spreadsheet_cells import as_cells
from awase.gui.kit.texts.direction import is_right_to_left

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_TEXTS_MEASURED = 6
_MOST_MEASURED = 500
_LEAST_TEXT = 10
"""Width of a column of texts, in heights of a line, below which the table scrolls instead."""


class GridRole(IntEnum):
    """Roles beside Qt's own."""

    SORT = Qt.ItemDataRole.UserRole
    SHADE = Qt.ItemDataRole.UserRole + 1
    """How dark the cell is drawn, 0 to 1; None = as the rest of the row."""
    ROW = Qt.ItemDataRole.UserRole + 2
    """Number of the row in what was given to `show`."""
    PLAIN = Qt.ItemDataRole.UserRole + 3
    """The text as programs read it: a hyphen is a minus."""


class GridModel(QAbstractTableModel):
    """Shows rows of cells."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._grid = Grid()
        self._values: dict[int, list[float | str | None]] = {}

    def show(self, grid: Grid) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self._grid = grid
        self._values.clear()
        self.endResetModel()

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the columns are."""
        return self._grid.columns

    def longest_texts(self, column: int) -> list[str]:
        """Returns the texts of the column that have most characters; the widest is among them.

        Of a long table the first rows are looked at alone: the others may not have been made.
        """
        rows = self._grid.rows
        texts = {rows[at][column].text for at in range(min(len(rows), _MOST_MEASURED))}
        return sorted(texts, key=len, reverse=True)[:_TEXTS_MEASURED]

    def values(self, column: int) -> list[float | str | None]:
        """Returns what the column is sorted by, a value a row; found once for a table."""
        if column not in self._values:
            self._values[column] = [row[column].value for row in self._grid.rows]
        return self._values[column]

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._grid.rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._grid.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        cell = self._grid.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return typeset(cell.text) if cell.is_number else cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return typeset(cell.tip or cell.text) if cell.is_number else cell.tip or cell.text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if cell.is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and (cell.is_best or cell.direction):
            font = QFont()
            font.setBold(True)
            return font
        if role == GridRole.PLAIN:
            return cell.text
        if role == GridRole.SORT:
            return cell.value
        if role == GridRole.SHADE:
            return cell.shade
        return index.row() if role == GridRole.ROW else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            titles = self._grid.row_titles
            is_told = role == Qt.ItemDataRole.DisplayRole and section < len(titles)
            return titles[section] if is_told else None
        if section >= len(self._grid.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and self._grid.columns[section].is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return self._grid.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._grid.columns[section].tip or self._grid.columns[section].title
        return None


class _Sorted(QSortFilterProxyModel):
    """Sorts cells without a value behind all others, up and down."""

    def lessThan(self, left: _Index, right: _Index) -> bool:
        # Asking the model for each comparison takes seconds where there are ten thousand rows.
        model = self.sourceModel()
        assert isinstance(model, GridModel)
        values = model.values(left.column())
        first, second = values[left.row()], values[right.row()]
        if first is None or second is None:
            is_ascending = self.sortOrder() is Qt.SortOrder.AscendingOrder
            return (second is None and first is not None) == is_ascending and first is not second
        if isinstance(first, str) or isinstance(second, str):
            return str(first) < str(second)
        return bool(first < second)


class CellDelegate(QStyledItemDelegate):
    """Draws a cell, from the side at which its text begins."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class GridView(QTableView):
    """A sortable table of one line a row; Ctrl+C copies the chosen rows, or all."""

    def __init__(self, parent: QWidget | None = None, model: GridModel | None = None) -> None:
        super().__init__(parent)
        self.grid = GridModel() if model is None else model
        self.grid.setParent(self)
        self.sorted = _Sorted(self)
        self.sorted.setSourceModel(self.grid)
        self.setModel(self.sorted)
        self.setItemDelegate(CellDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setProperty("look", "flat")
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        # One height for all rows: measuring thousands of them takes longer than a frame.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_grid(self, grid: Grid) -> None:
        """Shows these rows in the order in which the user sorts."""
        self.grid.show(grid)
        self.fit()

    def fit(self) -> None:
        """Gives each column the width that it needs; one takes what is left."""
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(round(line_px * 1.7))
        for section, column in enumerate(self.grid.columns):
            is_text = column.stretches
            mode = QHeaderView.ResizeMode.Stretch if is_text else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(section, mode)
            header.setSectionHidden(section, not column.is_shown)
            if not is_text:
                header.resizeSection(section, self._needed(section))
        self._leave_room_for_text()

    def _leave_room_for_text(self) -> None:
        """Lets what is left go to the text, or scrolls where too little of it is left."""
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        sections = range(header.count())
        texts = [at for at, column in enumerate(self.grid.columns) if column.stretches]
        others = sum(header.sectionSize(at) for at in sections if at not in texts)
        has_room = self.viewport().width() - others >= line_px * _LEAST_TEXT * len(texts)
        for at in texts:
            mode = (
                QHeaderView.ResizeMode.Stretch if has_room else QHeaderView.ResizeMode.Interactive
            )
            header.setSectionResizeMode(at, mode)
            if not has_room:
                header.resizeSection(at, line_px * _LEAST_TEXT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._leave_room_for_text()

    def row_of(self, index: _Index) -> int:
        """Returns the number of the row as it was given; -1 when there is none."""
        row = index.data(GridRole.ROW)
        return -1 if row is None else int(row)

    def choose(self, row: int, column: int = 0) -> None:
        """Makes a row, numbered as it was given, the current one."""
        index = self.sorted.mapFromSource(self.grid.index(row, column))
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def sort_by(self, column: int, order: Qt.SortOrder) -> None:
        """Sorts as a click on the column's title would."""
        self.sortByColumn(column, order)

    def as_text(self) -> str:
        """Returns the table as shown, for pasting."""
        model = self.sorted
        columns = range(model.columnCount())
        lines = [[column.title.replace("\n", " ") for column in self.grid.columns]]
        lines += [
            [str(model.index(row, column).data(GridRole.PLAIN)) for column in columns]
            for row in range(model.rowCount())
        ]
        return as_cells(lines)

    def copy_all(self) -> None:
        """Puts the table on the clipboard, as shown."""
        QGuiApplication.clipboard().setText(self.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_all()
            return
        if event.text() and event.text().isprintable():
            event.ignore()  # single keys are the page's, not a search in the first column
            return
        super().keyPressEvent(event)

    def _needed(self, section: int) -> int:
        metrics = self.fontMetrics()
        title = max(self.grid.columns[section].title.splitlines() or [""], key=len)
        texts = self.grid.longest_texts(section)
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        # A title also holds the arrow that tells how it is sorted.
        needed = max(widest, metrics.horizontalAdvance(title) + metrics.height())
        return min(round(needed + metrics.height() * 1.4), metrics.height() * 14)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.sorted.rowCount()

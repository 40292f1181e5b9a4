"""A table that is only read: rows of cells, each with a text, a value to sort by, and a shade."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from PySide6.QtCore import (
    SIGNAL,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from awase.core.errors import Cancelled
from awase.core.progress import Reporter
from awase.core.reports.grid import Cell, Column, Grid, RowsOnDemand, Values, column_values
from awase.core.reports.numbers import typeset
from awase.core.text.spreadsheet_cells import as_cells
from awase.gui.kit.grid.first_column import FirstColumnTable
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.texts.direction import is_right_to_left
from awase.gui.kit.texts.i18n import tr

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_DOWN = Qt.SortOrder.DescendingOrder
_ACTIVATED = "activated(QModelIndex)"
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_TEXTS_MEASURED = 60
_MOST_MEASURED = 500
_MOST_MADE_TO_MEASURE = 100
_MANY = 1_000
"""Rows from which on sorting and copying are done in the way that is quick for many."""
_AROUND_TEXT, _LEAST_AROUND_TEXT = 1.4, 0.8
"""What a cell leaves free beside its text, in heights of a line."""
_TEXT_MARGINS_PX = 10
"""And what Qt adds to it, at least."""
_AROUND_TITLE, _LEAST_AROUND_TITLE = 1.85, 0.8
_ARROW = 0.95
_TITLE_MARGINS_PX = 11
"""A title also holds the arrow that tells how it is sorted, and margins that Qt adds."""
_LEAST_TEXT = 8
"""Width of a column that stretches, in heights of a line, below which the table scrolls."""
_MOST_TEXT = 14
"""Up to which another column is as wide as its texts; above, it may cut them."""
_MOST_FREE = 16
"""What a column of texts leaves free before the numbers behind it."""


class GridModel(QAbstractTableModel):
    """Shows rows of cells, in the order in which the user sorts.

    It sorts by itself: a proxy would ask for two values each time it compares, 7 seconds for the
    25,000 sentences of a thousand topics.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._grid = Grid()
        self._order: Sequence[int] = ()
        self._sorted_by: list[tuple[int, bool]] = []

    def show(self, grid: Grid) -> None:
        """Replaces everything; what it was sorted by stays."""
        self.beginResetModel()
        self._grid = grid
        self._order = self._found_order()
        self.endResetModel()

    @property
    def order(self) -> Sequence[int]:
        """Number of each row in what was given to `show`, from the top."""
        return self._order

    def row_at(self, index: _Index) -> int:
        """Returns the number of a row as it was given."""
        return self._order[index.row()]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; rows that are equal keep the order sorted before; -1 forgets all."""
        known = [one for one in self._sorted_by if one[0] != column]
        self._sorted_by = [*known, (column, order is _DOWN)] if column >= 0 else []
        self.layoutAboutToBeChanged.emit()
        before, kept = self._order, self.persistentIndexList()
        self._order = self._found_order()
        wanted = {before[one.row()] for one in kept}
        row_of = {at: row for row, at in enumerate(self._order) if at in wanted} if kept else {}
        moved = [self.index(row_of[before[one.row()]], one.column()) for one in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _found_order(self) -> Sequence[int]:
        found: Sequence[int] = range(len(self._grid.rows))
        for column, is_down in self._sorted_by:
            if column < len(self._grid.columns):
                found = _sorted(found, column_values(self._grid, column), is_down=is_down)
        return found

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the columns are."""
        return self._grid.columns

    def longest_texts(self, column: int) -> list[str]:
        """Returns the texts, as shown, that have most characters; the widest is among them.

        Of a long table some rows from its first to its last are looked at alone: the others may
        not have been made.
        """
        rows = self._grid.rows
        step = -(-len(rows) // self._most_measured) or 1
        texts = {_shown(rows[at][column]) for at in range(0, len(rows), step)}
        return sorted(texts, key=len, reverse=True)[:_TEXTS_MEASURED]

    @property
    def is_measured(self) -> bool:
        """Whether `longest_texts` has looked at every row."""
        return len(self._grid.rows) <= self._most_measured

    @property
    def _most_measured(self) -> int:
        is_made = not isinstance(self._grid.rows, RowsOnDemand)
        return _MOST_MEASURED if is_made else _MOST_MADE_TO_MEASURE

    def plain_rows(self, reporter: Reporter) -> Iterator[list[str]]:
        """Yields the texts of all rows as programs read them, on any thread; keeps no row."""
        rows, order = self._grid.rows, self._order
        make = rows.made_for_once if isinstance(rows, RowsOnDemand) else rows.__getitem__
        for done, at in enumerate(order):
            if not done % _MANY:
                reporter.advance(done, len(order))
            yield [cell.text for cell in make(at)]

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._grid.rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._grid.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        at = self._order[index.row()]
        cell = self._grid.rows[at][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _shown(cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = cell.tip or cell.exact_text or cell.text
            return typeset(tip) if cell.is_number else tip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return side_of(is_number=cell.is_number)
        if role == Qt.ItemDataRole.FontRole and (cell.is_best or cell.direction):
            font = QFont()
            font.setBold(True)
            return font
        if role == GridRole.PLAIN:
            return cell.text
        if role == GridRole.IS_NUMBER:
            return cell.is_number
        if role == GridRole.SORT:
            return cell.value
        if role == GridRole.SHADE:
            return cell.shade
        return at if role == GridRole.ROW else None

    def _holds_numbers(self, section: int) -> bool:
        rows = self._grid.rows
        is_number = bool(rows) and rows[0][section].is_number
        return is_number or self._grid.columns[section].is_number

    def side_of_title(self, section: int) -> Qt.AlignmentFlag:
        """Returns where a title stands: over its texts or numbers, but off the sorted one's arrow.

        Qt draws the arrow over what stands at the right.
        """
        if not self._holds_numbers(section):
            return Qt.AlignmentFlag.AlignLeft
        is_sorted = bool(self._sorted_by) and self._sorted_by[-1][0] == section
        return Qt.AlignmentFlag.AlignHCenter if is_sorted else Qt.AlignmentFlag.AlignRight

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            titles = self._grid.row_titles
            is_told = role == Qt.ItemDataRole.DisplayRole and section < len(titles)
            return titles[self._order[section]] if is_told else None
        if section >= len(self._grid.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side_of_title(section) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return self._grid.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._grid.columns[section].tip or self._grid.columns[section].title
        return None


def _sorted(rows: Sequence[int], values: Values, *, is_down: bool) -> list[int]:
    """Returns the rows by their values, those without one last, up and down."""
    if not isinstance(values, Sequence):
        return _sorted_numbers(rows, values, is_down=is_down)
    if len(rows) >= _MANY and not any(isinstance(value, str) for value in values):
        return _sorted_numbers(rows, values, is_down=is_down)
    known = [at for at in rows if values[at] is not None]
    keys: Sequence[Any] = values  # either all numbers, or all texts, where they are looked at
    if any(isinstance(values[at], str) for at in known):
        keys = [str(value) for value in values]
    known.sort(key=keys.__getitem__, reverse=is_down)
    return [*known, *(at for at in rows if values[at] is None)]


def _sorted_numbers(rows: Sequence[int], values: Values, *, is_down: bool) -> list[int]:
    """Does the same of many numbers, in a twentieth of the time."""
    import numpy as np  # it takes longer to load than a window to be shown

    order = np.asarray(rows, int)
    keys = np.array(values, float)[order]  # None is NaN, which comes last
    found: list[int] = order[np.argsort(-keys if is_down else keys, kind="stable")].tolist()
    return found


def _shown(cell: Cell) -> str:
    return typeset(cell.text) if cell.is_number else cell.text


def side_of(*, is_number: bool) -> Qt.AlignmentFlag:
    """Returns where numbers, or texts, and their title stand in a column."""
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def frame_cell(painter: QPainter, option: QStyleOptionViewItem, colour: QColor) -> None:
    """Draws a frame around a cell, which tells it from the others of a chosen row."""
    width = max(2.0, option.fontMetrics.height() / 8)
    painter.save()
    painter.setPen(QPen(colour, width))
    half = width / 2
    painter.drawRect(QRectF(option.rect).adjusted(half, half, -half - 1, -half - 1))
    painter.restore()


def title_width(title: str, metrics: QFontMetrics) -> float:
    """Returns the width of a column that its title needs, in pixels; it may have several lines."""
    widest = max((metrics.horizontalAdvance(line) for line in title.splitlines()), default=0)
    return widest + metrics.height() * _AROUND_TITLE + _TITLE_MARGINS_PX


class CellDelegate(QStyledItemDelegate):
    """Draws a cell, from the side at which its text begins; the one with the keyboard framed."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, option.palette.text().color())

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class _Width(NamedTuple):
    """What a column needs, in pixels.

    With room beside its texts, with the least of it, and the least for its title alone.
    """

    usual: int
    least: int
    title: int


class GridView(FirstColumnTable):
    """A sortable table of one line a row; Ctrl+C copies the chosen rows, or all.

    Where it is wider than its place, the first column stays in sight.
    """

    ROW_LINES = 1.7
    """Height of a row, in heights of a line."""

    way = ""
    """Message that says where Enter leads from a row; empty = nowhere."""

    def __init__(self, parent: QWidget | None = None, model: GridModel | None = None) -> None:
        super().__init__(parent)
        self.grid = GridModel() if model is None else model
        self.waits: Callable[[str, Callable[[Reporter], str]], str] | None = None
        """Does what takes long, and says how far it is; None = it is done at once."""
        self._needs: list[_Width] = []
        self._is_close: bool | None = None
        self._fits = True
        self.grid.setParent(self)
        self.setModel(self.grid)
        self.setItemDelegate(CellDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setProperty("look", "flat")
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().sortIndicatorChanged.connect(self._leave_room_for_arrow)
        self.verticalHeader().hide()
        # One height for all rows: measuring thousands of them takes longer than a frame.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_grid(self, grid: Grid, *, is_last: bool = True) -> None:
        """Shows these rows in the order in which the user sorts.

        Columns that stay are measured again only with the last of rows that come and go.
        """
        stays = not is_last and self.n_rows > 0 and grid.columns == self.grid.columns
        needs = self._needs if stays else []
        self._needs = []  # Qt may give the table another size before it has the new columns'
        self.grid.show(grid)
        if needs:
            self._needs = needs
            self._share_room()
        else:
            self.fit()

    def fit(self) -> None:
        """Gives each column the width that it needs; one takes what is left."""
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(round(line_px * self.ROW_LINES))
        for section, column in enumerate(self.grid.columns):
            header.setSectionHidden(section, not column.is_shown)
        self._needs = [*map(self._needed, range(len(self.grid.columns)))]
        self._is_close = None
        self._share_room()

    def _share_room(self) -> None:
        """Sets columns closer where they would scroll, and lets what is left go to the texts.

        Where too little of it is left for them, spare columns go, and then the table scrolls.
        """
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        columns, room = self.grid.columns, self.viewport().width()
        shown = [at for at in range(len(self._needs)) if columns[at].is_shown]
        for at in [at for at in reversed(shown) if columns[at].is_spare]:
            is_too_much = sum(map(self._least, shown)) > room
            header.setSectionHidden(at, is_too_much)
            if is_too_much:
                shown.remove(at)
        texts = [at for at in shown if columns[at].stretches]
        is_close = sum(min(self._needs[at].usual, line_px * _MOST_TEXT) for at in shown) > room
        if is_close is not self._is_close:  # otherwise the widths are as somebody drew them
            self._is_close = is_close
            for at in shown:
                header.setSectionResizeMode(at, QHeaderView.ResizeMode.Interactive)
                width = self._needs[at].least if is_close else self._needs[at].usual
                header.resizeSection(at, min(width, line_px * _MOST_TEXT))
        left = room - sum(header.sectionSize(at) for at in shown if at not in texts)
        capped = line_px * _MOST_TEXT
        spare = left - sum(min(self._needs[at].usual, 2 * capped) for at in texts)
        for at in [at for at in shown if at not in texts]:  # one that was cut has what is left
            size, least = header.sectionSize(at), self._needs[at].least
            if capped <= size <= least:
                spare += size - capped
                grown = min(least, capped + max(0, spare))
                spare, left = spare - grown + capped, left - grown + size
                header.resizeSection(at, grown)
        is_scrolled = left < sum(map(self._least, texts))
        free = left - sum(self._needs[at].usual for at in texts)
        is_far = self.grid.is_measured and free > line_px * _MOST_FREE * len(texts)
        for at in texts:
            # Those that stretch are given the same width each, however little one of them needs.
            has_least = is_scrolled or left < self._least(at) * len(texts)
            stays = has_least or (is_far and at != shown[-1])
            modes = QHeaderView.ResizeMode
            header.setSectionResizeMode(at, modes.Interactive if stays else modes.Stretch)
            if stays:
                far = self._needs[at].usual + line_px * _MOST_FREE
                header.resizeSection(at, self._least(at) if has_least else far)

    def wanted_px(self) -> int:
        """Returns the width at which the columns neither stand close nor are cut."""
        most = self.fontMetrics().height() * _MOST_TEXT
        shown = (need for at, need in enumerate(self._needs) if not self.isColumnHidden(at))
        return sum(min(need.usual, most) for need in shown)

    def wanted_height_px(self) -> int:
        """Returns the height at which all rows are in sight."""
        rows_px = self.n_rows * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar()
        bar_px = bar.sizeHint().height() if bar.maximum() else 0
        return self.horizontalHeader().height() + rows_px + bar_px + 2 * self.frameWidth()

    def _least(self, section: int) -> int:
        most = _LEAST_TEXT if self.grid.columns[section].stretches else _MOST_TEXT
        needs = self._needs[section]
        return max(needs.title, min(needs.least, self.fontMetrics().height() * most))

    def _leave_room_for_arrow(self, section: int) -> None:
        """Widens the column that is sorted by, where the titles stand close."""
        if self._is_close and 0 <= section < len(self._needs):
            needed, header = self._needed(section).least, self.horizontalHeader()
            if header.sectionSize(section) < needed:
                header.resizeSection(section, needed)
                self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        current = self.visualRect(self.currentIndex())
        was_in_sight = not current.isEmpty() and current.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        self._share_room()
        if was_in_sight and current.bottom() >= self.viewport().height():
            self.scrollTo(self.currentIndex())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self._fits = self.isVisible()
            if self._fits:
                self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._fits:
            self._fits = True
            self.fit()

    def row_of(self, index: _Index) -> int:
        """Returns the number of the row as it was given; -1 when there is none."""
        row = index.data(GridRole.ROW)
        return -1 if row is None else int(row)

    def choose(self, row: int, column: int = 0) -> bool:
        """Makes a row, numbered as it was given, the current one; returns whether it was not."""
        rows = self.grid.order
        at = rows.index(row) if row in rows else -1
        index, before = self.grid.index(at, column), self.currentIndex()
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return index != before

    def sort_by(self, column: int, order: Qt.SortOrder) -> None:
        """Sorts as a click on the column's title would."""
        header = self.horizontalHeader()
        if (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (column, order):
            self.grid.sort(column, order)
        else:  # `sortByColumn` would sort a second time
            header.setSortIndicator(column, order)

    def leads_to(self, _index: _Index) -> str:
        """Returns where Enter leads from a cell, in the window's language; empty = nowhere."""
        return tr(self.way)

    def as_text(self) -> str:
        """Returns the table as shown, for pasting."""
        model = self.grid
        columns = range(model.columnCount())
        lines = [self._titles()]
        lines += [
            [str(model.index(row, column).data(GridRole.PLAIN)) for column in columns]
            for row in range(model.rowCount())
        ]
        return as_cells(lines)

    def copy_all(self) -> None:
        """Puts the table on the clipboard, as shown; of a long one it is waited for."""
        if self.waits is None or self.n_rows < _MANY:
            QGuiApplication.clipboard().setText(self.as_text())
            return
        titles, rows = self._titles(), self.grid.plain_rows
        with suppress(Cancelled):  # then the clipboard stays as it was
            text = self.waits(
                tr("Copying the table …"),
                lambda reporter: as_cells(chain([titles], rows(reporter))),
            )
            QGuiApplication.clipboard().setText(text)

    def _titles(self) -> list[str]:
        return [column.title.replace("\n", " ") for column in self.grid.columns]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_all()
            return
        if event.text() and event.text().isprintable():
            event.ignore()  # single keys are the page's, not a search in the first column
            return
        super().keyPressEvent(event)
        if event.key() in _ENTER and self.receivers(SIGNAL(_ACTIVATED)):
            event.accept()  # Qt lets go of it: the page would do its own with it as well

    def _needed(self, section: int) -> _Width:
        metrics, title = self.fontMetrics(), self.grid.columns[section].title
        line_px = metrics.height()
        texts = self.grid.longest_texts(section)
        drawn = metrics
        if self.grid.columns[section].is_number:  # the best of them is bold
            bold = QFont(self.font())
            bold.setBold(True)
            drawn = QFontMetrics(bold)
        widest = max((drawn.horizontalAdvance(text) for text in texts), default=0)
        close_text = widest + line_px * _LEAST_AROUND_TEXT + _TEXT_MARGINS_PX
        usual = max(widest + line_px * _AROUND_TEXT, close_text, title_width(title, metrics))
        is_sorted = self.horizontalHeader().sortIndicatorSection() == section
        around = _LEAST_AROUND_TITLE + (_ARROW if is_sorted else 0)
        close_title = title_width(title, metrics) - line_px * (_AROUND_TITLE - around)
        least = max(close_text, close_title)
        return _Width(usual=round(usual), least=round(least), title=round(close_title))

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.grid.rowCount()

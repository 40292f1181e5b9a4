"""Tables of one line a row: views and models."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QRegion,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from awase.gui.kit.i18n import tr
from awase.gui.kit.look.stylesheet import NEW_SIZES, TARGET_PX
from awase.gui.kit.number_explanation import NO_PARENT, Index

_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole


def side_of(*, is_number: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def side_of_title(*, is_number: bool, is_sorted: bool) -> Qt.AlignmentFlag:
    """Returns a title's alignment: its cells', but away from the arrow of the sorted column."""
    # Qt paints the arrow over right-aligned text.
    if not is_number:
        return Qt.AlignmentFlag.AlignLeft
    return Qt.AlignmentFlag.AlignHCenter if is_sorted else Qt.AlignmentFlag.AlignRight


class TableModel(QAbstractTableModel):
    """A table with a title over each column; numbers and their titles stand at the right."""

    titles: Sequence[str] = ()  # English messages over the columns
    numbers: Collection[int] = ()  # the columns that have numbers
    rows: Sequence[Any] = ()
    sorted_column = -1  # by which the rows are sorted; -1 = by none that is shown

    def cell_data(self, index: Index, role: int) -> object:
        raise NotImplementedError

    def row_changed(self, row: int) -> None:
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == _ALIGNMENT:
            return side_of(is_number=index.column() in self.numbers)
        return self.cell_data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= self.columnCount():
            return None
        if role == _ALIGNMENT:
            is_sorted = section == self.sorted_column
            side = side_of_title(is_number=section in self.numbers, is_sorted=is_sorted)
            return side | Qt.AlignmentFlag.AlignVCenter
        title = self.titles[section]
        return (title and tr(title)) if role == _DISPLAY else None


class LineTable(QTableView):
    """Rows of one height without grid lines, resized only while visible."""

    ROW_LINES = 1.6  # height of a row, in heights of a line

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fits = True
        self.setProperty("look", "flat")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        # One height for all rows: measuring thousands takes longer than a frame.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        LineTable.fit(self)

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

    def fit(self) -> None:
        height = round(self.fontMetrics().height() * self.ROW_LINES)
        self.verticalHeader().setDefaultSectionSize(max(TARGET_PX, height))


class FlatTable(LineTable):
    """Table with whole rows selected, which measures visible rows only, unlike `QListView`."""

    def __init__(self, *elastic: int) -> None:
        """`elastic` columns share the width, so that there is no horizontal scrolling.

        The widest shrinks first, the first grows; None = widths are the user's.
        """
        super().__init__()
        self._elastic = elastic
        self.setSelectionBehavior(FlatTable.SelectionBehavior.SelectRows)
        beginning = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.horizontalHeader().setDefaultAlignment(beginning)  # over the texts of the cells

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._elastic:
            self.fit_columns()

    def fit_columns(self) -> None:
        """Sizes columns to their texts, elastic ones to the rest."""
        self.resizeColumnsToContents()
        widths = {column: self.columnWidth(column) for column in self._elastic}
        over = self.viewport().width() - self.horizontalHeader().length()
        widths[self._elastic[0]] += max(0, over)
        most, room = max(widths.values()), sum(widths.values()) + min(0, over)
        while sum(min(width, most) for width in widths.values()) > room and most > 0:
            most -= 1
        for column, width in widths.items():
            self.setColumnWidth(column, min(width, most))


_ENSURE_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible
# Share of the width up to which the column stays; a wider one would hide what was scrolled to.
_MOST = 0.5


class FirstColumnHeader(QHeaderView):
    """Keeps the first column's title visible."""

    def __init__(self, table: "FirstColumnTable") -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._is_pressed = False
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        width = self._table.pinned_px()
        if width:
            painter = QPainter(self.viewport())
            place = QRect(0, 0, width, self.height())
            painter.fillRect(place, self.palette().button())
            self.paintSection(painter, place, 0)
            _draw_edge(painter, self._table, place)

    def viewportEvent(self, event: QEvent) -> bool:
        """Handles the mouse over that title, not the hidden one."""
        if isinstance(event, QMouseEvent | QHelpEvent):
            place = event.position() if isinstance(event, QMouseEvent) else event.pos()
            is_over = place.x() < self._table.pinned_px()
            if event.type() is QEvent.Type.MouseButtonPress:
                self._is_pressed = is_over  # and is dragged as long as it is
            if is_over or (self._is_pressed and isinstance(event, QMouseEvent) and event.buttons()):
                return super().viewportEvent(_moved(event, QPointF(-self.offset(), 0)))
        return super().viewportEvent(event)


class FirstColumnTable(LineTable):
    """Keeps the first column visible during horizontal scrolling."""

    # One table for focus and screen readers: a second one on top, as is usual, would be another to
    # reach, name, and keep up to date.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(FirstColumnHeader(self))
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def pinned_px(self) -> int:
        """Returns the width of the frozen column; 0 when not scrolled."""
        if not self.horizontalScrollBar().value() or self.model() is None:
            return 0
        width = self.columnWidth(0)
        return width if width <= self.viewport().width() * _MOST else 0

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx:  # what was drawn at the left has moved with the rest
            self.viewport().update()
            self.horizontalHeader().viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        width = self.pinned_px()
        if not width or event.rect().left() > width:
            return
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region() & QRegion(0, 0, width, self.viewport().height()))
        first = max(0, self.rowAt(event.rect().top()))
        for row in range(first, self.model().rowCount()):
            place = QRect(0, self.rowViewportPosition(row), width, self.rowHeight(row))
            if place.top() > event.rect().bottom():
                break
            self._draw_pinned(painter, row, place)
        _draw_edge(painter, self, QRect(0, 0, width, self.viewport().height()))

    def _draw_pinned(self, painter: QPainter, row: int, place: QRect) -> None:
        index, option = self.model().index(row, 0), QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = place
        if self.selectionModel().isSelected(index):
            option.state |= QStyle.StateFlag.State_Selected
        if self.hasFocus() and index == self.currentIndex():
            option.state |= QStyle.StateFlag.State_HasFocus
        is_other = self.alternatingRowColors() and bool(row % 2)
        if is_other:
            option.features |= QStyleOptionViewItem.ViewItemFeature.Alternate
        palette = self.palette()
        painter.fillRect(place, palette.alternateBase() if is_other else palette.base())
        row_panel = QStyle.PrimitiveElement.PE_PanelItemViewRow
        self.style().drawPrimitive(row_panel, option, painter, self)
        self.itemDelegateForIndex(index).paint(painter, option, index)

    def indexAt(self, pos: QPoint) -> QModelIndex:
        if pos.x() < self.pinned_px():
            row = self.rowAt(pos.y())
            return self.model().index(row, 0) if row >= 0 else QModelIndex()
        return super().indexAt(pos)

    def visualRect(self, index: Index) -> QRect:
        place = super().visualRect(index)
        if index.column() == 0 and self.pinned_px():
            place.moveLeft(0)
        return place

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _ENSURE_VISIBLE) -> None:
        bar = self.horizontalScrollBar()
        before, is_kept = bar.value(), index.column() == 0 and self.pinned_px() > 0
        super().scrollTo(index, hint)
        if is_kept:  # it is in sight wherever the others are
            bar.setValue(before)
        elif index.column() > 0:
            hidden = self.pinned_px() - self.columnViewportPosition(index.column())
            bar.setValue(bar.value() - max(0, hidden))


def _moved(event: QMouseEvent | QHelpEvent, by: QPointF) -> QMouseEvent | QHelpEvent:
    if isinstance(event, QHelpEvent):
        return QHelpEvent(event.type(), event.pos() + by.toPoint(), event.globalPos())
    return QMouseEvent(
        event.type(),
        event.position() + by,
        event.globalPosition(),
        event.button(),
        event.buttons(),
        event.modifiers(),
        event.pointingDevice(),
    )


def _draw_edge(painter: QPainter, table: QTableView, place: QRect) -> None:
    painter.setPen(table.palette().color(QPalette.ColorRole.Mid))
    painter.drawLine(place.topRight(), place.bottomRight())

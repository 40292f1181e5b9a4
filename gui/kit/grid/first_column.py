"""Table with a frozen first column."""

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QRegion
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from awase.gui.kit.grid.line_table import LineTable

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
        width = self._table.kept_px()
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
            is_over = place.x() < self._table.kept_px()
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

    def kept_px(self) -> int:
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
        width = self.kept_px()
        if not width or event.rect().left() > width:
            return
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region() & QRegion(0, 0, width, self.viewport().height()))
        first = max(0, self.rowAt(event.rect().top()))
        for row in range(first, self.model().rowCount()):
            place = QRect(0, self.rowViewportPosition(row), width, self.rowHeight(row))
            if place.top() > event.rect().bottom():
                break
            self._draw_kept(painter, row, place)
        _draw_edge(painter, self, QRect(0, 0, width, self.viewport().height()))

    def _draw_kept(self, painter: QPainter, row: int, place: QRect) -> None:
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
        if pos.x() < self.kept_px():
            row = self.rowAt(pos.y())
            return self.model().index(row, 0) if row >= 0 else QModelIndex()
        return super().indexAt(pos)

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        place = super().visualRect(index)
        if index.column() == 0 and self.kept_px():
            place.moveLeft(0)
        return place

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = _ENSURE_VISIBLE,
    ) -> None:
        bar = self.horizontalScrollBar()
        before, is_kept = bar.value(), index.column() == 0 and self.kept_px() > 0
        super().scrollTo(index, hint)
        if is_kept:  # it is in sight wherever the others are
            bar.setValue(before)
        elif index.column() > 0:
            hidden = self.kept_px() - self.columnViewportPosition(index.column())
            bar.setValue(bar.value() - max(0, hidden))


def _moved(event: QMouseEvent | QHelpEvent, by: QPointF) -> QMouseEvent | QHelpEvent:
    """Returns the event at another position."""
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
    """Paints the frozen column's edge."""
    painter.setPen(table.palette().color(QPalette.ColorRole.Mid))
    painter.drawLine(place.topRight(), place.bottomRight())

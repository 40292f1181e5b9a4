"""Controls in lines that break where there is no room, so that no page is wider than the screen."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QVBoxLayout, QWidget


class FlowLayout(QLayout):
    """Lays widgets out from left to right, and goes on in the next line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_only_measured=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_only_measured=False)

    def sizeHint(self) -> QSize:
        """Returns the size of one line."""
        margins, shown = self.contentsMargins(), self._shown()
        width = sum(item.sizeHint().width() for item in shown)
        width += self.spacing() * max(0, len(shown) - 1)
        height = max((item.sizeHint().height() for item in shown), default=0)
        return QSize(
            width + margins.left() + margins.right(), height + margins.top() + margins.bottom()
        )

    def minimumSize(self) -> QSize:
        margins, size = self.contentsMargins(), QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _shown(self) -> list[QLayoutItem]:
        return [one for one in self._items if not one.isEmpty() and one.sizeHint().width() > 0]

    def _place(self, rect: QRect, *, is_only_measured: bool) -> int:
        """Places the widgets line by line and returns how high all lines are."""
        margins = self.contentsMargins()
        room = rect.adjusted(margins.left(), margins.top(), -margins.right(), -margins.bottom())
        y, height = room.y(), 0
        for line in self._lines(room.width()):
            y += self.spacing() if height else 0
            height = max(item.sizeHint().height() for item in line)
            if not is_only_measured:
                self._place_line(line, room, y, height)
            y += height
        return y - rect.y() + margins.bottom()

    def _place_line(self, line: list[QLayoutItem], room: QRect, y: int, height: int) -> None:
        x = room.x()
        for item in line:
            hint = item.sizeHint()
            size = QSize(min(hint.width(), room.width()), hint.height())
            item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
            x += size.width() + self.spacing()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        x = 0
        for item in self._shown():
            needed = item.sizeHint().width()
            if not lines or x + needed > width:
                lines.append([])
                x = 0
            lines[-1].append(item)
            x += needed + self.spacing()
        return lines


def together(*widgets: QWidget) -> QWidget:
    """Returns widgets as one, such as a label and what it names: they stay in one line."""
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(group.fontMetrics().height() // 2)
    for widget in widgets:
        row.addWidget(widget)
    return group


def stacked(page: QWidget, *parts: QWidget | QLayout, grows: QWidget) -> QVBoxLayout:
    """Lays parts out from edge to edge, one below the other; `grows` takes what room is left."""
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part, int(part is grows))
        else:
            column.addLayout(part)
    return column

"""Controls in lines that break where there is no room, so that no page is wider than the screen."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.commands import Base
from awase.gui.kit.i18n import Message, bind, follow, tr
from awase.gui.kit.look.stylesheet import NEW_SIZES

_LEAST_LINES: Final = 3  # of a text or table below controls


class FlowLayout(QLayout):
    """Lays widgets out from left to right, wrapping lines; the last one may grow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        # By width, until something changes: Qt requests them a dozen times for each change.
        self._heights: dict[int, int] = {}

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

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
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), is_only_measured=True)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        shown = self._shown()
        for item in self._items:
            if item not in shown:  # an empty item would impose Qt's 640 × 480
                item.setGeometry(QRect(rect.topLeft(), QSize(0, 0)))
        self._place(rect, is_only_measured=False)

    def sizeHint(self) -> QSize:
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
            if item is self._items[-1] and item.expandingDirections() & Qt.Orientation.Horizontal:
                size.setWidth(room.x() + room.width() - x)
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


class FollowsWidth(Base):
    """Mixin for widgets whose height depends on width and font: another one is requested."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.updateGeometry()


_Button = TypeVar("_Button", bound=QAbstractButton)
_Label = TypeVar("_Label", bound=QLabel)
_Layout = TypeVar("_Layout", bound=QLayout)
_Holder = TypeVar("_Holder", bound=QStackedWidget | QSplitter)
_Tabs = TypeVar("_Tabs", QTabBar, QTabWidget)
_Widget = TypeVar("_Widget", bound=QWidget)


def spaced(
    layout: _Layout,
    owner: QWidget,
    *parts: QWidget | QLayout | None,
    grows: QWidget | None = None,
    across: float = 1,
    down: float = 1 / 2,
    between: float = 1 / 2,
) -> _Layout:
    """Adds parts to a layout, with margins and spacing in heights of the owner's line.

    What is left of a box belongs to the part that `grows`, or stays empty at a None.
    """
    line_px = owner.fontMetrics().height()
    x, y = int(line_px * across), int(line_px * down)
    layout.setContentsMargins(x, y, x, y)
    layout.setSpacing(int(line_px * between))
    for part in parts:
        if isinstance(part, QWidget) and part is not grows:
            layout.addWidget(part)
            continue
        assert isinstance(layout, QBoxLayout)
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(part, 1)
    return layout


def styled(label: _Label, look: str = "", *, wraps: bool = False) -> _Label:
    """Returns the label with a look of the style sheet, such as `muted`."""
    label.setProperty("look", look)
    label.setWordWrap(wraps)
    return label


def together(
    *widgets: QWidget | None, grows: QWidget | None = None, between: float = 1 / 2
) -> QWidget:
    """Groups widgets, such as a label and its field, on one line; after a None at its end."""
    group = QWidget()
    line = QHBoxLayout(group)
    spaced(line, group, *widgets, grows=grows, across=0, down=0, between=between)
    return group


def push_button(
    title: Message, does: Callable[..., object] | SignalInstance | None = None, tip: Message = ""
) -> QPushButton:
    """Returns a button that Enter in a field does not press; empty texts are its owner's."""
    button = written(QPushButton(), title, tip)
    button.setAutoDefault(False)
    if does is not None:
        button.clicked.connect(does)
    return button


def written(button: _Button, title: Message, tip: Message = "") -> _Button:
    for name, text in (("text", title), ("toolTip", tip)):
        if text:
            bind(button, name, text)
    return button


def called(widget: _Widget, name: Message) -> _Widget:
    """Returns the widget with its name for screen readers."""
    bind(widget, "accessibleName", name)
    return widget


def titled(
    title: Message, control: QWidget, *others: QWidget, name: Message | None = None
) -> QWidget:
    """Returns a line of the title, which usually is the control's name, the control, and others."""
    return together(label_for(title, control), called(control, name or title), *others)


def label_for(title: Message, control: QWidget) -> QLabel:
    label = QLabel()
    label.setBuddy(control)
    bind(label, "text", title)
    return label


def stacked(page: QWidget, *parts: QWidget | QLayout, grows: QWidget | None = None) -> QVBoxLayout:
    """Stacks parts edge to edge; `grows` takes the remaining height."""
    return spaced(QVBoxLayout(page), page, *parts, grows=grows, across=0, down=0, between=0)


def holding(holder: _Holder, *widgets: QWidget) -> _Holder:
    """Returns the stack or splitter with these widgets in it."""
    for widget in widgets:
        holder.addWidget(widget)
    return holder


def below_controls(page: QWidget, controls: Sequence[QWidget], body: QWidget) -> None:
    """Lays a text or table out below a line of controls of its own."""
    row = spaced(QHBoxLayout(), page, *controls, None, across=1 / 2, down=1 / 3)
    # Qt's minimum height would shrink the table above, whatever the tab.
    body.setMinimumHeight(page.fontMetrics().height() * _LEAST_LINES)
    stacked(page, row, body, grows=body)


def scrolled(content: QWidget) -> QScrollArea:
    """Returns `content` as large as there is room for, and to be scrolled where it needs more."""
    return scroll_area(_Least(content))


def scrolled_down(content: QWidget) -> QScrollArea:
    """Returns a scroll area that respects wrapped controls' heights."""
    # Qt counts one line: the others would overlap what is below.
    return scroll_area(_LeastOfLines(content))


def scroll_area(held: QWidget) -> QScrollArea:
    """Returns a frameless area around what is as large as there is room; the focus is inside."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(held)
    return area


class _Least(QWidget):
    """Has the contents' minimum size, where a layout would use preferred heights."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)

    def minimumSizeHint(self) -> QSize:
        return self._content.minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()  # Qt notifies the parent only
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._content.resize(self.size())


class _LeastOfLines(_Least):
    """Has its parts' minimal height at its width, wrapping."""

    def __init__(self, content: QWidget) -> None:
        super().__init__(content)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)

    def heightForWidth(self, width: int) -> int:
        return _least_height(self._content, width)


def _least_height(widget: QWidget, width: int) -> int:
    """Returns the minimum height of a widget; of a stack, its current page's."""
    column = widget.layout()
    if isinstance(widget, QStackedWidget):
        front = widget.currentWidget()
        own = max(widget.minimumHeight(), widget.minimumSizeHint().height())
        return own if front is None else max(own, _least_height(front, width))
    if isinstance(column, QVBoxLayout):
        margins = column.contentsMargins()
        within = width - margins.left() - margins.right()
        items = [item for at in range(column.count()) if (item := column.itemAt(at))]
        heights = [_least_of(item, within) for item in items if not item.isEmpty()]
        between = column.spacing() * max(0, len(heights) - 1)
        return sum(heights) + between + margins.top() + margins.bottom()
    least = max(widget.minimumHeight(), widget.minimumSizeHint().height())
    return max(least, widget.heightForWidth(width))


def _least_of(item: QLayoutItem, width: int) -> int:
    widget = item.widget()
    if widget is not None:
        return _least_height(widget, width)
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.minimumSize().height()


def titled_tabs(tabs: _Tabs, *titles: str) -> _Tabs:
    """Returns the tabs with their titles, English messages, in the window's language."""

    def write() -> None:
        for at, title in enumerate(titles):
            tabs.setTabText(at, tr(title))

    follow(tabs, write, key="titles")
    return tabs


class TurnTabs(QTabBar):
    """Tabs that show one pane at a time, or, hidden, all of them."""

    def __init__(self, *panes: QWidget) -> None:
        """Needs titles, by `titled_tabs`."""
        super().__init__()
        self._panes = panes
        for _ in panes:
            self.addTab("")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.hide()
        self.currentChanged.connect(self._show_panes)

    def take_turns(self, are_in_turn: bool) -> None:
        """Switches between the current pane only, and all without tabs."""
        self.setVisible(are_in_turn)
        self._show_panes()

    def bring(self, pane: QWidget) -> None:
        """Shows this pane, if only one is visible."""
        self.setCurrentIndex(self._panes.index(pane))

    def _show_panes(self) -> None:
        for at, pane in enumerate(self._panes):
            pane.setVisible(self.isHidden() or at == self.currentIndex())

"""Keyboard focus, drag and drop of files, and refilling of choices."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTableView,
    QWidget,
)

from awase.gui.kit.i18n import tr
from awase.gui.kit.texts import announce

# What Tab comes to between the panes.
_CONTROLS: Final = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


class HandsFocusOn:
    """A container that passes the focus to a part of it."""

    # Not Qt's focus proxy: Tab would skip everything before it.

    _focused_part: QWidget

    def hand_focus_to(self, part: QWidget) -> None:
        self._focused_part = part

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        self._focused_part.setFocus(reason)


class EnterPresses(QObject):
    """Event filter by which Enter presses a button."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super().eventFilter(watched, event)
        if isinstance(watched, QAbstractButton):
            watched.click()
        return True


def pressed_by_enter(button: QAbstractButton) -> None:
    """Lets Enter press a button, not the space bar only."""
    # Qt's own way makes it look like a default button, which hides its icon.
    button.installEventFilter(EnterPresses(button))


def step_pane(page: QWidget, by: int) -> None:
    """Focuses the page's next pane in Tab order, wrapping around; `by` is 1 or -1."""
    # Qt itself moves from control to control. `nextInFocusChain` would tell the next one, but
    # Shiboken makes its result a child of the widget and releases both together: the window's menus
    # were lost with a page.
    window = page.window()
    passed = [window.focusWidget()]
    while window.focusNextPrevChild(by > 0):
        widget = window.focusWidget()
        if widget is None or widget in passed:  # not the first: Tab may not return to that
            return
        if page.isAncestorOf(widget) and _is_pane(widget, page):
            return
        passed.append(widget)


def _is_pane(widget: QWidget, page: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isVisibleTo(page) and widget.isEnabled()
    is_hidden_field = widget.focusProxy() is not None
    return takes_tab and is_there and not is_hidden_field and not isinstance(widget, _CONTROLS)


if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Widget
else:
    _Widget = object  # Qt allows one of its classes among the bases, and that is the user's


class TakesFiles(_Widget):
    """Mixin before Qt's class, for widgets with `setAcceptDrops(True)`."""

    def takes(self, paths: Sequence[Path]) -> bool:
        return bool(paths)

    def take_files(self, paths: Sequence[Path]) -> None:
        raise NotImplementedError

    def show_hover(self, is_over: bool) -> None:
        """Shows whether files hover over the widget."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.takes(_files(event)):
            event.acceptProposedAction()
            self.show_hover(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.show_hover(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_hover(False)
        paths = _files(event)
        if self.takes(paths):
            event.acceptProposedAction()
            self.take_files(paths)


def _files(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def sort_by_current_column(widget: QWidget | None) -> bool:
    """Sorts by the current cell's column: ascending, descending, unsorted.

    The result is announced; the current cell stays. Returns whether the table is sortable.
    """
    if not isinstance(widget, QTableView) or not widget.isSortingEnabled():
        return False
    model, header = widget.model(), widget.horizontalHeader()
    column = widget.currentIndex().column()
    if model is None or column < 0:
        return False
    order: Qt.SortOrder | None = _UP
    if header.sortIndicatorSection() == column:
        order = _DOWN if header.sortIndicatorOrder() is _UP else None
    widget.sortByColumn(-1 if order is None else column, _UP if order is None else order)
    widget.scrollTo(widget.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
    title = str(model.headerData(column, Qt.Orientation.Horizontal) or "").replace("\n", " ")
    announce(widget, _told(title, order))
    return True


def _told(title: str, order: Qt.SortOrder | None) -> str:
    if order is None:
        return tr("Not sorted")
    if order is _UP:
        return tr("Sorted by {column}, lowest first", column=title)
    return tr("Sorted by {column}, highest first", column=title)

"""Keyboard focus: of containers, and from pane to pane."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QWidget

# What Tab comes to between the panes.
_CONTROLS: Final = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


class HandsFocusOn:
    """A container that passes the focus to a part of it."""

    # Not Qt's focus proxy: Tab would skip everything before it.

    _focused_part: QWidget

    def hand_focus_to(self, part: QWidget) -> None:
        """Sets the part that gets the focus."""
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
    # Qt goes from control to control itself. `nextInFocusChain` would tell who comes next, but
    # Shiboken takes what it returns for a child of the widget that was asked, and lets go of both
    # together: the window's menus were lost with a page.
    window = page.window()
    passed = [window.focusWidget()]
    while window.focusNextPrevChild(by > 0):
        widget = window.focusWidget()
        if widget is None or widget in passed:  # not the first: Tab may not come back to that
            return
        if page.isAncestorOf(widget) and _is_pane(widget, page):
            return
        passed.append(widget)


def _is_pane(widget: QWidget, page: QWidget) -> bool:
    """Returns whether a widget is a focusable pane."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isVisibleTo(page) and widget.isEnabled()
    is_hidden_field = widget.focusProxy() is not None
    return takes_tab and is_there and not is_hidden_field and not isinstance(widget, _CONTROLS)

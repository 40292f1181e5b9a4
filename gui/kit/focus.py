"""Who gets the keyboard: when a whole page is given it, and when it goes from pane to pane."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QWidget

_CONTROLS: Final = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
"""What Tab comes to between the panes."""


class HandsFocusOn:
    """A container that hands the keyboard on to a part of it.

    It is no focus proxy of Qt's: Tab would go from the container straight to the proxy, past
    everything that stands before that.
    """

    _focused_part: QWidget

    def hand_focus_to(self, part: QWidget) -> None:
        """Gives the keyboard to `part` whenever the container is given it."""
        self._focused_part = part

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Gives the keyboard to the part."""
        self._focused_part.setFocus(reason)


class EnterPresses(QObject):
    """Lets Enter press a button."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super().eventFilter(watched, event)
        if isinstance(watched, QAbstractButton):
            watched.click()
        return True


def pressed_by_enter(button: QAbstractButton) -> None:
    """Lets Enter press a button around the pages, not the space bar alone.

    One that Qt presses by itself looks like a default one, and a default one hides its icon.
    """
    button.installEventFilter(EnterPresses(button))


def step_pane(page: QWidget, by: int) -> None:
    """Gives the keyboard to the next pane of the page in the order of Tab, around the ends.

    Args:
        by: 1 = the next one, -1 = the one before.
    """
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
    """Returns whether a widget is a pane that can be given the keyboard now."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isVisibleTo(page) and widget.isEnabled()
    is_hidden_field = widget.focusProxy() is not None
    return takes_tab and is_there and not is_hidden_field and not isinstance(widget, _CONTROLS)

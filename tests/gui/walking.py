"""Walks through a window by Tab, with the key events that a person makes."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)
from tests.gui.looking import is_part, name, seen

_KINDS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)
_NEVER = (QHeaderView, QMenu, QScrollBar)
MOST_PRESSES = 400
MOST_WITHIN = 120
"""So many presses may go by within one control: a text that is read has a stop at each link."""


Press = Callable[[QWidget], None]
"""Presses Tab where the keyboard is, in that widget."""


def click_tab(widget: QWidget) -> None:
    """Presses Tab by an event of Qt's; `tests.e2e.test_tab_walk` does it by a real key."""
    QTest.keyClick(widget, Qt.Key.Key_Tab)


class Trapped(AssertionError):
    """A control keeps the keyboard."""


def controls(window: QWidget) -> list[QWidget]:
    """Returns what can be used in a window: what takes the keyboard, and what should."""
    return [
        widget
        for widget in seen(window)
        if widget.isEnabled() and not isinstance(widget, _NEVER) and not is_part(widget)
        if isinstance(widget, _KINDS) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if widget.focusProxy() is None and not _is_within_a_control(widget)
        if not (isinstance(widget, QTabBar) and widget.count() < 2)
    ]


def reached(window: QWidget, press: Press = click_tab) -> list[QWidget]:
    """Returns what Tab comes to, from where the keyboard is until it comes round.

    Raises:
        Trapped: A control keeps the keyboard.
    """
    if len(controls(window)) < 2:
        return controls(window)
    press(window.focusWidget() or window)
    first = window.focusWidget() or window
    found, now, n_within = [first], first, 0
    for _ in range(MOST_PRESSES):
        press(now)
        before, now = now, window.focusWidget() or window
        n_within = n_within + 1 if now is before else 0
        if n_within > MOST_WITHIN:
            raise Trapped(f"{name(now)} keeps the keyboard")
        if now is first and before is not first:
            return found
        if now not in found:
            found.append(now)
    raise Trapped(f"Tab does not come back to {name(first)}: {[*map(name, found)]}")


def missed(window: QWidget, press: Press = click_tab) -> list[str]:
    found = reached(window, press)
    ways = {id(widget) for widget in found}
    for widget in found:  # arrow keys go round a group
        group = widget.group() if isinstance(widget, QAbstractButton) else None
        ways.update(id(one) for one in (group.buttons() if group is not None else ()))
    return [name(widget) for widget in controls(window) if id(widget) not in ways]


def unnamed(window: QWidget) -> list[str]:
    """Returns the controls of which a screen reader could not say what they are."""
    return [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in controls(window)
        if not isinstance(widget, QTabBar) and not widget.accessibleName()
        if not (isinstance(widget, QAbstractButton) and widget.text())
    ]


def _is_within_a_control(widget: QWidget) -> bool:
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        if isinstance(above, (QComboBox, QAbstractSpinBox, QTabBar)):
            return True
        above = above.parentWidget()
    return False

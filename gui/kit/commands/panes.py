"""Going from pane to pane: between the tables, tabs, texts and pictures of a page."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from awase.gui.kit.commands.command import Command
from awase.gui.kit.texts.i18n import mark

PANES: Final = mark("Next or previous pane")
_CONTROLS: Final = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
"""What Tab comes to between the panes."""


def pane_commands(page_id: str) -> tuple[Command, Command]:
    """Returns the commands of a page that go to its next pane and to the one before."""
    return (
        Command(
            id=f"{page_id}:next-pane",
            title=mark("Next pane"),
            keys=("F6",),
            together=PANES,
            run=lambda page: step_pane(page, 1),
        ),
        Command(
            id=f"{page_id}:previous-pane",
            title=mark("Previous pane"),
            keys=("Shift+F6",),
            together=PANES,
            run=lambda page: step_pane(page, -1),
        ),
    )


def step_pane(page: QWidget, by: int) -> None:
    """Gives the keyboard to the next pane of the page in the order of Tab, around the ends.

    Args:
        page: The page in sight.
        by: 1 = the next one, -1 = the one before.
    """
    start = page.window().focusWidget() or page
    widget = start
    while True:
        widget = widget.nextInFocusChain() if by > 0 else widget.previousInFocusChain()
        if widget is start:
            return
        if page.isAncestorOf(widget) and _is_pane(widget, page):
            forth = Qt.FocusReason.TabFocusReason
            widget.setFocus(forth if by > 0 else Qt.FocusReason.BacktabFocusReason)
            return


def _is_pane(widget: QWidget, page: QWidget) -> bool:
    """Returns whether a widget is a pane that can be given the keyboard now."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isVisibleTo(page) and widget.isEnabled()
    is_hidden_field = widget.focusProxy() is not None
    return takes_tab and is_there and not is_hidden_field and not isinstance(widget, _CONTROLS)

"""How much room the screen of a widget has."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_OF_SCREEN: Final = 0.94
"""How much of a screen a window may take: its frame has to stay in sight."""


def screen_room(widget: QWidget) -> QSize:
    """Returns how large a window may be where this one stands, or will come to stand.

    Not by `QWidget.screen`: Shiboken takes what that returns for a child of the widget. If Python's
    collector then comes to the screen before the widget it deletes the screen itself, and the next
    window that is hidden brings the program down.
    """
    shown = widget.window() if widget.isVisible() else widget.parentWidget()
    screen = None
    if shown is not None:
        screen = QGuiApplication.screenAt(shown.window().geometry().center())
    return (screen or QGuiApplication.primaryScreen()).availableSize() * _OF_SCREEN

"""Available size of a widget's screen."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_OF_SCREEN: Final = 0.94  # how much of a screen a window may take: its frame has to stay in sight


def screen_room(widget: QWidget) -> QSize:
    """Returns the available size of the window's screen."""
    # Not `QWidget.screen`: Shiboken makes its result a child of the widget. If Python's collector
    # reaches the screen first, it deletes the screen itself, and the next hidden window crashes.
    shown = widget.window() if widget.isVisible() else widget.parentWidget()
    screen = None
    if shown is not None:
        screen = QGuiApplication.screenAt(shown.window().geometry().center())
    return (screen or QGuiApplication.primaryScreen()).availableSize() * _OF_SCREEN

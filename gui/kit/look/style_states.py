"""The looks of the style sheet that a widget changes to while it is shown."""

from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel

NEW_SIZES: Final = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
"""After these a widget is measured again: a new font may come before the sheet with its padding."""


def set_look(label: QLabel, look: str) -> None:
    """Gives a label another look of the style sheet."""
    if label.property("look") != look:
        label.setProperty("look", look)
        label.style().unpolish(label)
        label.style().polish(label)

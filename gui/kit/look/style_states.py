"""Dynamic looks of the style sheet."""

from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel

# After these a widget is measured again: a new font may come before the sheet with its padding.
NEW_SIZES: Final = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


def set_look(label: QLabel, look: str) -> None:
    """Sets a label's look of the style sheet."""
    if label.property("look") != look:
        label.setProperty("look", look)
        label.style().unpolish(label)
        label.style().polish(label)

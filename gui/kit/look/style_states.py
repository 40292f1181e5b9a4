"""The looks of the style sheet that a widget changes to while it is shown."""

from PySide6.QtWidgets import QLabel


def set_look(label: QLabel, look: str) -> None:
    """Gives a label another look of the style sheet."""
    if label.property("look") != look:
        label.setProperty("look", look)
        label.style().unpolish(label)
        label.style().polish(label)

"""Refilling of choices, keeping the selection."""

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox


def offer(box: QComboBox, entries: Iterable[tuple[str, object]]) -> None:
    """Refills the box with (text, data) without signals, keeping the selection if possible."""
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        for text, data in entries:
            box.addItem(text, data)
        box.setCurrentIndex(max(0, box.findData(chosen)))


def offer_names(box: QComboBox, first: str, names: Iterable[str]) -> None:
    """Refills the box with names after a first entry for none."""
    offer(box, [(first, None), *((name, name) for name in names)])

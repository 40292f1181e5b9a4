"""What a choice offers may change while what is chosen stays."""

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox


def offer(box: QComboBox, entries: Iterable[tuple[str, object]]) -> None:
    """Offers these (text, data), and tells nobody.

    What was chosen stays while its data is among them; otherwise it is the first.
    """
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        for text, data in entries:
            box.addItem(text, data)
        box.setCurrentIndex(max(0, box.findData(chosen)))


def offer_names(box: QComboBox, first: str, names: Iterable[str]) -> None:
    """Offers names behind a first entry, which stands for none of them."""
    offer(box, [(first, None), *((name, name) for name in names)])

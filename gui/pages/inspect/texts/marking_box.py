"""Choice of marking in similar texts."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtWidgets import QWidget

from awase.core.analysis.inspection import Marking
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr

_TITLES: Final[Mapping[Marking, str]] = MappingProxyType(
    {
        Marking.WORDS: mark("Words in common"),
        Marking.RUNS: mark("Runs of two words and more"),
        Marking.SUBSEQUENCE: mark("Longest common subsequence"),
    }
)


class MarkingBox(ElidedComboBox):
    """Offers every kind of marking."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for marking in _TITLES:
            self.addItem("", marking)
        bind(self, "accessibleName", mark("What is marked"))
        follow(self, self._write_texts)

    @property
    def marking(self) -> Marking:
        return Marking(self.currentData())

    def _write_texts(self) -> None:
        for at, title in enumerate(_TITLES.values()):
            self.setItemText(at, tr(title))

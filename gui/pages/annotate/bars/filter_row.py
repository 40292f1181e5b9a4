"""The line above the abstract's sentences that chooses which of them are shown."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.filters import (
    FILTER_TITLES,
    OTHERS_HIDDEN,
    AbstractFilter,
    has_others,
    kept_by,
)


class FilterRow(QWidget):
    """Shows each filter with how many sentences it keeps."""

    chosen = Signal(object)
    """The `AbstractFilter`."""

    def __init__(self, annotation: AnnotationState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._label, self._box = QLabel(), ElidedComboBox()
        self._label.setProperty("look", "muted")
        self._label.setBuddy(self._box)
        for kept in AbstractFilter:
            self._box.addItem("", kept)
        line = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
        layout.setSpacing(line // 2)
        layout.addWidget(self._label)
        layout.addWidget(self._box, 1)
        self._box.setMinimumWidth(line * 7)
        self._box.activated.connect(lambda row: self.chosen.emit(self._box.itemData(row)))
        annotation.placeChanged.connect(self._show_counts)
        annotation.entryChanged.connect(self._show_counts)
        annotation.othersChanged.connect(self._show_counts)
        self._bind_texts()

    @property
    def current(self) -> AbstractFilter:
        """The filter chosen."""
        return AbstractFilter(self._box.currentData())

    def step(self, by: int) -> None:
        """Chooses the next filter."""
        self._box.setCurrentIndex((self._box.currentIndex() + by) % self._box.count())
        self.chosen.emit(self.current)

    def _bind_texts(self) -> None:
        bind(self._label, "text", mark("Show"))
        bind(self._box, "accessibleName", mark("Which abstract sentences are shown"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self._show_counts()

    def _show_counts(self, _n: int = 0) -> None:
        place, shows_others = self._annotation.place, self._annotation.shows_others
        kept: dict[AbstractFilter, Sequence[int]] = dict(kept_by(place, shows_others=shows_others))
        is_kept_back = has_others(place) and not shows_others
        with QSignalBlocker(self._box):
            for row, (choice, title) in enumerate(FILTER_TITLES.items()):
                text = tr(title, n=len(kept[choice]))
                if is_kept_back and choice is AbstractFilter.DISAGREED:
                    text = tr(OTHERS_HIDDEN)
                if self._box.itemText(row) != text:
                    self._box.setItemText(row, text)

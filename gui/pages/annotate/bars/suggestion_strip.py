"""Suggestion strip below the candidates: suggestion, confidence, and key to accept it."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from awase.core.annotation.formula import formula
from awase.core.assist.suggesters import (
    ANSWERED,
    COVER_TOGETHER,
    COVERS_ALONE,
    LANGUAGE_MODEL,
    LEXICAL_FAMILY,
    LINKED_ELSEWHERE,
    NEARLY_REPEATS,
    OTHER_LENGTH,
    SAYS_THE_SAME,
)
from awase.core.assist.suggestion import CLOSURE, FAMILY
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.fitting.labels import ElidedLabel
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.direction import following
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.assistance import Assistance

# Suggester to what it goes by; strangers' go by their names.
_TITLES: Final[Mapping[str, str]] = {
    LEXICAL_FAMILY: mark("shared words"),
    CLOSURE: mark("near-duplicates"),
    OTHER_LENGTH: mark("another length"),
    LANGUAGE_MODEL: mark("language model"),
}
_WHY: Final[Mapping[str, str]] = {
    COVERS_ALONE: mark("covers the sentence best by itself"),
    COVER_TOGETHER: mark("cover the sentence best together"),
    SAYS_THE_SAME: mark("says the same as what is linked"),
    NEARLY_REPEATS: mark("nearly repeats a linked sentence"),
    ANSWERED: mark("a language model answered so"),
    LINKED_ELSEWHERE: mark("linked for a like sentence of another abstract"),
}


class SuggestionStrip(QFrame):
    """Hidden without a suggestion; a click accepts and stays, as clicks are slow to undo."""

    chosen = Signal()  # the suggestion is to be taken

    def __init__(
        self, assistance: Assistance, sources: Sources, keys: KeyMap, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("look", "strip")
        self._assistance, self._sources, self._keys = assistance, sources, keys
        self.button, self.text, self.level = QPushButton(), ElidedLabel(), QLabel()
        self.level.setProperty("look", "muted")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves it at the sentence
        self.button.clicked.connect(self.chosen)
        line = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 5, line // 2, line // 5)
        layout.setSpacing(line // 2)
        layout.addWidget(self.button)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.level)
        assistance.changed.connect(self.show_offered)
        follow(self, self.show_offered)

    def show_offered(self) -> None:
        """Shows the best suggestion, or nothing."""
        offered = self._assistance.offered
        self.setVisible(offered is not None)
        if offered is None:
            self.button.setAccessibleName(tr("Suggestion"))
            return
        one = offered.suggestion
        family = formula(one.family, self._sources.numbers)
        more = family if one.kind == FAMILY else f"+ {family}"
        key = self._keys.text("take-suggestion")
        self.button.setText(f"{key}  {more}" if len(more) <= 40 else f"{key}  {more[:39]}…")
        sure = decimal_text(one.confidence, 2)
        texts = " / ".join(
            following(self._sources.text(ref))
            for ref in dict.fromkeys(r for a in one.family for r in a.members)
        )
        why = tr(_WHY[one.why]) if one.why in _WHY else one.why
        source = tr(_TITLES[offered.source]) if offered.source in _TITLES else offered.source
        shown = tr("{confidence} · {source} · {why}: {texts}",
                   confidence=sure, source=one.model or source, why=why, texts=texts)  # fmt: skip
        self.text.setText(shown)
        told = tr("Suggested: {family}, confidence {confidence}, {why}",
                  family=family, confidence=sure, why=why)  # fmt: skip
        self.button.setAccessibleName(told)
        self.button.setToolTip(told)
        self._show_level()

    def _show_level(self) -> None:
        percent = self._assistance.decoy_percent
        level = tr("level {n}", n=int(self._assistance.level))
        self.level.setText(
            f"{level} · {tr('{n} % wrong on purpose', n=percent)}" if percent else level
        )
        self.level.setToolTip(
            tr("Who leads the project chose this level of help.")
            + (" " + tr("Some suggestions are wrong on purpose: read what you take.")
               if percent else "")
        )  # fmt: skip

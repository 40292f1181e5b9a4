"""Texts with references of their own, for topics without alignments."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.flow import stacked
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.markup import Browser
from awase.gui.pages.inspect.findings import InspectFindings
from awase.gui.pages.inspect.texts.marking_box import MarkingBox
from awase.gui.pages.inspect.texts.report import text_report


class OwnTexts(QWidget):
    """One system's text sentence by sentence, with similar ones."""

    showChosen = Signal(str, str)  # a topic and a source sentence to look at in its document

    def __init__(
        self, findings: InspectFindings, themes: ThemeBox, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._findings, self._themes = findings, themes
        self._topic = ""
        self.system, self.marking, self.browser = ElidedComboBox(), MarkingBox(), Browser()
        self._label, self._where = QLabel(), QLabel()
        self._where.setProperty("look", "muted")
        self._label.setBuddy(self.system)
        line_px = self.fontMetrics().height()
        row = QHBoxLayout()
        row.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        row.setSpacing(line_px // 2)
        for widget in (self._label, self.system, self.marking, self._where):
            row.addWidget(widget)
        row.addStretch(1)
        stacked(self, row, self.browser, grows=self.browser)
        self.marking.activated.connect(self.refresh)
        self.browser.anchorClicked.connect(self._on_anchor_clicked)
        themes.changed.connect(self.refresh)
        self._bind_texts()

    def show_topic(self, topic_id: str, systems: Sequence[str], system: str) -> None:
        """Shows a topic's text of this system, else keeps the system."""
        chosen = system if system in systems else self.system.currentText()
        self._topic = topic_id
        with QSignalBlocker(self.system):
            self.system.clear()
            self.system.addItems([*systems])
            self.system.setCurrentIndex(max(0, self.system.findText(chosen)))
        self.refresh()

    def refresh(self) -> None:
        system, theme = self.system.currentText(), self._themes.theme
        numbers, marking = self._findings.numbers(self._topic), self.marking.marking
        beside = self._findings.beside_own_references(self._topic, system)
        parts = [
            text_report(reference, system, found, marking, theme, numbers, n_own=len(beside))
            for reference, found in beside
        ]
        self._where.setText(tr("Topic {topic}", topic=self._topic) if self._topic else "")
        self.browser.show_html("".join(parts))

    def _bind_texts(self) -> None:
        bind(self._label, "text", mark("System"))
        bind(self.system, "accessibleName", mark("System"))
        bind(self.browser, "accessibleName", mark("What the sentences of a text resemble"))
        follow(self, self.refresh)

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.showChosen.emit(self._topic, url.path(QUrl.ComponentFormattingOption.FullyDecoded))

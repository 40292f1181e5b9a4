"""Clusters of words in the current topic, as merged by a pruned metric."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from awase.core.metrics.pruned import MERGING, ClusterReport, MergedWords
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.gui.kit.choices import offer_names
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.inspect.explaining.pane import ExplanationPane
from awase.gui.pages.inspect.explaining.word_tables import (
    cluster_table,
    summary_text,
    why_no_clusters,
)
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.jobs.explaining import merging_request, words_that_count_as_one
from awase.jobs.supplies.gathering import Supplying


class WordsPane(ExplanationPane):
    """Clusters of words, the current sentence's first; a row is a filter."""

    JOB = "clusters"
    TITLE = mark("Words as one")
    OFFERS = MERGING

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, services, parent)
        self._reports: Sequence[ClusterReport] = ()
        self._rows: list[MergedWords] = []
        self.system, self.grid, self.summary = ElidedComboBox(), GridView(), QLabel()
        self.why_none = QLabel()
        for label in (self.summary, self.why_none):
            label.setWordWrap(True)
        self.copy = QPushButton()
        self.system.addItem("", None)
        self.system.activated.connect(self._show)
        self.copy.clicked.connect(self.grid.copy_all)
        for signal in (self.grid.clicked, self.grid.activated):
            signal.connect(self._on_row_chosen)
        self.grid.way = mark("Enter shows the sentences with one of these words.")
        bind(self.system, "accessibleName", mark("System"))
        bind(self.grid, "accessibleName", mark("Words that count as one"))
        bind(self.copy, "text", mark("Copy table"))
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        line_px = self.fontMetrics().height()
        for label in (self.summary, self.why_none):
            label.setContentsMargins(line_px // 2, 0, line_px // 2, line_px // 4)
            layout.addWidget(label)
        layout.addWidget(self.grid, 1)
        self.lay_out((self.system, self.copy), body)
        follow(self, self._write_all)

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        return words_that_count_as_one(corpus, merging_request(metric), reporter, supplies)

    def take(self, found: Sequence[object]) -> None:
        self._reports = cast("Sequence[ClusterReport]", found)
        self.signature.setText(self._reports[0].signature if self._reports else "")
        names = dict.fromkeys(one.system for one in self._reports if one.system)
        offer_names(self.system, tr("all"), names)
        self._show()

    def follow_place(self) -> None:
        self._show()

    def _show(self) -> None:
        wanted = self.system.currentData()
        reports = [one for one in self._reports if wanted in (None, one.system)]
        text = self.place.text if self.place is not None else ""
        grid, self._rows = cluster_table(reports, text)
        self.grid.show_grid(grid)
        self.summary.setText(summary_text(reports) if reports else "")
        self.why_none.setText(why_no_clusters(reports))
        self.why_none.setVisible(bool(self.why_none.text()))

    def _on_row_chosen(self, index: QModelIndex) -> None:
        row = self.grid.row_of(index)
        if 0 <= row < len(self._rows):
            self.wordsChosen.emit(self._rows[row].words)

    def _write_all(self) -> None:
        self.system.setItemText(0, tr("all"))
        self._show()

"""The lower half of the page: a cell explained, two systems, texts, where errors gather, waste."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QUrl, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QTabWidget, QWidget

from awase.core.analysis.explanation import Bucket, Explanation
from awase.core.analysis.inspection import InspectedSentence, Inspection
from awase.core.reports.grid import Grid
from awase.core.reports.html_report import range_text
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SpreadTable
from awase.gui.kit.i18n import labelled, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import below_controls, called, stacked
from awase.gui.kit.look.markup import Browser
from awase.gui.kit.texts import follow
from awase.gui.pages.inspect.explaining import (
    ExplanationPane,
    InspectedPlace,
    PyramidPane,
    WordsPane,
)
from awase.gui.pages.inspect.findings import InspectFindings
from awase.gui.pages.inspect.reports import LINK_SCHEME, TextsPane, sentence_report
from awase.gui.pages.inspect.tables import (
    bucket_table,
    buckets_of,
    comparison_table,
    spending_table,
)
from awase.gui.pages.inspect.trees import TreesPane
from awase.gui.session.pages import LOST_BY
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

_TITLES = (
    mark("Sentence"),
    mark("Two systems"),
    mark("Texts"),
    mark("Where errors gather"),
    mark("Places spent"),
)
_SENTENCE, _COMPARISON, _TEXTS, _BUCKETS, _SPENDING = range(len(_TITLES))
# Those that explain a metric, in the order of their tabs behind the others.
PANES: Final = (PyramidPane, TreesPane, WordsPane)


class Details(QTabWidget):
    """Details of the heat map and its current cell."""

    linkChosen = Signal(str)  # a source sentence to link to the current abstract sentence
    showChosen = Signal(str)  # a source sentence to look at in its document
    sentenceChosen = Signal(int)  # number of a sentence in what was shown
    # Keys of sentences, and a function describing their common feature.
    bucketChosen = Signal(object, object)
    systemChosen = Signal(str)  # the system for losses
    wordsChosen = Signal(object)  # words that count as one, a tuple

    def __init__(
        self,
        session: CorpusSession,
        services: Services,
        findings: InspectFindings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self._themes = themes = services.themes
        self._place: InspectedPlace | None = None
        # Built lazily: together they take as long as the rest of the page.
        self._holders = tuple(QWidget(self) for _ in PANES)
        self._panes: dict[int, ExplanationPane] = {}
        self._found = Inspection()
        self._measured: list[str] = []
        self._before = _SENTENCE
        self._compared: list[int] = []
        self._buckets: list[tuple[str, Bucket]] = []
        self._bucket: tuple[int, object] | None = None
        self._bucket_column = 0
        self.report, self.texts = Browser(), TextsPane(session, findings, themes)
        called(self.report, mark("Why the system covers the sentence as far as it does"))
        self.comparison = called(GridView(), mark("Two systems, the largest difference first"))
        self.buckets = called(GridView(), mark("Where errors gather"))
        self.spending = called(SpreadTable(), mark("What each system spent its places on"))
        self.first = called(ElidedComboBox(), mark("First system"))
        self.second = called(ElidedComboBox(), mark("Second system"))
        self._two_systems = QWidget(self)
        compared = (self.first, QLabel("−"), self.second)
        below_controls(self._two_systems, compared, self.comparison)
        for grid in (self.comparison, self.buckets, self.spending):
            grid.setItemDelegate(ShadeDelegate(themes, grid))
            grid.waits = session.wait_for
        self.comparison.way = mark("Enter shows what the first system did with the sentence.")
        self.buckets.way = mark("Enter shows these sentences alone.")
        self.spending.way = LOST_BY
        pages = (
            self.report,
            self._two_systems,
            self.texts,
            self.buckets,
            self.spending,
            *self._holders,
        )
        for page in pages:
            self.addTab(page, "")
        self.setDocumentMode(True)
        self._connect()
        follow(self, self._write_texts)

    def show_place(self, place: InspectedPlace | None) -> None:
        self._place = place
        for pane in self._panes.values():
            pane.show_place(place)

    @property
    def panes(self) -> tuple[ExplanationPane, ...]:
        return tuple(map(self._pane, range(len(PANES))))

    def _pane(self, at: int) -> ExplanationPane:
        if at not in self._panes:
            pane = self._panes[at] = PANES[at](self._session, self._services)
            pane.wordsChosen.connect(self.wordsChosen)
            pane.show_place(self._place)
            stacked(self._holders[at], pane, grows=pane)
            pane.show()  # at once: a layout does so later, and what is to have the keyboard waits
        return self._panes[at]

    def show_explanation(self, name: str) -> None:
        at = next(at for at, one in enumerate(PANES) if name == one.JOB)
        self.setCurrentWidget(self._holders[at])
        self._pane(at).chooser.setFocus()

    def show_metric(self, name: str) -> bool:
        """Shows the pane that explains the metric, if any; returns whether."""
        at = next((at for at, one in enumerate(PANES) if name in one.OFFERS), None)
        if at is None:
            return False
        self._pane(at).choose_metric(name)
        self.setCurrentWidget(self._holders[at])
        return True

    def show_whether_measured(self, is_measured: bool) -> None:
        """Shows the tabs of e(i) only if measured."""
        if self.isTabVisible(_SENTENCE) == is_measured:
            return
        if not is_measured:
            self._before = self.currentIndex()
        for at in range(len(_TITLES)):
            self.setTabVisible(at, is_measured)
        if is_measured:  # Qt went to the first tab that was left
            self.setCurrentIndex(self._before)

    def show_results(self, found: Inspection, systems: Sequence[str]) -> None:
        measured = [system for system in systems if system in found.spending]
        if found is self._found and measured == self._measured:
            return
        self._found, self._measured = found, measured
        self._note_bucket()
        self._compared, self._buckets = [], []
        for grid in (self.comparison, self.buckets):  # frees their contents
            grid.show_grid(Grid())
        for at, box in enumerate((self.first, self.second)):
            _refill(box, self._measured, otherwise=min(at, max(0, len(self._measured) - 1)))
        self.refresh()

    def refresh(self) -> None:
        """Fills the visible table; others are filled lazily."""
        front = self.currentIndex()
        if front >= len(_TITLES):
            self._pane(front - len(_TITLES))
        if front == _COMPARISON:
            self._compare()
        elif front == _TEXTS:
            self.texts.refresh()
        elif front == _BUCKETS:
            self._fill_buckets()
        elif front == _SPENDING:
            self.spending.show_grid(spending_table(self._found))

    def show_text_of(self, system: str) -> None:
        self.texts.show_system(system)
        self.setCurrentIndex(_TEXTS)

    def show_sentence(
        self,
        sentence: InspectedSentence,
        system: str,
        explanation: Explanation | None,
        *,
        can_link: bool,
    ) -> None:
        numbers = self._session.numbers(sentence.key.topic)
        html = sentence_report(
            sentence, system, explanation, self._themes.theme, numbers, can_link=can_link
        )
        self.report.show_html(html)
        self.texts.show_sentence(sentence)

    def show_no_sentence(self) -> None:
        self.report.show_html(f"<p>{tr('No sentence is as chosen above.')}</p>")
        self.texts.show_sentence(None)

    def _connect(self) -> None:
        self.currentChanged.connect(self.refresh)
        self.first.activated.connect(self._compare)
        self.second.activated.connect(self._compare)
        self.comparison.clicked.connect(self._on_compared_clicked)
        self.comparison.activated.connect(self._on_compared_clicked)
        for signal in (self.buckets.clicked, self.buckets.activated):
            signal.connect(self._on_bucket_clicked)
        for signal in (self.spending.clicked, self.spending.activated):
            signal.connect(self._on_system_clicked)
        self.report.anchorClicked.connect(self._on_anchor_clicked)
        self.texts.showChosen.connect(self.showChosen)

    def _compare(self) -> None:
        first, second = self.first.currentText(), self.second.currentText()
        table, self._compared = comparison_table(self._found, first, second)
        self.comparison.show_grid(table)

    def _on_compared_clicked(self, index: object) -> None:
        row = self.comparison.row_of(index)  # type: ignore[arg-type]  # Qt gives a QModelIndex
        if 0 <= row < len(self._compared):
            self.sentenceChosen.emit(self._compared[row])

    def _fill_buckets(self) -> None:
        """Fills the buckets, keeping the current row."""
        self._note_bucket()
        self._buckets = buckets_of(self._found, self._measured)
        self.buckets.show_grid(bucket_table(self._buckets, self._measured))
        if self._bucket in (names := _names_of(self._buckets)):
            self.buckets.choose(names.index(self._bucket), self._bucket_column)

    def _note_bucket(self) -> None:
        index = self.buckets.currentIndex()
        row = self.buckets.row_of(index)
        if 0 <= row < len(self._buckets):
            self._bucket, self._bucket_column = _names_of(self._buckets)[row], index.column()

    def _on_bucket_clicked(self, index: QModelIndex) -> None:
        row = self.buckets.row_of(index)
        if 0 <= row < len(self._buckets):
            feature, bucket = self._buckets[row]
            self.bucketChosen.emit(
                bucket.keys, lambda: labelled(tr(feature), range_text(bucket, tr))
            )

    def _on_system_clicked(self, index: QModelIndex) -> None:
        row = self.spending.row_of(index)
        if 0 <= row < len(self._found.spending):
            self.systemChosen.emit([*self._found.spending][row])

    def _on_anchor_clicked(self, url: QUrl) -> None:
        ref = url.path(QUrl.ComponentFormattingOption.FullyDecoded)
        (self.linkChosen if url.scheme() == LINK_SCHEME else self.showChosen).emit(ref)

    def _write_texts(self) -> None:
        for at, title in enumerate((*_TITLES, *(pane.TITLE for pane in PANES))):
            self.setTabText(at, tr(title))
        self.refresh()


def _names_of(buckets: Sequence[tuple[str, Bucket]]) -> list[tuple[int, object]]:
    """Returns language-independent keys of the buckets, and which of them can be split."""
    features = [*dict.fromkeys(feature for feature, _ in buckets)]
    return [(features.index(feature), bucket.lowest) for feature, bucket in buckets]


def _refill(box: QComboBox, texts: Sequence[str], *, otherwise: int) -> None:
    chosen = box.currentText()
    with QSignalBlocker(box):
        box.clear()
        box.addItems(list(texts))
        at = box.findText(chosen, Qt.MatchFlag.MatchExactly)
        box.setCurrentIndex(at if chosen and at >= 0 else otherwise)
    box.setEnabled(len(texts) > 1)

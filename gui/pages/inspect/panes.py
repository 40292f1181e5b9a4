"""Around the heat map: what is chosen above, and what is explained below."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QTabWidget,
    QWidget,
)

from awase.core.analysis.explanation import Bucket, Explanation, SentenceFilter, Share
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR, AnnotatorChoice, annotator_values
from awase.core.records.edits import Changes
from awase.core.reports.grid import Grid
from awase.core.reports.html_report import range_text
from awase.gui.kit.commands import pressed_by_enter
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SpreadTable
from awase.gui.kit.i18n import LiveLabel, bind, follow, labelled, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedButton, ElidedComboBox
from awase.gui.kit.look.flow import (
    FlowLayout,
    below_controls,
    called,
    label_for,
    push_button,
    spaced,
    stacked,
    styled,
    titled,
    titled_tabs,
    written,
)
from awase.gui.kit.look.markup import Browser
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.pages.inspect.explaining import (
    ExplanationPane,
    InspectedPlace,
    PyramidPane,
    WordsPane,
)
from awase.gui.pages.inspect.findings import InspectFindings, InspectOptions
from awase.gui.pages.inspect.reports import LINK_SCHEME, SentenceReport, TextsPane
from awase.gui.pages.inspect.tables import bucket_table, comparison_table, spending_table
from awase.gui.pages.inspect.trees import TreesPane
from awase.gui.session.pages import LOST_BY
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.topic_list import TopicButton

_SHARES = {
    Share.ANY: mark("any share"),
    Share.NOT_FULL: mark("not in full"),
    Share.MISSED: mark("nothing"),
    Share.PART: mark("a part"),
    Share.FULL: mark("in full"),
}
_ANY = (None, mark("any"))
_WORDS_LINES = 6  # width of the field for words, in heights of a line


class _Words(QLineEdit):
    """As wide as a word or two: the row of filters has no room for Qt's usual one."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().height() * _WORDS_LINES, super().sizeHint().height())


class FilterRow(QWidget):
    """Chooses sentences by system, share, rank, state and words."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: frozenset[Key] | None = None
        self._length: str | None = None
        self.about: Callable[[], str] = str
        self.system, self.right, self.rank = ElidedComboBox(), ElidedComboBox(), ElidedComboBox()
        self.share = called(ElidedComboBox(), mark("How much of a sentence the system has"))
        self.state = ElidedComboBox()
        self.text = called(_Words(), mark("Words in the sentence"))
        self.unfold, self._count = ElidedButton(), styled(LiveLabel(), "muted")
        self.clear = push_button(mark("All sentences"), self.forget)
        self.unfold.setCheckable(True)
        pressed_by_enter(self.unfold)
        fill(self.share, ChoiceField(messages=[*_SHARES.items()]))
        fill(self.state, ChoiceField(messages=(_ANY, *STATE_NAMES.items())))
        self._offer((), ())
        self._boxes = (self.system, self.share, self.right, self.rank, self.state)
        for box in self._boxes:
            box.activated.connect(self._on_chosen)
        self.share.setEnabled(False)
        self.text.textChanged.connect(self._on_chosen)
        self._choices = (
            titled(mark("Lost by"), self.system, self.share, name=mark("Whose loss is counted")),
            titled(mark("while right is"), self.right, name=mark("System that has all of it")),
            titled(mark("Rank"), self.rank),
            titled(mark("State"), self.state, name=mark("State of the sentence")),
            self.text,
        )
        groups = (self.unfold, *self._choices, self.clear, self._count)
        line_px = self.fontMetrics().height()
        flow = spaced(FlowLayout(self), self, *groups)
        flow.setContentsMargins(line_px, 0, line_px, line_px // 2)
        self._is_low = False
        self.unfold.toggled.connect(self._show_choices)
        bind(self.text, "placeholderText", mark("any words"))
        follow(self, self._write_unfold)
        self._show_choices()

    @property
    def wanted(self) -> SentenceFilter:
        return SentenceFilter(
            system=self.system.currentData() or "",
            share=self.share.currentData() if self.system.currentData() else Share.ANY,
            right=self.right.currentData() or "",
            rank=self.rank.currentData(),
            state=self.state.currentData(),
            length=self._length,
            text=self.text.text().strip(),
            keys=self._keys,
        )

    @property
    def told(self) -> str:
        """Describes what no box of the filter shows; empty = nothing."""
        return " · ".join(filter(None, (self._length, self.about())))

    def fold(self, is_low: bool) -> None:
        """Folds the choices into a button where the page is low."""
        if is_low is not self._is_low:
            self._is_low = is_low
            self._show_choices()

    def show_filter(self, wanted: SentenceFilter, about: Callable[[], str] = str) -> None:
        self._keys, self._length, self.about = wanted.keys, wanted.length, about
        system, right = wanted.system or None, wanted.right or None
        values = (system, wanted.share, right, wanted.rank, wanted.state)
        for box, value in zip(self._boxes, values, strict=True):
            at = box.findData(value)
            if at < 0 and isinstance(value, str):  # it may be in pending results
                box.addItem(value, value)
                at = box.count() - 1
            box.setCurrentIndex(max(0, at))
        self.share.setEnabled(bool(wanted.system))
        with QSignalBlocker(self.text):
            self.text.setText(wanted.text)
        self.chosen.emit()

    def choose_sentences(self, keys: frozenset[Key], about: Callable[[], str]) -> None:
        self.show_filter(replace(self.wanted, keys=keys), about)

    def forget(self) -> None:
        """Clears the filter, except for the system."""
        self.show_filter(SentenceFilter(system=self.wanted.system))

    def offer(self, found: Inspection, systems: Sequence[str]) -> None:
        ranks = sorted({one.rank for one in found.sentences if one.rank is not None})
        self._offer(systems, ranks)
        self._write_unfold()

    def _offer(self, systems: Sequence[str], ranks: Sequence[str]) -> None:
        for box, first, names in (
            (self.system, (None, mark("no system")), systems),
            (self.right, (None, mark("any system")), systems),
            (self.rank, _ANY, ranks),
        ):
            fill_names(box, names, first)

    def show_count(self, n_shown: int, n_all: int) -> None:
        text = ntr("{n} sentence", "{n} sentences", n_all)
        if n_shown != n_all:
            text = ntr("{shown} of {n} sentence", "{shown} of {n} sentences", n_all, shown=n_shown)
        self._count.setText(" · ".join(filter(None, (self.told, text))))
        self.clear.setEnabled(replace(self.wanted, system="") != SentenceFilter())
        self._write_unfold()

    def _show_choices(self) -> None:
        self.unfold.setVisible(self._is_low)
        for group in self._choices:
            group.setVisible(self.unfold.isChecked() or not self._is_low)
        self._write_unfold()

    def _write_unfold(self) -> None:
        if self.unfold.isChecked():
            self.unfold.setText(tr("Hide the filters"))
            return
        boxes = (box for box in self._boxes if box.isEnabled() and box.currentIndex() > 0)
        parts = [*(box.currentText() for box in boxes), *filter(None, [self.wanted.text])]
        said = tr("Filters: {chosen}", chosen=" · ".join(parts)) if parts else tr("Filters…")
        self.unfold.setText(said.replace("&", "&&"))
        self.unfold.setToolTip(said if parts else "")

    def _on_chosen(self) -> None:
        self.share.setEnabled(bool(self.system.currentData()))
        self.chosen.emit()


_MOST_AT_FIRST: Final = 100  # topics of which all are shown when the page is; of more, one


class Controls(QWidget):
    """Selection of what is inspected."""

    topicChosen = Signal(object)  # id of the topic, or None for all
    optionsChosen = Signal(object)  # the `InspectOptions`
    copyChosen = Signal()

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.topics = TopicButton(session, first=lambda: [("", tr("All topics"))])
        self._annotators = called(ElidedComboBox(), mark("Annotator"))
        self._topic_label = label_for(mark("Topic"), self.topics)
        self._annotator_label = label_for(mark("Annotator"), self._annotators)
        whole = mark("Look at all of an extract, not only its first h sentences.")
        self._whole = written(QCheckBox(), mark("Whole extract"), whole)
        self._is_filled = False
        self.copy = push_button(mark("Copy table"), self.copyChosen, mark("Tab-separated (Ctrl+C)"))
        self._lay_out()
        self.topics.chosen.connect(self.choose_topic)
        session.sightChanged.connect(self._on_sight_changed)
        session.changed.connect(self._on_session_changed)
        self._annotators.activated.connect(self._on_options_changed)
        self._whole.toggled.connect(self._on_options_changed)
        self.refill()

    @property
    def topic_id(self) -> str | None:
        """The topic; None = all."""
        return self.topics.topic_id or None

    def choose_topic(self, topic_id: str) -> None:
        self.topics.show_topic(topic_id)
        self.topicChosen.emit(self.topic_id)

    def refill(self) -> None:
        session = self._session
        firsts = [(FIRST_ANNOTATOR, mark("First of each abstract"))]
        annotators, has_gold = session.seen_annotators()
        firsts += [(AnnotatorChoice.GOLD.value, mark("Gold"))] if has_gold else []
        others = [(value, name) for name, value in annotator_values(annotators)]
        fill(self._annotators, ChoiceField(others, messages=firsts))
        self._on_options_changed()  # whose work was looked at may be gone, or hidden
        known = self._session.topic(self.topics.topic_id or self._begun_at())
        self._is_filled = True
        self.topics.show_topic(known.id if known is not None else "")
        has_choice = self._annotators.count() > 2
        self._annotators.setVisible(has_choice)
        self._annotator_label.setVisible(has_choice)

    def _begun_at(self) -> str:
        """Returns the first topic: that of the Annotate page, where all take long."""
        session = self._session
        is_much = not self._is_filled and len(session.topic_ids()) > _MOST_AT_FIRST
        return session.topic_in_sight if is_much else ""

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        layout = spaced(QHBoxLayout(self), self, self._topic_label)
        # With large letters the annotator shrinks, or the window would outgrow the screen.
        self._annotators.setMinimumWidth(line_px * 5)
        self._annotators.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.topics.stand_in(layout)
        layout.addWidget(self._annotator_label)
        layout.addWidget(self._annotators, 1)
        layout.addWidget(self._whole)
        layout.addStretch()
        layout.addWidget(self.copy)

    def _on_session_changed(self, changes: Changes) -> None:
        if changes.corpus:
            self._on_sight_changed()

    def _on_sight_changed(self) -> None:
        if self.isVisible():
            self.refill()

    def _on_options_changed(self) -> None:
        self.optionsChosen.emit(
            InspectOptions(
                is_whole_extract=self._whole.isChecked(),
                annotator=self._annotators.currentData() or FIRST_ANNOTATOR,
            )
        )


_TITLES = (
    mark("Sentence"),
    mark("Two systems"),
    mark("Texts"),
    mark("Where errors cluster"),
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
        self._bucket: tuple[int, object] | None = None
        self._bucket_column = 0
        self.report, self.texts = Browser(), TextsPane(session, findings, themes)
        called(self.report, mark("Why the system covers the sentence as far as it does"))
        self.comparison = called(GridView(), mark("Two systems, the largest difference first"))
        self.buckets = called(GridView(), mark("Where errors cluster"))
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
        self.buckets.way = mark("Enter shows only these sentences.")
        self.spending.way = LOST_BY
        measured = (self.report, self._two_systems, self.texts, self.buckets, self.spending)
        for page in (*measured, *self._holders):
            self.addTab(page, "")
        self.setDocumentMode(True)
        self._connect()
        titled_tabs(self, *_TITLES, *(pane.TITLE for pane in PANES))
        follow(self, self.refresh)

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
        for grid in (self.comparison, self.buckets):  # frees their contents
            grid.show_grid(Grid())
        for at, box in enumerate((self.first, self.second)):
            chosen = box.currentText()
            fill_names(box, measured)
            if chosen not in measured:
                box.setCurrentIndex(min(at, len(measured) - 1))
            box.setEnabled(len(measured) > 1)
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
            self.spending.show_grid(spending_table(self._found), [*self._found.spending])

    def show_text_of(self, system: str) -> None:
        fill_names(self.texts.system, [system])  # it is shown wherever it has a text
        self.setCurrentIndex(_TEXTS)

    def show_sentence(
        self,
        sentence: InspectedSentence,
        system: str,
        explanation: Explanation | None,
        *,
        can_link: bool,
    ) -> None:
        report = SentenceReport(
            sentence=sentence,
            system=system,
            explanation=explanation,
            theme=self._themes.theme,
            numbers=self._session.numbers(sentence.key.topic),
            can_link=can_link,
        )
        self.report.show_html(report.html())
        self.texts.show_sentence(sentence)

    def show_no_sentence(self) -> None:
        self.report.show_html(f"<p>{tr('No sentence matches the filters above.')}</p>")
        self.texts.show_sentence(None)

    def _connect(self) -> None:
        self.currentChanged.connect(self.refresh)
        self.first.activated.connect(self._compare)
        self.second.activated.connect(self._compare)
        self.comparison.on_item(self.sentenceChosen.emit)
        self.buckets.on_item(self._on_bucket_chosen)
        self.spending.on_item(self.systemChosen.emit)
        self.report.linkChosen.connect(self._on_link_chosen)
        self.texts.showChosen.connect(self.showChosen)

    def _compare(self) -> None:
        first, second = self.first.currentText(), self.second.currentText()
        self.comparison.show_grid(*comparison_table(self._found, first, second))

    def _fill_buckets(self) -> None:
        """Fills the buckets, keeping the current row."""
        self._note_bucket()
        self.buckets.show_grid(*bucket_table(self._found, self._measured))
        if self._bucket in (names := _names_of(self.buckets.items)):
            self.buckets.choose(names.index(self._bucket), self._bucket_column)

    def _note_bucket(self) -> None:
        index = self.buckets.currentIndex()
        row = self.buckets.row_of(index)
        if row >= 0:
            names = _names_of(self.buckets.items)
            self._bucket, self._bucket_column = names[row], index.column()

    def _on_bucket_chosen(self, chosen: tuple[str, Bucket]) -> None:
        feature, bucket = chosen
        self.bucketChosen.emit(bucket.keys, lambda: labelled(tr(feature), range_text(bucket, tr)))

    def _on_link_chosen(self, scheme: str, ref: str) -> None:
        (self.linkChosen if scheme == LINK_SCHEME else self.showChosen).emit(ref)


def _names_of(buckets: Sequence[tuple[str, Bucket]]) -> list[tuple[int, object]]:
    """Returns language-independent keys of the buckets, and which of them can be split."""
    features = [*dict.fromkeys(feature for feature, _ in buckets)]
    return [(features.index(feature), bucket.lowest) for feature, bucket in buckets]

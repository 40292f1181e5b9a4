"""The Inspect page: a heat map of e(i), and below it why it is so."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from awase.core.analysis.explanation import Costs, SentenceFilter, Share, filtered, sentences_with
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.core.errors import Listing
from awase.core.records.source import SentenceRef
from awase.core.team.parts import Part
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.grid.grid import SharingSplitter
from awase.gui.kit.i18n import bind, bind_problems, follow, joined_sentences, mark, problem_text, tr
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.look.flow import called, holding, stacked, styled
from awase.gui.kit.notices import EmptyLabel, ProgressBar
from awase.gui.kit.number_explanation import declare, why_of_cell
from awase.gui.pages.inspect import PAGE
from awase.gui.pages.inspect.explaining import InspectedPlace
from awase.gui.pages.inspect.findings import INSPECT_JOB, InspectFindings
from awase.gui.pages.inspect.panes import PANES, Controls, Details, FilterRow
from awase.gui.pages.inspect.reports import LookedAt, OwnTexts, can_link, link, why_no_link
from awase.gui.pages.inspect.tables import LOST_COLUMN, HeatMap
from awase.gui.session.pages import Cause
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

_NOTHING = mark("Nothing to inspect yet: write or import an abstract, and import an extract.")
# Of the height, for the table above the details, and the rows that it has however low that is.
_SHARE, _USUAL_ROWS = 21 / 44, 5
# So many lines of letters, and filters in lines of their own would leave too few rows.
_FEW_LINES = 25
# Visible rows above an explanation, and the height for which they make way, in lines.
_LEAST_ROWS, _EXPLANATION = 3, 24
_MOST_BESIDE_WISHES = 0.4  # maximal share of the height for the table then


class InspectPage(HandsFocusOn, CommandKeys, QWidget):
    """Error analysis of systems, linked to the annotation."""

    jobs = (INSPECT_JOB, *(pane.JOB for pane in PANES))

    # Topic, abstract, place (a number or a `SentenceRef`) and system for the Annotate page.
    sentenceChosen = Signal(str, object, object, str)
    leaving = Signal()  # before another position on this page

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.add_commands("inspect", PAGE.commands, services.keys.keys)
        self.session = session
        self._services = services
        self._found = Inspection()
        self._cause = ""  # The system whose loss was requested, until it is shown.
        self._follows_first = self._is_explained = self._makes_way = False
        # The cell to return to, while that is shown.
        self._left: tuple[Key | None, str] | None = None
        self.findings = InspectFindings(session, services.jobs, self)
        # Children are created in place: reparented ones would all be restyled.
        self._splitter = SharingSplitter(self._height_of_table, Qt.Orientation.Vertical, self)
        self._upper = QStackedWidget(self._splitter)
        self.controls = Controls(session, self)
        self.filters = FilterRow(self)
        table = mark("e(i) of each system for each abstract sentence")
        self.heat = called(HeatMap(services.themes, self._upper), table)
        self.heat.waits = session.wait_for
        self.details = Details(session, services, self.findings, self._splitter)
        self._progress = ProgressBar()
        self._empty = EmptyLabel()
        self._said = styled(QLabel(), "muted", wraps=True)
        self.own_texts = OwnTexts(session, self.findings, services.themes, self._upper)
        self._lay_out()
        self._connect()
        follow(self, self._on_language_changed)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.controls.refill()
        self.findings.look_first(self.controls.topic_id)
        self.findings.watch(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.filters.fold(self.height() < _FEW_LINES * self.fontMetrics().height())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.findings.watch(False)

    # What the user does

    def choose_topic(self, topic_id: str | None) -> None:
        self.controls.choose_topic(topic_id or "")

    def show_cause(self, cause: Cause) -> None:
        """Shows a system's losses, the largest first."""
        self._cause, self._follows_first = cause.system, False
        self._is_explained = self.details.show_metric(cause.metric.partition(".")[0])
        self.controls.topics.show_topic(cause.topic or "")
        self.filters.show_filter(
            SentenceFilter(system=cause.system, length=cause.length, share=Share.NOT_FULL)
        )

    def place(self) -> LookedAt:
        sentence, system = self.heat.current()
        return LookedAt(
            topic=self.controls.topic_id,
            wanted=self.filters.wanted,
            about=self.filters.about,
            key=sentence.key if sentence is not None else None,
            system=system,
            tab=self.details.currentIndex(),
        )

    def place_name(self) -> str:
        """Returns what distinguishes the position on this page; empty = all."""
        return " · ".join(filter(None, (self.filters.wanted.system, self.filters.told)))

    def return_to(self, place: LookedAt) -> None:
        self.controls.topics.show_topic(place.topic or "")
        if self.details.isTabVisible(place.tab):
            self.details.setCurrentIndex(place.tab)
        self._left = place.key, place.system
        self.filters.show_filter(place.wanted, place.about)
        self._left = None

    def show_explanation(self, name: str) -> None:
        """Explains a metric of the current topic: `pyramid`, `trees` or `clusters`."""
        self.details.show_explanation(name)
        self._makes_way = True
        self._splitter.redistribute()

    def link_first(self) -> None:
        sentence, system = self.heat.current()
        if sentence is None:
            return
        explanation = self.findings.explanation(sentence.key, system)
        if explanation is None or not explanation.unlinked:
            self._show_message(tr("Nothing here looks as though it should be linked."))
            return
        self.link(explanation.unlinked[0].ref)

    def link(self, ref: SentenceRef) -> None:
        """Adds `ref` as an alternative of its own to the current abstract sentence."""
        sentence, _ = self.heat.current()
        if sentence is None or not self._can_link(sentence):
            self._show_message(why_no_link(self.session))
        elif said := link(self.session, sentence, ref):
            self._show_message(said)

    def annotate_current(self) -> None:
        sentence, system = self.heat.current()
        if sentence is not None:
            key = sentence.key
            self.sentenceChosen.emit(key.topic, key.abstract, key.n, system)

    # Layout and connections

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        holding(self._upper, self.heat, self.own_texts, self._empty)
        holding(self._splitter, self._upper, self.details)
        self._said.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self._progress.hide()
        above = (self.controls, self.filters, self._progress)
        stacked(self, *above, self._splitter, self._said, grows=self._splitter)
        self.hand_focus_to(self.heat)
        declare(self.details.report, lambda: why_of_cell(self.heat))

    def _height_of_table(self) -> int:
        """Returns the table's share, and a minimum of rows; it makes way for an explanation."""
        room = self._splitter.room_px()
        if self._makes_way:
            pane_px = _EXPLANATION * self.fontMetrics().height()
            wanted = max(self._rows_px(_LEAST_ROWS), room - pane_px)
            return min(round(room * _MOST_BESIDE_WISHES), wanted)
        least = self.details.minimumSizeHint().height()
        return max(round(room * _SHARE), min(self._rows_px(_USUAL_ROWS), room - least))

    def _rows_px(self, n_rows: int) -> int:
        table = self.heat
        rows = n_rows * table.verticalHeader().defaultSectionSize()
        bar = table.horizontalScrollBar().sizeHint().height()
        return table.horizontalHeader().sizeHint().height() + rows + bar + 2 * table.frameWidth()

    def _connect(self) -> None:
        self.controls.topicChosen.connect(self._on_topic_chosen)
        self.controls.optionsChosen.connect(self.findings.set_options)
        self.controls.copyChosen.connect(self.heat.copy_all)
        self.filters.chosen.connect(self._show_results)
        self.details.bucketChosen.connect(self._on_bucket_chosen)
        self.details.wordsChosen.connect(self._on_words_chosen)
        self.own_texts.system.textActivated.connect(
            lambda system: self.filters.show_filter(SentenceFilter(system=system))
        )
        self.details.systemChosen.connect(self._on_system_chosen)
        self.findings.changed.connect(self._on_result)
        self.findings.started.connect(self._on_started)
        self.findings.failed.connect(self._on_failed)
        self.heat.selectionModel().currentChanged.connect(self._on_current_changed)
        self.heat.doubleClicked.connect(self.annotate_current)
        self.details.sentenceChosen.connect(self._on_compared_chosen)
        self.details.linkChosen.connect(lambda ref: self.link(SentenceRef.parse(ref)))
        self.details.showChosen.connect(self._on_source_chosen)
        self.own_texts.showChosen.connect(self._on_own_source_chosen)
        self._services.themes.changed.connect(self._on_theme_changed)

    # Showing

    def _show_results(self, _what: object = None) -> None:
        sentence, system = self.heat.current()
        current = sentence.key if sentence is not None else None
        is_first = self.heat.currentIndex().row() <= 0
        found = self._found = self.findings.inspection_of(self.controls.topic_id)
        has_any = bool(found.sentences)
        if has_any:  # the selection waits for results
            self.filters.offer(found, found.systems)
        wanted = self.filters.wanted
        shown, counted = filtered(found, wanted), None
        if wanted.system:
            best = self.findings.best_system(self.controls.topic_id)
            counted = wanted.system, best, Costs(shown, wanted.system, best)
        is_followed = self._follows_first and is_first
        if self._follows_first and not is_first:
            self._cause = ""  # the user went elsewhere meanwhile
        is_asked_why = bool(self._cause) and not self._follows_first
        if is_asked_why:
            self.heat.sort_by(-1, Qt.SortOrder.AscendingOrder)  # of equal ones the corpus's first
        is_last = not self.findings.is_under_way
        self.heat.show_sentences(shown, found.systems, counted, is_last=is_last)
        self.filters.show_count(len(shown.sentences), len(found.sentences))
        self.details.show_results(found, found.systems)
        if is_asked_why and has_any:
            self.heat.sort_by(LOST_COLUMN, Qt.SortOrder.DescendingOrder)
            current, system = None, wanted.system
        elif self._left is not None and self._left[0] and self._left[1] in found.systems:
            current, system = self._left
        elif is_followed:
            current = None  # a larger loss may have come
        if has_any:
            self._left = None
        elif current is not None:
            self._left = current, system  # until there is something again
        is_followed = has_any and (is_asked_why or is_followed)
        self._follows_first = self.findings.is_under_way and is_followed
        self._show_what_is_measured(has_any, wanted.system)
        self._answer_why(has_any)
        self.controls.copy.setEnabled(has_any)
        if shown.sentences:
            if not self.heat.return_to(current, system):
                self._on_current_changed()
        elif has_any:  # explained metrics stay: the topic is the same
            self.details.show_no_sentence()
        else:
            self._show_place()

    def _show_what_is_measured(self, has_any: bool, system: str) -> None:
        """Shows the table; without extracts, texts with references of their own."""
        own = self.findings.with_own_references
        topic, writers = ("", ()) if has_any else own(self.controls.topic_id)
        if writers:
            self.own_texts.show_topic(topic, writers, system)
        self.filters.setVisible(not writers)
        bind(self._empty, "text", _NOTHING)
        otherwise = self.own_texts if writers else self._empty
        self._upper.setCurrentWidget(self.heat if has_any else otherwise)
        if has_any or self.findings.is_known:
            self.details.show_whether_measured(has_any)
            self.details.setVisible(has_any or self._has_outputs())

    def _answer_why(self, is_measured: bool) -> None:
        """Shows the text of a system without an extract, whose losses are unknown."""
        is_all = is_measured and not self.findings.is_under_way
        has_it = self._cause in self.heat.systems
        if self._cause and not has_it and is_all and not self._is_explained:
            self.details.show_text_of(self._cause)
        if is_all or (is_measured and has_it):
            self._cause = ""

    def _has_outputs(self) -> bool:
        chosen = self.controls.topic_id
        if chosen is None:
            return self.session.has(Part.OUTPUTS)
        topic = self.session.topic(chosen)
        return topic is not None and bool(topic.outputs)

    def _show_place(self) -> None:
        sentence, system = self.heat.current()
        if sentence is not None:
            self.details.show_place(
                InspectedPlace(
                    topic=sentence.key.topic,
                    abstract=sentence.key.abstract,
                    n=sentence.key.n,
                    length=sentence.length,
                    text=sentence.text,
                    system=system,
                    annotator=self.findings.options.annotator,
                )
            )
            return
        topic = self.findings.with_own_references(self.controls.topic_id)[0]
        topic = topic or self.controls.topic_id or ""
        if not topic:
            topic = next((one.id for one in self.session.topics() if one.outputs), "")
        writer = self.own_texts.system.currentText()
        place = InspectedPlace(topic=topic, system=writer) if topic else None
        self.details.show_place(place)

    def _on_current_changed(self) -> None:
        sentence, system = self.heat.current()
        if sentence is None:
            return
        self._show_place()
        self._show_message(self._why_not_looked_at(sentence.key))
        explanation = self.findings.explanation(sentence.key, system)
        self.details.show_sentence(sentence, system, explanation, can_link=self._can_link(sentence))

    def _can_link(self, sentence: InspectedSentence) -> bool:
        return can_link(self.session, sentence, self.findings.options.annotator)

    def _why_not_looked_at(self, key: Key) -> str:
        """Returns why the abstract's extracts were skipped; empty if they were not."""
        problems = self.findings.inspection_of(key.topic).problems
        missing = (p for p in problems if p.fields.get("abstract") == key.abstract)
        return joined_sentences(*map(problem_text, missing))

    def _show_message(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))

    # What came

    def _on_result(self) -> None:
        """Shows results; partial ones only for the current topics."""
        found = self.findings.inspection_of(self.controls.topic_id)
        is_as_shown = found is self._found and bool(found.sentences)
        if not (is_as_shown and self.findings.is_under_way):
            self._show_results()

    def _on_topic_chosen(self, topic_id: str | None) -> None:
        self.findings.look_first(topic_id)
        self._show_results()

    def _on_started(self, job: Job) -> None:
        job.progressed.connect(self._on_progressed)
        job.ended.connect(self._progress.hide)

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.show_progress(done, total)
        self._progress.show()

    def _on_failed(self, error: BaseException) -> None:
        bind_problems(self._empty, problems_of(error))
        self._upper.setCurrentWidget(self._empty)
        self.details.hide()

    def _on_compared_chosen(self, sentence_idx: int) -> None:
        system = self.details.first.currentText()
        sentence = self._found.sentences[sentence_idx]
        self.leaving.emit()
        if sentence not in self.heat.shown.sentences:
            self.filters.forget()
        if system in self.heat.systems:
            self.heat.choose_cell(self.heat.shown.sentences.index(sentence), system)

    def _on_bucket_chosen(self, keys: frozenset[Key], about: Callable[[], str]) -> None:
        self.leaving.emit()
        self.filters.choose_sentences(keys, about)

    def _on_words_chosen(self, words: tuple[str, ...]) -> None:
        self.leaving.emit()
        keys = sentences_with(self._found, words)
        self.filters.choose_sentences(keys, lambda: tr("words: {words}", words=Listing(words)))

    def _on_system_chosen(self, system: str) -> None:
        self.leaving.emit()
        self.show_cause(Cause(topic=self.controls.topic_id, system=system))

    def _on_source_chosen(self, text: str) -> None:
        sentence, system = self.heat.current()
        if sentence is not None:
            ref = SentenceRef.parse(text)
            self.sentenceChosen.emit(sentence.key.topic, sentence.key.abstract, ref, system)

    def _on_own_source_chosen(self, topic_id: str, ref: str) -> None:
        self.sentenceChosen.emit(topic_id, None, SentenceRef.parse(ref), "")

    def _on_theme_changed(self) -> None:
        self.details.refresh()
        self._on_current_changed()

    def _on_language_changed(self) -> None:
        if self._found.sentences:
            self._show_results()

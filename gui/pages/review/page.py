"""The Review page: agreement and adjudication."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabWidget, QWidget

from awase.core.agreement.comparison import WorstFirst, drifts_of
from awase.core.agreement.distances import SetDistance, raters_in
from awase.core.agreement.results import AgreementRequest, AgreementStudy
from awase.core.agreement.rows import usual_comparisons
from awase.core.annotation.visibility import seen_by
from awase.core.errors import AwaseError, InputError, Problem, Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.digests import Versions
from awase.core.records.source import SentenceRef
from awase.core.reports.grid import csv_text
from awase.core.reports.study_report import By, agreement_rows, report_of_agreement
from awase.core.reports.table_export import as_latex
from awase.core.team.progress import TimesBy, times
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.model import ExportButton, ask_and_write, copy_report
from awase.gui.kit.i18n import bind_problems, follow, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import (
    FlowLayout,
    holding,
    push_button,
    spaced,
    stacked,
    titled,
    titled_tabs,
    together,
)
from awase.gui.kit.notices import EmptyLabel, JobStrip, Recomputes
from awase.gui.kit.problems import RemarksButton
from awase.gui.pages.review import PAGE, SCOPE
from awase.gui.pages.review.adjudication_tab import ADJUDICATION_JOB, AdjudicationTab
from awase.gui.pages.review.cases import DECISION_JOB
from awase.gui.pages.review.results import AgreementResults, Reviewed
from awase.gui.pages.review.tables import LEVELS, hidden_problem
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.team.project_reports import study_agreement

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


EXPORTS = {
    "pair.csv": mark("Pairs as CSV…"),
    "topic.csv": mark("Topics as CSV…"),
    "sentence.csv": mark("Sentences as CSV…"),
    "tex": mark("This table as LaTeX…"),
}


class AgreementControls(QWidget):
    """A row of choices, and of buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.level, self.length = ElidedComboBox(), ElidedComboBox()
        for box in (self.level, self.length):
            # With large letters they shrink, or the window would outgrow the screen.
            box.setMinimumWidth(self.fontMetrics().height() * 6)
        fill(self.level, ChoiceField(messages=[*LEVELS.items()]))
        self._lengths = titled(mark("Length"), self.length)
        self.filtered, self.all = QLabel(), push_button(mark("Show all"))
        how = mark("The formula with the numbers of this corpus (H)")
        self.how = push_button(mark("How it was computed"), tip=how)
        self.how.setCheckable(True)
        copy = mark("Copy the table, for a spreadsheet or a word processor")
        self.copy = push_button(mark("Copy table"), tip=copy)
        self.remarks = RemarksButton(mark("Notes on this agreement"))
        self.export = ExportButton(EXPORTS)
        self._lay_out()
        self.show_filter("")
        self.fill(())

    @property
    def distance(self) -> SetDistance:
        return SetDistance(self.level.currentData())

    @property
    def length_class(self) -> str | None:
        """The length class chosen; None = all together."""
        chosen = self.length.currentData()
        return None if chosen is None else str(chosen)

    def fill(self, lengths: Sequence[str]) -> None:
        fill_names(self.length, lengths, (None, mark("All lengths")))
        self._lengths.setVisible(self.length.count() > 2)

    def show_filter(self, text: str) -> None:
        self.filtered.setText(text)
        for widget in (self.filtered, self.all):
            widget.setVisible(bool(text))

    def _lay_out(self) -> None:
        levels, filtered = titled(mark("Level"), self.level), together(self.filtered, self.all)
        acts = together(None, self.remarks, self.how, self.copy, self.export)
        spaced(FlowLayout(self), self, levels, self._lengths, filtered, acts)


AGREEMENT_JOB = "agreement"
_MS = 1000


def _reviewed(
    corpus: Corpus, store: "CorpusStore", who: str, length: str | None, reporter: Reporter
) -> Reviewed:
    """Computes the agreement; a missing length means all."""
    shown = seen_by(corpus, who)
    n_hidden = len(corpus.topics) - len(shown.topics)
    raters = raters_in(shown.topics, reporter)
    lengths = tuple(one for one in raters.lengths if one is not None)
    try:
        request = AgreementRequest(
            length=length if length in lengths else None, compares=usual_comparisons(raters)
        )
        study = study_agreement(shown, request, reporter)
    except InputError as error:
        return Reviewed(error, lengths, n_hidden, {}, {}, WorstFirst())
    found = study.agreement.sentences

    def versions(topics: Sequence[str]) -> Versions:
        try:
            return store.versions(topics)
        except AwaseError:
            return {}  # of a file that is gone: what is shown is still right

    return Reviewed(
        study,
        lengths,
        n_hidden,
        _seconds(corpus, store, reporter),
        drifts_of(found, versions),
        WorstFirst(found),
    )


def _seconds(corpus: Corpus, store: "CorpusStore", reporter: Reporter) -> dict[str, float]:
    """Returns seconds of work for each sentence, by topic."""
    try:
        log = store.logged_times()
    except AwaseError:
        return {}  # The log of a file that is gone: what is shown is still right.
    return {
        one.topic: one.mean_ms / _MS
        for one in times(corpus.topics, log, TimesBy.TOPIC, reporter)
        if one.topic is not None and one.mean_ms is not None
    }


class AgreementTab(Recomputes, HandsFocusOn, QWidget):
    """Agreement, recomputed when the corpus or the length changes."""

    # Topic, abstract and place (a number or a `SentenceRef`) to show on the Annotate page.
    sentenceChosen = Signal(str, object, object)

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self.study: AgreementStudy | None = None
        self._body = QStackedWidget(self)
        self.controls = AgreementControls(self)
        self.strip = JobStrip(mark("Stopped: what is shown does not match these choices."))
        self.results = AgreementResults(session, services.themes, self._body)
        self.empty = EmptyLabel()
        self._lay_out()
        self._connect()
        follow(self, self._show_buttons)

    # What the user does

    def compute(self) -> None:
        self.is_stale = False
        session, length = self._session, self.controls.length_class
        work = partial(_reviewed, session.corpus(), session.store, session.who, length)
        jobs, done, failed = self._services.jobs, self._on_computed, self._on_failed
        self.strip.watch(jobs.start(AGREEMENT_JOB, work, done, failed))

    def explain(self) -> None:
        self.controls.how.click()

    def open_comparison(self) -> bool:
        """Maximises the comparison; returns whether a sentence had the focus."""
        if not (self.results.sentences.hasFocus() or self.results.detail.hasFocus()):
            return False
        self.controls.how.setChecked(False)
        self.results.open_comparison()
        return True

    def show_current(self) -> None:
        sentence = self.results.current()
        if sentence is not None:
            self.sentenceChosen.emit(sentence.topic, sentence.abstract, sentence.n)

    def text_of(self, name: str) -> str:
        if self.study is None:
            return ""
        if name == "tex":
            return as_latex(report_of_agreement(self.study, By.PAIR))
        return csv_text(agreement_rows(self.study, By(name.partition(".")[0])))

    # Layout and connections

    def _lay_out(self) -> None:
        body = holding(self._body, self.results, self.empty)
        stacked(self, self.controls, self.strip, body, grows=body)
        line_px = self.fontMetrics().height()
        self.hand_focus_to(self.results.sentences)
        self.results.sentences.setMinimumHeight(line_px * 5)

    def _connect(self) -> None:
        self.recompute_on(self._session.changed, self._session.sightChanged)
        controls = self.controls
        controls.level.activated.connect(lambda: self.results.show_level(controls.distance))
        controls.length.activated.connect(self.compute)
        controls.all.clicked.connect(lambda: self.results.narrow(None, None))
        controls.how.clicked.connect(self.results.explain)
        controls.copy.clicked.connect(self._on_copy_chosen)
        controls.export.chosen.connect(self._ask_file)
        self.strip.againChosen.connect(self.compute)

        self.results.filterChanged.connect(controls.show_filter)
        self.results.sourceChosen.connect(self._on_source_chosen)
        self.results.sentences.doubleClicked.connect(self.open_comparison)

    # What came

    def _on_computed(self, found: Reviewed) -> None:
        self.controls.fill(found.lengths)
        if isinstance(found.study, InputError):
            n = len(self._session.topic_ids())
            hidden = [hidden_problem(found.n_hidden, n)] if found.n_hidden else []
            self._show_none(hidden if found.n_hidden == n else (*hidden, *found.study.problems))
            return
        self.study = found.study
        self.results.show_study(found.study, found, self.controls.distance)
        self._body.setCurrentWidget(self.results)
        self._show_buttons()

    def _on_failed(self, error: BaseException) -> None:
        self._show_none(problems_of(error))

    def forget(self) -> None:
        self._services.jobs.drop(AGREEMENT_JOB)
        self._show_none(())

    def _show_none(self, problems: Iterable[Problem]) -> None:
        self.study = None
        bind_problems(self.empty, problems)
        self._body.setCurrentWidget(self.empty)
        self._show_buttons()

    def _show_buttons(self) -> None:
        study = self.study
        for button in (self.controls.how, self.controls.copy, self.controls.export):
            button.setVisible(study is not None)
        self.controls.remarks.show_remarks(study.agreement.warnings if study else ())

    def _on_copy_chosen(self) -> None:
        if self.study is not None:
            copy_report(report_of_agreement(self.study, By.PAIR))

    def _ask_file(self, name: str) -> None:
        text, (stem, _, ending) = self.text_of(name), name.rpartition(".")
        suggested = f"agreement-{stem}.{ending}" if stem else f"agreement.{ending}"
        ask_and_write(self, tr("Export agreement"), Path(suggested), lambda: text)

    def _on_source_chosen(self, ref: str) -> None:
        sentence = self.results.current()
        if sentence is not None:
            self.sentenceChosen.emit(sentence.topic, sentence.abstract, SentenceRef.parse(ref))


class ReviewPage(HandsFocusOn, CommandKeys, QWidget):
    """Agreement of annotators, and decisions on disagreements."""

    jobs = (AGREEMENT_JOB, ADJUDICATION_JOB, DECISION_JOB)

    # Topic, abstract and place (a number or a `SentenceRef`) to show on the Annotate page.
    sentenceChosen = Signal(str, object, object)

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._keys = services.keys.keys
        self.add_commands("review", PAGE.commands, self._keys)
        self.session = session
        self.tabs = QTabWidget(self)
        pages = self.tabs.findChild(QStackedWidget)  # reparented ones would all be restyled
        self.agreement = AgreementTab(session, services, pages)
        self.adjudication = AdjudicationTab(session, services, pages)
        self.tabs.setDocumentMode(True)
        for tab in (self.agreement, self.adjudication):
            tab.sentenceChosen.connect(self.sentenceChosen)
            self.tabs.addTab(tab, "")
        self.tabs.currentChanged.connect(self._on_tab_changed)
        stacked(self, self.tabs, grows=self.tabs)
        self.hand_focus_to(self.tabs)
        titled_tabs(self.tabs, mark("Agreement"), mark("Adjudicate"))

    def adjudicate(self) -> None:
        sentence = self.agreement.results.current()
        self.tabs.setCurrentWidget(self.adjudication)
        if sentence is not None:
            self.adjudication.open_case(sentence.topic, sentence.abstract, sentence.n)

    def deciding(self) -> AdjudicationTab:
        self.tabs.setCurrentWidget(self.adjudication)
        return self.adjudication

    def show_agreement(self) -> None:
        self.tabs.setCurrentWidget(self.agreement)

    def _on_tab_changed(self) -> None:
        is_deciding = self.tabs.currentWidget() is self.adjudication
        self.add_commands(SCOPE if is_deciding else "review", PAGE.commands, self._keys)
        self.tabs.currentWidget().setFocus()

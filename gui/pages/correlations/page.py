"""Page of correlations: options above, results, details below."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from awase.core.errors import Missing
from awase.core.reports.study_report import report_of_study, study_csv
from awase.core.reports.table_export import as_latex
from awase.core.statistics.study import Study
from awase.gui.kit.commands import CommandKeys
from awase.gui.kit.defects import problems_of
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.grid.copying import ExportButton, ask_and_write, copy_report
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.kit.jobs.waiting import JobStrip
from awase.gui.kit.look.fitting import FoldedLabel
from awase.gui.kit.look.flow import push_button, stacked
from awase.gui.kit.look.stylesheet import NEW_SIZES
from awase.gui.kit.notices import EmptyNote
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts import bind_problems, follow
from awase.gui.pages.correlations.commands import CORRELATIONS_COMMANDS
from awase.gui.pages.correlations.controls import StudyControls
from awase.gui.pages.correlations.results import StudyResults, facts_text
from awase.gui.session.metric_button import FailedMetrics, MetricsButton
from awase.gui.session.metric_drafts import correlated_metrics, with_metric_name
from awase.gui.session.pages import Cause
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.correlating import Correlated, correlate

CORRELATIONS_JOB = "correlations"
_LEAST_HEIGHT = 38  # of a page that has room for all it rests on, in heights of a line
_EXPORTS = {
    "csv": mark("Everything as CSV…"),
    "tex": mark("This table as LaTeX…"),
}


class CorrelationsPage(HandsFocusOn, CommandKeys, QWidget):
    """Shows a study, recomputed when the corpus or an option changes."""

    jobs = (CORRELATIONS_JOB,)

    causeChosen = Signal(object)  # the `Cause` of the point that was chosen

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.take_commands("correlations", CORRELATIONS_COMMANDS, services.keys.keys)
        self._session, self._services = session, services
        self._computed: Correlated | None = None
        self._has_failed = False
        self._is_stale = True
        metrics = MetricsButton(session, services, correlated_metrics(session))
        self.controls = StudyControls(metrics)
        self.results = StudyResults(services.themes)
        self.strip = JobStrip(mark("Stopped: what is shown is not of these choices."))
        self.failed = FailedMetrics(metrics, services.themes)
        self.commandChosen = self.failed.commandChosen
        self.facts, self.empty = FoldedLabel(), EmptyNote()
        copy = mark("Copy the table, for a spreadsheet or a word processor")
        self.copy = push_button(mark("Copy table"), self._on_copy_chosen, copy)
        self.remarks = QPushButton()
        self.export = ExportButton(_EXPORTS)
        self.body = QStackedWidget()
        self._lay_out()
        self._connect()
        self._bind_texts()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.compute()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold_facts()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES and hasattr(self, "facts"):
            self._fold_facts()

    def _fold_facts(self) -> None:
        self.facts.fold(self.height() < _LEAST_HEIGHT * self.fontMetrics().height())

    def compute(self) -> None:
        self._is_stale = False
        corpus, known = self._session.corpus(), self._computed
        self.controls.fill(self._session)
        options = self.controls.options()
        supplies = self._services.supplier(self._session.store)
        self.strip.watch(
            self._services.jobs.start(
                CORRELATIONS_JOB,
                lambda reporter: correlate(
                    corpus, options.plan(), reporter, supplies=supplies, known=known
                ),
                self._on_computed,
                self._on_failed,
            )
        )

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        declare(self.facts, self._why)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts.setProperty("look", "muted")
        self.body.addWidget(self.results)
        self.body.addWidget(self.empty)
        foot = QHBoxLayout()
        foot.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        foot.setSpacing(line_px // 2)
        foot.addWidget(self.facts, 1)
        for button in (self.remarks, self.copy, self.export):
            foot.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.remarks.hide()
        stacked(self, self.failed, self.controls, self.strip, self.body, foot, grows=self.body)
        self.hand_focus_to(self.results.table)

    def _connect(self) -> None:
        self._session.changed.connect(self._on_session_changed)
        self.controls.chosen.connect(self.compute)
        self.results.systemChosen.connect(self._on_system_chosen)
        self.strip.againChosen.connect(self.compute)
        self.remarks.clicked.connect(self._on_remarks_chosen)
        self.export.chosen.connect(self._ask_file)

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        if self.isVisible():
            self.compute()

    def _on_computed(self, computed: Correlated) -> None:
        self._computed, self._has_failed = computed, False
        self.controls.subset.show_far(computed.far_systems)
        self.failed.show_failed(computed.table.failed())
        self.results.show_study(computed.study)
        brings_back = self.empty.has_keyboard()
        self.body.setCurrentWidget(self.results)
        self._show_facts()
        if brings_back:
            self.setFocus()

    def _on_failed(self, error: BaseException) -> None:
        problems = problems_of(error)
        self._has_failed = True
        self.failed.show_failed(())
        bind_problems(self.empty.label, map(with_metric_name, problems))
        lacks_people = any(one.missing is Missing.HUMAN_SCORES for one in problems)
        steps = [] if lacks_people else self.failed.steps(problems)
        if self.controls.subset.is_part:
            steps.insert(0, (mark("All systems"), self.controls.subset.choose_all))
        self.empty.offer(*steps)
        self.body.setCurrentWidget(self.empty)
        self._show_facts()

    def print_notes(self) -> tuple[str, ...]:
        study = self._study()
        return () if study is None else report_of_study(study).notes

    def place(self) -> int:
        return self.results.place

    def return_to(self, place: int) -> None:
        self.results.choose(place)
        self.results.tabs.bring(self.results.plot)
        self.results.plot.picture.setFocus()

    def _on_system_chosen(self, system: str) -> None:
        length = self.controls.options().length
        self.causeChosen.emit(Cause(topic=None, system=system, length=length))

    def _why(self) -> Why | None:
        text = self.facts.text()
        return Why(name=tr("What the correlations rest on"), lines=(text,)) if text else None

    def _study(self) -> Study | None:
        return None if self._computed is None or self._has_failed else self._computed.study

    def _show_facts(self) -> None:
        study = self._study()
        for button in (self.copy, self.export):
            button.setVisible(study is not None)
        if study is None or self._computed is None:
            self.facts.clear()
            self.remarks.hide()
            return
        self.facts.setText(facts_text(study, self._computed.far_systems))
        self.remarks.setText(ntr("{n} remark…", "{n} remarks…", len(study.warnings)))
        self.remarks.setVisible(bool(study.warnings))

    def _on_remarks_chosen(self) -> None:
        study = self._study()
        if study is not None:
            title = mark("What to know about these correlations")
            ProblemsDialog.show_for(self, title, study.warnings, are_remarks=True)

    def _on_copy_chosen(self) -> None:
        study = self._study()
        if study is not None:
            copy_report(report_of_study(study))

    def text_of(self, ending: str) -> str:
        study = self._study()
        if study is None:
            return ""
        return study_csv(study) if ending == "csv" else as_latex(report_of_study(study))

    def _ask_file(self, ending: str) -> None:
        text = self.text_of(ending)
        place = Path(f"correlations.{ending}")
        ask_and_write(self, tr("Export correlations"), place, lambda: text)

    def _bind_texts(self) -> None:
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self.results.retranslate()
        self._show_facts()

"""Page of correlations: options above, results, details below."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QWidget

from awase.core.errors import Missing, Reporter
from awase.core.metrics.correlating import HumanSide, SystemKind, measures_of, system_kinds
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.reports.grid import csv_text
from awase.core.reports.study_report import report_of_study, study_rows
from awase.core.reports.table_export import as_latex
from awase.core.statistics.coefficients import Joining, Level
from awase.core.statistics.study import PairTest, Study, StudyRequest
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import fill
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, ChoiceField, Field, Row
from awase.gui.kit.grid.model import ExportButton, ask_and_write, copy_report
from awase.gui.kit.i18n import bind, bind_problems, follow, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedComboBox, FoldedLabel
from awase.gui.kit.look.flow import called, holding, push_button, spaced, stacked, styled
from awase.gui.kit.look.stylesheet import NEW_SIZES
from awase.gui.kit.notices import EmptyNote, JobStrip, Recomputes
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.problems import RemarksButton
from awase.gui.pages.correlations import PAGE
from awase.gui.pages.correlations.results import JOININGS, LEVELS, StudyResults, facts_text
from awase.gui.session.metric_drafts import correlated_metrics, with_metric_name
from awase.gui.session.pages import Cause
from awase.gui.session.scoring_choices import FailedMetrics, MetricsButton
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.correlating import Correlated, CorrelationPlan, correlate

N_RESAMPLES = 9999


_ALL, _OWN = "all", "own"
_SUBSETS = (
    (_ALL, mark("All systems")),
    (SystemKind.EXTRACTIVE.value, mark("Extractive systems")),
    (SystemKind.ABSTRACTIVE.value, mark("Abstractive systems")),
    (_OWN, mark("Custom")),
)


class SubsetChoice(QWidget):
    """Choice of systems, with a menu of all and of outliers."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box, self.systems = ElidedComboBox(), QPushButton()
        self.systems.setMenu(QMenu(self.systems))
        self._names: tuple[str, ...] = ()
        self._excluded: set[str] = set()
        self._kinds: dict[str, SystemKind] | None = None
        self._corpus: Corpus | None = None
        self._far: Mapping[str, float] = {}
        fill(called(self.box, mark("Which systems")), ChoiceField(messages=_SUBSETS))
        tip = mark(
            "Extractive: at least 9 of 10 sentences appear in the source (letters and digits)"
        )
        bind(self.box, "toolTip", tip)
        spaced(QHBoxLayout(self), self, self.box, self.systems, across=0, down=0, between=1 / 3)
        self.box.activated.connect(self._on_subset_chosen)
        follow(self, self._fill_menu)

    def fill(self, corpus: Corpus) -> None:
        """Offers the systems that people judged."""
        if corpus is not self._corpus:
            self._corpus, self._kinds = corpus, None
            self._names = tuple(dict.fromkeys(one.system for one in corpus.human_scores))
            self._excluded &= {*self._names}
        self._fill_menu()

    def show_far(self, far: Mapping[str, float]) -> None:
        """Marks outliers, in MADs; they are included by default."""
        self._far = far
        self._fill_menu()

    def kind(self) -> SystemKind | None:
        """Returns the selected kind; None = any."""
        subset = self.box.currentData()
        return None if subset in (_ALL, _OWN) else SystemKind(subset)

    def excluded(self) -> tuple[str, ...]:
        return tuple(sorted(self._excluded)) if self.box.currentData() == _OWN else ()

    @property
    def is_part(self) -> bool:
        return bool(self.box.currentData() != _ALL)

    def choose_all(self) -> None:
        self.box.setCurrentIndex(self.box.findData(_ALL))
        self._on_subset_chosen()

    def _is_in(self, name: str) -> bool:
        kind = self.kind()
        return name not in self.excluded() and (kind is None or self._kind_of(name) is kind)

    def _kind_of(self, name: str) -> SystemKind | None:
        if self._kinds is None:
            self._kinds = system_kinds(self._corpus) if self._corpus is not None else {}
        return self._kinds.get(name)

    def _fill_menu(self) -> None:
        menu = self.systems.menu()
        menu.clear()
        far = [name for name in self._names if name in self._far and self._is_in(name)]
        if far:
            suggestion = menu.addAction(
                ntr(
                    "Leave out {n} system far from the others",
                    "Leave out {n} systems far from the others",
                    len(far),
                )
            )
            suggestion.triggered.connect(lambda: self._choose_own({*self._outside(), *far}))
            menu.addSeparator()
        for name in self._names:
            distance = self._far.get(name)
            action = menu.addAction(
                name if distance is None
                else tr("{name} ({distance} MADs from the median)", name=name,
                        distance=f"{distance:.1f}")
            )  # fmt: skip
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(self._is_in(name))
            action.toggled.connect(lambda is_in, name=name: self._on_toggled(name, is_in))
        self.systems.setEnabled(bool(self._names))
        n_in = sum(map(self._is_in, self._names))
        self.systems.setText(tr("Systems: {n} of {all}", n=n_in, all=len(self._names)))

    def _on_subset_chosen(self) -> None:
        self._far = {}
        self.chosen.emit()

    def _on_toggled(self, name: str, is_in: bool) -> None:
        excluded = self._outside()
        (excluded.discard if is_in else excluded.add)(name)
        self._choose_own(excluded)

    def _outside(self) -> set[str]:
        return {one for one in self._names if not self._is_in(one)}

    def _choose_own(self, excluded: set[str]) -> None:
        self._excluded = excluded
        self.box.setCurrentIndex(self.box.findData(_OWN))
        self.chosen.emit()


_COMPONENTS = (("r", "R"), ("p", "P"), ("f", "F"))


class StudyControls(FormPanel):
    """Rows of choices."""

    chosen = Signal()  # something else is to be computed

    def __init__(self, metrics: MetricsButton) -> None:
        self.subset, self.metrics = SubsetChoice(), metrics
        super().__init__(_rows(metrics, self.subset))
        self.joining = self.box("joining")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        for name in ("measure", "level", "length", "component", "joining"):
            self.box(name).activated.connect(self.chosen)
        metrics.chosen.connect(self.chosen)
        self.subset.chosen.connect(self.chosen)

    def fill(self, session: CorpusSession) -> None:
        corpus, lengths = session.corpus(), session.lengths()
        for name, values in (("measure", measures_of(corpus)), ("length", lengths)):
            self.offer(name, ChoiceField([(value, value) for value in values]))
        self.show_part("length", len(lengths) > 1)
        measure = self.text("measure")
        judges = {one.annotator for one in corpus.human_scores if one.measure == measure}
        self.show_part("joining", len(judges) > 1)
        self.subset.fill(corpus)

    def side(self) -> HumanSide:
        return HumanSide(
            measure=self.text("measure") or None,
            joining=Joining.parse(self.text("joining")),
            length=self.text("length") if self.box("length").count() > 1 else None,
            component=self.text("component") or None,
            kind=self.subset.kind(),
        )

    def study(self) -> StudyRequest:
        return StudyRequest(
            level=Level(self.text("level")),
            n_resamples=N_RESAMPLES,
            test=PairTest.PERMUTATION,
            excluded=self.subset.excluded(),
        )


def _rows(metrics: QWidget, subset: QWidget) -> tuple[Row]:
    joining = mark("How the judgements of several annotators are combined")
    component = mark("Recall, precision or F")
    levels = ChoiceField(messages=[(level.value, title) for level, title in LEVELS.items()])
    joinings = ChoiceField(messages=[*JOININGS.items()])
    components = ChoiceField(_COMPONENTS, messages=((None, mark("R, P and F")),))
    above = (
        Field("measure", mark("Human scores"), ChoiceField()),
        Field("joining", joining, joinings, tip=joining, is_title_shown=False),
        Body("metrics", "", metrics, share=0),
    )
    below = (
        Field("level", mark("Level"), levels),
        Field("length", mark("Length"), ChoiceField()),
        Field("component", component, components, tip=component, is_title_shown=False),
        Body("subset", "", subset, share=0),
    )
    return (Row(*above, *below, wraps=True),)


CORRELATIONS_JOB = "correlations"
_LEAST_HEIGHT = 38  # of a page that has room for all it rests on, in heights of a line
_EXPORTS = {
    "csv": mark("Everything as CSV…"),
    "tex": mark("This table as LaTeX…"),
}


class CorrelationsPage(Recomputes, HandsFocusOn, CommandKeys, QWidget):
    """Shows a study, recomputed when the corpus or an option changes."""

    jobs = (CORRELATIONS_JOB,)

    causeChosen = Signal(object)  # the `Cause` of the point that was chosen

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.add_commands("correlations", PAGE.commands, services.keys.keys)
        self._session, self._services = session, services
        self._computed: Correlated | None = None
        self._has_failed = False
        metrics = MetricsButton(session, services, correlated_metrics(session))
        self.controls = StudyControls(metrics)
        self.results = StudyResults(services.themes)
        self.strip = JobStrip(mark("Stopped: what is shown does not match these choices."))
        self.failed = FailedMetrics(metrics, services.themes)
        self.commandChosen = self.failed.commandChosen
        self.facts, self.empty = styled(FoldedLabel(), "muted", wraps=True), EmptyNote()
        copy = mark("Copy the table, for a spreadsheet or a word processor")
        self.copy = push_button(mark("Copy table"), self._on_copy_chosen, copy)
        self.remarks = RemarksButton(mark("Notes on these correlations"))
        self.export = ExportButton(_EXPORTS)
        self._lay_out()
        self._connect()
        follow(self, self._show_facts)

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
        self.is_stale = False
        corpus, known = self._session.corpus(), self._computed
        self.controls.fill(self._session)
        metrics = self.controls.metrics.metrics
        side, study = self.controls.side(), self.controls.study()
        supplies = self._services.supplier(self._session.store)

        def work(reporter: Reporter) -> Correlated:
            plan = CorrelationPlan(requests=requests_of(metrics), side=side, study=study)
            return correlate(corpus, plan, reporter, supplies=supplies, known=known)

        jobs = self._services.jobs
        job = jobs.start(CORRELATIONS_JOB, work, self._on_computed, self._on_failed)
        self.strip.watch(job)

    def _lay_out(self) -> None:
        declare(self.facts, self._why)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body = holding(QStackedWidget(), self.results, self.empty)
        buttons = (self.remarks, self.copy, self.export)
        foot = spaced(QHBoxLayout(), self, self.facts, *buttons, grows=self.facts)
        for button in buttons:
            foot.setAlignment(button, Qt.AlignmentFlag.AlignTop)
        stacked(self, self.failed, self.controls, self.strip, self.body, foot, grows=self.body)
        self.hand_focus_to(self.results.table)

    def _connect(self) -> None:
        self.recompute_on(self._session.changed)
        self.controls.chosen.connect(self.compute)
        self.results.systemChosen.connect(self._on_system_chosen)
        self.strip.againChosen.connect(self.compute)

        self.export.chosen.connect(self._ask_file)

    def _on_computed(self, computed: Correlated) -> None:
        self._computed, self._has_failed = computed, False
        self.controls.subset.show_far(computed.far_systems)
        self.failed.show_failed(computed.table.failed())
        self.results.show_study(computed.study)
        brings_back = self.empty.steps.has_keyboard()
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
        self.empty.steps.offer(*steps)
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
        length = self.controls.side().length
        self.causeChosen.emit(Cause(topic=None, system=system, length=length))

    def _why(self) -> Why | None:
        text = self.facts.text()
        return Why(name=tr("What the correlations are based on"), lines=(text,)) if text else None

    def _study(self) -> Study | None:
        return None if self._computed is None or self._has_failed else self._computed.study

    def _show_facts(self) -> None:
        study = self._study()
        for button in (self.copy, self.export):
            button.setVisible(study is not None)
        self.remarks.show_remarks(study.warnings if study is not None else ())
        if study is None or self._computed is None:
            self.facts.clear()
        else:
            self.facts.setText(facts_text(study, self._computed.far_systems))

    def _on_copy_chosen(self) -> None:
        study = self._study()
        if study is not None:
            copy_report(report_of_study(study))

    def text_of(self, ending: str) -> str:
        study = self._study()
        if study is None:
            return ""
        if ending == "csv":
            return csv_text(study_rows(study))
        return as_latex(report_of_study(study))

    def _ask_file(self, ending: str) -> None:
        text = self.text_of(ending)
        place = Path(f"correlations.{ending}")
        ask_and_write(self, tr("Export correlations"), place, lambda: text)

"""Systems by metrics: the means over topics, one topic, one system or one metric."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QStackedWidget, QWidget

from awase.core.errors import Problem, Reporter
from awase.core.metrics.kit.outputs import is_decided
from awase.core.metrics.registry import requests_of
from awase.core.metrics.significance import PairedTest, ScoreArrays
from awase.core.records.score import ScoreTable, means_in
from awase.core.reports.grid import Grid
from awase.core.reports.score_report import Arrangement, View, ViewKind, arranged
from awase.core.reports.table_export import as_html, as_latex, as_tidy_csv, as_wide_csv
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import ask_text, fill, fill_names, open_once
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.model import ExportButton, ask_and_write
from awase.gui.kit.i18n import bind, bind_problems, follow, mark, tr
from awase.gui.kit.jobs.running import Work
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    holding,
    label_for,
    push_button,
    spaced,
    stacked,
    titled,
    together,
    written,
)
from awase.gui.kit.notices import Banner, EmptyNote, JobStrip, Recomputes
from awase.gui.pages.scores import PAGE
from awase.gui.pages.scores.kept import KEPT_JOB, KeptRuns
from awase.gui.pages.scores.plots import PlotPanel, TableAndPlot
from awase.gui.pages.scores.table import ScoresFooter, ScoresTable, column_title
from awase.gui.session.metric_drafts import by_gold, score_metrics, with_metric_name
from awase.gui.session.scoring_choices import (
    FailedMetrics,
    MetricsButton,
    SubsetDialog,
    subset_text,
)
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.topic_list import TopicButton
from awase.jobs.scoring import StatisticsPlan, score, selection_of, with_statistics
from awase.jobs.subset import Subset

# What can be written, with its entry in the menu and the file's ending.
EXPORTS = {
    "tidy": (mark("Every score as CSV…"), "csv"),
    "tidy-bom": (mark("Every score as CSV for Excel…"), "csv"),
    "wide": (mark("This table as CSV…"), "csv"),
    "wide-bom": (mark("This table as CSV for Excel…"), "csv"),
    "latex": (mark("This table as LaTeX…"), "tex"),
    "html": (mark("This table as HTML…"), "html"),
}


class ScoresControls(QWidget):
    """Lines of controls; the page reads and connects them."""

    viewChosen = Signal(object)  # the `View` that is chosen in the list of topics

    def __init__(self, session: CorpusSession, metrics: MetricsButton) -> None:
        super().__init__()
        self.metrics = metrics
        self.topic = TopicButton(
            session, first=lambda: [("", tr("Mean over topics"))], title=mark("Show")
        )
        self.baseline, self.test = ElidedComboBox(), called(ElidedComboBox(), mark("Test"))
        tests = (mark("Approximate randomisation"), mark("Paired bootstrap"))
        fill(self.test, ChoiceField(messages=[*zip(PairedTest, tests, strict=True)]))
        self.fill_baselines(())
        baseline = mark("Each system is tested against it on the topics that both have scores of.")
        bind(self.baseline, "toolTip", baseline)
        tip = mark("95 % bootstrap interval of each mean: topics are resampled 10,000 times.")
        self.intervals = written(QCheckBox(), mark("Intervals"), tip)
        tip = mark(
            "Show the scores as a picture below the table; "
            "where there is no room for both, in its place"
        )
        self.plot = written(QCheckBox(), mark("Plot"), tip)
        self.strip = JobStrip(again=mark("Compute"))
        tip = mark("Back to the table of systems (Esc)")
        self.back = push_button(mark("← Back"), lambda: self.viewChosen.emit(View()), tip)
        tip = mark("For spreadsheets and word processors, with signatures (Ctrl+C)")
        self.copy = push_button(mark("Copy table"), tip=tip)
        tip = mark("Keep these scores in the corpus, under a title")
        self.keep = push_button(mark("Keep…"), tip=tip)
        self.subset, self.kept = QPushButton(), push_button(mark("Kept scores…"))
        self.export = ExportButton({name: title for name, (title, _) in EXPORTS.items()})
        self._lay_out()
        self.back.hide()
        self.test.hide()
        self.topic.chosen.connect(self._on_topic_chosen)

    def _lay_out(self) -> None:
        shown = together(label_for(mark("Show"), self.topic), self.topic)
        chosen = (self.back, shown, self.metrics, self.subset)
        acts = (self.copy, self.export, self.keep, self.kept)
        compared = titled(mark("Compare with"), self.baseline)
        # In what is left of a line: one of its own would push the table down, to be painted.
        statistics = (self.intervals, self.plot, compared, self.test, self.strip)
        spaced(FlowLayout(self), self, *chosen, *acts, *statistics)

    def fill_baselines(self, systems: Iterable[str]) -> None:
        fill_names(self.baseline, systems, ("", mark("no baseline")))

    def show_view(self, view: View, title: str) -> None:
        """Shows the view; `title` of a single system or metric replaces the topics."""
        self.back.setVisible(view != View())
        if view.kind in (ViewKind.MEANS, ViewKind.TOPIC):
            self.topic.show_topic(view.subject)
        else:
            self.topic.show_topic("", title)

    def plan(self) -> StatisticsPlan:
        return StatisticsPlan(
            has_intervals=self.intervals.isChecked(),
            baseline=self.baseline.currentData() or "",
            test=self.test.currentData(),
        )

    def _on_topic_chosen(self, topic_id: str) -> None:
        is_topic = bool(topic_id)
        self.viewChosen.emit(View(kind=ViewKind.TOPIC, subject=topic_id) if is_topic else View())


def text_of(name: str, scores: ScoreArrays, report: Grid) -> str:
    kind, _, ending = name.partition("-")
    for_spreadsheet = ending == "bom"
    if kind == "tidy":
        return as_tidy_csv(scores, for_spreadsheet=for_spreadsheet)
    if kind == "wide":
        return as_wide_csv(report, for_spreadsheet=for_spreadsheet)
    return {"latex": as_latex, "html": as_html}[kind](report)


SCORES_JOB = "scores"
STATISTICS_JOB = "score-statistics"
_NOTHING = mark("No scores yet: import the extracts of a system, and link at least one sentence.")
_NOTHING_CHOSEN = mark("The topics and systems chosen have no scores: choose others above.")
_STOPPED = {
    SCORES_JOB: mark("Stopped: these scores are not those of the corpus as it is now."),
    STATISTICS_JOB: mark("Stopped: intervals and tests are missing."),
}


class ScoresPage(Recomputes, HandsFocusOn, CommandKeys, QWidget):
    """Scores of every system, recomputed when their inputs change."""

    PAUSE_MS = 200

    jobs = (SCORES_JOB, STATISTICS_JOB, KEPT_JOB)

    causeChosen = Signal(object)  # the `Cause` of the number that was chosen

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.add_commands("scores", PAGE.commands, services.keys.keys)
        self._session = session
        self._services = services
        self._table_now: ScoreTable | None = None
        self._state, self._under_way = "", SCORES_JOB
        self._scores: ScoreArrays | None = None
        self._earlier: ScoreTable | None = None
        self._view = View()
        self._left_at = -1, -1
        self.subset = Subset()
        chosen = MetricsButton(session, services, self.metrics())
        self.controls = ScoresControls(session, chosen)
        self.kept = KeptRuns(session, services, self)
        self.banner = Banner(services.themes, icon="scores")
        self.gold = Banner(services.themes, icon="review")
        self.failed = FailedMetrics(chosen, services.themes)
        self.commandChosen = self.failed.commandChosen
        self.table = called(ScoresTable(services.themes), mark("Scores"))
        self._empty = EmptyNote()
        self.strip = self.controls.strip
        self.plot = PlotPanel(services.themes)
        self.plot.hide()
        self._footer = ScoresFooter()
        self._both = TableAndPlot(self.table, self.plot, self._footer)
        self._lay_out()
        self._connect()
        follow(self, self._write_texts)

    def show_cause(self) -> bool:
        """Leads from the current number to its cause; returns whether there is one."""
        index = self.table.currentIndex()
        if not index.isValid():
            return False
        self.table.activated.emit(index)
        return True

    def place(self) -> View:
        return self._view

    def return_to(self, place: View) -> None:
        if place != self._view:
            self.show_view(place)

    def go_back(self) -> bool:
        """Shows the means of all topics; returns whether the view changed."""
        if not self.controls.back.isVisible():
            return False
        self.show_view(View())
        return True

    def metrics(self) -> tuple[str, ...]:
        """Returns the metrics chosen for this corpus, as `awase score` spells them."""
        return score_metrics(self._session, self._services.settings.settings)

    def print_notes(self) -> tuple[str, ...]:
        return self.table.report().notes

    def choose_metrics(self, metrics: tuple[str, ...]) -> None:
        """Sets the metrics of this corpus, spelled as for `awase score`."""
        self.controls.metrics.choose(metrics)

    def _on_metrics_chosen(self) -> None:
        file = self._services.settings
        chosen = self.controls.metrics.metrics
        file.change(file.settings.with_score_metrics(self._session.location, chosen))
        self._compute_chosen()

    def choose_subset(self, subset: Subset) -> None:
        self.subset = subset
        self._compute_chosen()

    def _compute_chosen(self) -> None:
        self._view = View()
        if self.kept.shown is not None:
            self.kept.forget()  # it is not of what was chosen
        self.compute()

    def show_view(self, view: View) -> None:
        """Shows a view; the means reselect the last cell."""
        index = self.table.currentIndex()
        if self._view == View() and index.isValid():
            self._left_at = self.table.grid.row_at(index), index.column()
        self._view = view
        self.table.grid.sort(-1)
        self._show_scores()
        if view == View():
            self.table.setCurrentIndex(self.table.grid.index(*self._left_at))
        self.table.setFocus()

    def ask_subset(self) -> SubsetDialog:
        titles = [(one, f"{one}  {title}".rstrip()) for one, title in self._session.titles()]
        dialog = SubsetDialog(titles, [*self._session.systems()], self.subset, self)
        dialog.chosen.connect(self.choose_subset)
        return open_once(dialog)

    def keep_scores(self, title: str) -> None:
        if self._table_now is None or self.is_stale or self.kept.shown is not None:
            return
        selection = selection_of(self.metrics(), self.subset)
        self.kept.keep(self._table_now, title, self._state, selection)

    def _show_plot(self, is_shown: bool) -> None:
        self.plot.setVisible(is_shown)
        self._both.share_out()

    # Building

    def _lay_out(self) -> None:
        self._body = holding(QStackedWidget(), self._both, self._empty)
        above = (self.banner, self.gold, self.failed, self.controls)
        stacked(self, *above, self._body, self._footer, grows=self._body)
        self.hand_focus_to(self._both)

    def _connect(self) -> None:
        controls = self.controls
        self.recompute_on(self._session.changed)
        controls.viewChosen.connect(self.show_view)
        controls.metrics.chosen.connect(self._on_metrics_chosen)
        controls.subset.clicked.connect(self.ask_subset)
        controls.intervals.toggled.connect(self._compute_statistics)
        controls.baseline.activated.connect(self._compute_statistics)
        controls.test.activated.connect(self._compute_statistics)
        controls.copy.clicked.connect(self.table.copy_all)
        controls.plot.toggled.connect(self._show_plot)
        controls.plot.toggled.connect(self._footer.make_small)
        controls.keep.clicked.connect(self._on_keep)
        controls.kept.clicked.connect(self.kept.open_dialog)
        controls.export.chosen.connect(self._on_export)
        self.strip.againChosen.connect(self._on_again_chosen)
        self.table.viewChosen.connect(self.show_view)
        self.table.causeChosen.connect(self.causeChosen)
        self.plot.causeChosen.connect(self.causeChosen)

        self.kept.changed.connect(self._on_stored_changed)
        self.banner.chosen.connect(self.kept.forget)
        self.gold.chosen.connect(lambda: self.choose_metrics(by_gold(self.metrics())))

    # What is shown

    def _show_scores(self) -> None:
        if self._scores is None:
            return
        arrangement = arranged(self._scores, self._view, self._earlier)
        if not arrangement.rows and self._view != View():
            # The drilled-down system or topic has no scores now.
            self._view = View()
            arrangement = arranged(self._scores, self._view, self._earlier)
        self.table.show_arrangement(arrangement)
        warnings = (*self._scores.table.warnings, *self._scores.warnings)
        self._footer.show_arrangement(arrangement, warnings)
        self.controls.show_view(self._view, self._view_title())
        self._offer_gold()
        self.failed.show_failed(self._scores.table.failed())
        self.plot.show_scores(self._scores, self._session.corpus())
        brings_back = self._empty.steps.has_keyboard()
        self._body.setCurrentWidget(self._both if arrangement.rows else self._empty)
        if brings_back and arrangement.rows:
            self.setFocus()
        self._explain_empty_table()
        for button in (self.controls.copy, self.controls.export):
            button.setEnabled(bool(arrangement.rows))
        self._show_whether_keepable()

    def _offer_gold(self) -> None:
        """Reports that scores exclude the gold, if any."""
        is_left_out = by_gold(self.metrics()) != self.metrics()
        if not is_left_out or self.kept.shown is not None or not is_decided(self._session.corpus()):
            self.gold.hide()
        elif self.gold.isHidden():
            self.gold.show_message(
                mark("These scores are by the first annotator; what was adjudicated is not used."),
                mark("Use the gold"),
            )

    def _explain_empty_table(self) -> None:
        is_part = self.subset != Subset()
        bind(self._empty.label, "text", _NOTHING_CHOSEN if is_part else _NOTHING)
        self._offer_steps()

    def _offer_steps(self, problems: Sequence[Problem] = ()) -> None:
        steps = self.failed.steps(problems)
        if self.subset != Subset():
            everything = mark("All topics and systems")
            steps.insert(0, (everything, lambda: self.choose_subset(Subset())))
        self._empty.steps.offer(*steps)

    def _view_title(self) -> str:
        """Returns the title of a system's or metric's scores; empty for others."""
        if self._view.kind is ViewKind.SYSTEM:
            return tr("{system}, topic by topic", system=self._view.subject)
        if self._scores is None or self._view.metric is None:
            return ""
        key = (self._view.length, self._view.metric)
        columns = arranged(self._scores, View()).columns
        metric = next(one for one in columns if (one.length, one.metric) == key)
        return tr("{metric}, topic by topic", metric=column_title(metric, " "))

    def _show_whether_keepable(self) -> None:
        can_keep = (
            not self._session.read_only
            and self._table_now is not None
            and bool(self._table_now.scores)
            and not self.is_stale
            and self.kept.shown is None
        )
        self.controls.keep.setEnabled(can_keep)

    def _write_texts(self) -> None:
        self._show_subset()
        self.table.scores.retranslate()
        self._footer.retranslate()
        self.table.fit()

    def _on_again_chosen(self) -> None:
        if self._under_way == STATISTICS_JOB:
            self._compute_statistics()
        else:
            self.compute()

    def _show_subset(self) -> None:
        part = subset_text(self.subset)
        title = tr("Topics and systems: {part}…", part=part) if part else tr("Topics and systems…")
        self.controls.subset.setText(title)

    # Computing

    def went_stale(self) -> None:
        self._show_whether_keepable()

    def compute(self) -> None:
        self.is_stale = False
        if self.kept.shown is None:
            self._services.jobs.drop(STATISTICS_JOB)  # of outdated scores
        else:
            self._earlier = None
        self.controls.topic.refresh()
        self._show_subset()
        corpus, metrics, subset = self._session.corpus(), self.metrics(), self.subset
        self.controls.metrics.show_metrics(metrics)
        store, plan = self._session.store, self.controls.plan()
        supplies = self._services.supplier(store)

        def work(reporter: Reporter) -> tuple[str, StatisticsPlan, ScoreArrays]:
            state = store.state()
            requests = requests_of(metrics)
            table = score(corpus, requests, reporter, subset=subset, supplies=supplies)
            return state, plan, with_statistics(table, plan.fitting(table), reporter)

        self._start(SCORES_JOB, work, self._on_computed, self._on_scoring_failed)

    def _compute_statistics(self) -> None:
        self.controls.test.setVisible(bool(self.controls.baseline.currentData()))
        jobs = self._services.jobs
        jobs.drop(STATISTICS_JOB)  # of other options, or of a stored run
        if self.kept.shown is None and jobs.running(SCORES_JOB):
            return  # new scores are pending, and `_on_computed` requests the rest
        if self._scores is not None:
            self._start_statistics(self._scores.table)

    def _start_statistics(self, table: ScoreTable) -> None:
        plan = self.controls.plan()
        self._start(
            STATISTICS_JOB,
            lambda reporter: with_statistics(table, plan.fitting(table), reporter),
            self._on_statistics,
            self._on_failed,
        )

    def _start(
        self,
        key: str,
        work: Work,
        then: Callable[..., None],
        failed: Callable[[BaseException], None],
    ) -> None:
        job = self._services.jobs.start(key, work, then, failed)
        if key == SCORES_JOB:  # without statistics the scores are still those of the corpus
            job.cancelled.connect(self._on_cancelled)
        self._under_way = key
        self.strip.watch(job, _STOPPED[key])

    def _on_cancelled(self) -> None:
        self.is_stale = True
        self._show_whether_keepable()

    def _on_computed(self, made: tuple[str, StatisticsPlan, ScoreArrays]) -> None:
        self._state, plan, scores = made
        self._table_now = scores.table
        if self.kept.shown is None:
            self._scores = scores
            self._offer_baselines(scores.table)
            self._show_scores()
            if plan != self.controls.plan():
                self._start_statistics(scores.table)

    def _offer_baselines(self, table: ScoreTable) -> None:
        scores = means_in(table.scores) or table.scores  # going through all holds the window up
        self.controls.fill_baselines(dict.fromkeys(score.system for score in scores))

    def _on_statistics(self, scores: ScoreArrays) -> None:
        self._scores = scores
        self._show_scores()

    def _on_scoring_failed(self, error: BaseException) -> None:
        self._table_now = None
        if self.kept.shown is None:
            self._scores = None  # nothing brings back the scores of an earlier choice
            self._on_failed(error)

    def _on_failed(self, error: BaseException) -> None:
        self.is_stale = True
        problems = problems_of(error)
        bind_problems(self._empty.label, map(with_metric_name, problems))
        self._offer_steps(problems)
        self._body.setCurrentWidget(self._empty)
        self._footer.show_arrangement(Arrangement(), ())
        self.failed.show_failed(())
        for button in (self.controls.copy, self.controls.export, self.controls.keep):
            button.setEnabled(False)

    # Keeping and writing

    def _on_keep(self) -> None:
        ask_text(self, tr("Keep scores"), tr("Title of the kept scores:"), self.keep_scores)

    def _on_stored_changed(self) -> None:
        """Shows the selected stored run, or the corpus's scores."""
        run = self.kept.shown
        self._view = View()
        self._earlier = self.kept.compared
        table = run.table if run is not None else self._table_now
        if run is None:
            self.banner.hide()
        if table is None:
            self.compute()
            return
        if self.kept.message:
            self.banner.show_message(self.kept.message, self.kept.action, **self.kept.fields)
        self._scores = ScoreArrays(table=table)
        self._offer_baselines(table)
        self._show_scores()
        self._compute_statistics()

    def _on_export(self, name: str) -> None:
        if self._scores is None:
            return
        place = Path(self._session.location).with_suffix(f".{EXPORTS[name][1]}")
        scores, report = self._scores, self.table.report()
        ask_and_write(self, tr("Export scores"), place, lambda: text_of(name, scores, report))

"""Systems by metrics: the means over topics, one topic, one system or one metric."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.signature import program_version
from awase.core.progress import Reporter
from awase.core.records.score import ScoreTable
from awase.core.records.score_run import Selection
from awase.core.records.topic import Topic
from awase.gui.i18n import hint_of, mark, tr, what_of
from awase.gui.jobs import Work
from awase.gui.notices import Banner
from awase.gui.problems import ProblemsDialog, problems_of
from awase.gui.scores.arrangement import Arrangement, View, ViewKind, arranged
from awase.gui.scores.computing import (
    DEFAULT_METRICS,
    Scores,
    StatisticsPlan,
    Subset,
    compute_table,
    with_statistics,
)
from awase.gui.scores.controls import EXPORTS, ScoresControls
from awase.gui.scores.delegate import ScoreDelegate
from awase.gui.scores.footer import ScoresFooter
from awase.gui.scores.kept import KeptRuns
from awase.gui.scores.metrics_dialog import MetricsDialog
from awase.gui.scores.model import ScoreRole, ScoresModel
from awase.gui.scores.reporting import copy_report, order_of, report_of
from awase.gui.scores.subset_dialog import SubsetDialog, subset_text
from awase.gui.scores.supplying import Supplier, VectorCache
from awase.gui.scores.wording import column_title
from awase.gui.scores.writing import ask_and_write
from awase.gui.services import Services
from awase.gui.session import CorpusSession
from awase.gui.theme import Theme

SCORES_JOB = "scores"
STATISTICS_JOB = "score-statistics"
_QUIET_MS = 200


class ScoresPage(QWidget):
    """Shows the scores of every system, computed anew when something they rest on changed."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._services = services
        self._vector_cache = VectorCache(services.data / "vectors")
        self._table_now: ScoreTable | None = None
        self._state = ""
        self._scores: Scores | None = None
        self._earlier: ScoreTable | None = None
        self._view = View()
        self._subset = Subset()
        self._is_stale = True
        self._model = ScoresModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._model)
        self._sorted.setSortRole(ScoreRole.SORT)
        self.controls = ScoresControls()
        self.kept = KeptRuns(session, services, self)
        self.banner = Banner(services.themes)
        self._table = self._built_table()
        self._empty = QLabel()
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("look", "muted")
        self._progress, self._note = QProgressBar(), QLabel()
        self._progress.setTextVisible(False)
        self._note.setProperty("look", "warning")
        self._cancel, self._again = QPushButton(), QPushButton()
        self._footer = ScoresFooter()
        self._body = QStackedWidget()
        self._lay_out()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._connect()
        self._fill_topics()
        self._on_theme_changed(services.themes.theme)
        self._retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.compute()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit_columns)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.controls.back.isVisible():
            self.show_view(View())
            return
        super().keyPressEvent(event)

    @property
    def arrangement(self) -> Arrangement:
        """What is shown."""
        return self._model.arrangement

    def metrics(self) -> tuple[str, ...]:
        """Returns the metrics chosen for this corpus, as `awase score` spells them."""
        known = self._services.settings.settings.score_metrics
        return known.get(self._session.location, DEFAULT_METRICS)

    def choose_metrics(self, metrics: tuple[str, ...], vectors: str | None = None) -> None:
        """Shows these metrics, now and whenever this corpus is open.

        Args:
            metrics: As `awase score` spells them.
            vectors: Where word vectors are from now on; None = where they were.
        """
        file = self._services.settings
        settings = file.settings.with_score_metrics(self._session.location, metrics)
        file.change(settings if vectors is None else replace(settings, vectors=vectors))
        self._view = View()
        self.compute()

    def choose_subset(self, subset: Subset) -> None:
        """Scores these topics and systems only."""
        self._subset = subset
        self._view = View()
        self.compute()

    def show_view(self, view: View) -> None:
        """Shows another part of the scores."""
        self._view = view
        self._sorted.sort(-1)
        self._show_scores()
        self._table.setFocus()

    def copy_table(self) -> None:
        """Puts the table on the clipboard, as shown."""
        copy_report(report_of(self.arrangement, order_of(self._sorted)))

    def ask_metrics(self) -> MetricsDialog:
        """Opens the dialog that chooses the columns."""
        dialog = MetricsDialog(
            self._session.corpus(),
            self.metrics(),
            parsers=self.kept.parsers(),
            vectors=self._services.settings.settings.vectors,
            parent=self,
        )
        dialog.chosen.connect(self.choose_metrics)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def ask_subset(self) -> SubsetDialog:
        """Opens the dialog that chooses topics and systems."""
        topics = self._session.topics()
        systems = dict.fromkeys(output.system for topic in topics for output in topic.outputs)
        titles = [(topic.id, _title(topic)) for topic in topics]
        dialog = SubsetDialog(titles, [*systems], self._subset, self)
        dialog.chosen.connect(self.choose_subset)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def keep_scores(self, title: str) -> None:
        """Keeps what is computed now under a title."""
        if self._table_now is None or self._is_stale or self.kept.shown is not None:
            return
        selection = Selection(
            metrics=self.metrics(),
            topics=self._subset.topics,
            systems=self._subset.systems,
            program=program_version(),
        )
        self.kept.keep(self._table_now, title, self._state, selection)

    # Building

    def _built_table(self) -> QTableView:
        table = _ScoreTableView(self)
        table.setModel(self._sorted)
        table.setItemDelegate(ScoreDelegate(self._services.themes, table))
        table.setSortingEnabled(True)
        table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        table.setAlternatingRowColors(True)
        table.setShowGrid(False)
        table.setProperty("look", "flat")
        table.horizontalHeader().setHighlightSections(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        # Asking every row for its height takes long where there are thousands.
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.9))
        return table

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        progress = QHBoxLayout()
        progress.setContentsMargins(line_px, 0, line_px, 0)
        for widget in (self._progress, self._cancel, self._note, self._again):
            progress.addWidget(widget, 1 if widget in (self._progress, self._note) else 0)
            widget.hide()
        self._body.addWidget(self._table)
        self._body.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addWidget(self.controls)
        layout.addLayout(progress)
        layout.addWidget(self._body, 1)
        layout.addWidget(self._footer)

    def _connect(self) -> None:
        controls = self.controls
        self._session.changed.connect(self._on_session_changed)
        self._quiet.timeout.connect(self.compute)
        controls.topic.activated.connect(self._on_topic_chosen)
        controls.back.clicked.connect(lambda: self.show_view(View()))
        controls.metrics.clicked.connect(self.ask_metrics)
        controls.subset.clicked.connect(self.ask_subset)
        controls.intervals.toggled.connect(self._compute_statistics)
        controls.baseline.activated.connect(self._compute_statistics)
        controls.test.activated.connect(self._compute_statistics)
        controls.copy.clicked.connect(self.copy_table)
        controls.keep.clicked.connect(self._on_keep)
        controls.kept.clicked.connect(self.kept.open_dialog)
        for name, action in controls.actions_by_export.items():
            action.triggered.connect(lambda _=False, name=name: self._on_export(name))
        self._cancel.clicked.connect(self._on_cancel)
        self._again.clicked.connect(self.compute)
        self._table.clicked.connect(self._on_clicked)
        self._table.activated.connect(self._on_activated)
        self._footer.warningsChosen.connect(self._on_warnings_chosen)
        self._services.themes.changed.connect(self._on_theme_changed)
        self.kept.changed.connect(self._on_kept_changed)
        self.banner.chosen.connect(self.kept.forget)

    # What is shown

    def _fill_topics(self) -> None:
        box = self.controls.topic
        box.blockSignals(True)
        box.clear()
        box.addItem("", "")
        for topic in self._session.topics():
            box.addItem(_title(topic), topic.id)
        box.blockSignals(False)

    def _fill_baselines(self, table: ScoreTable) -> None:
        box = self.controls.baseline
        chosen = box.currentData() or ""
        box.blockSignals(True)
        box.clear()
        box.addItem(tr("no baseline"), "")
        for system in dict.fromkeys(score.system for score in table.scores):
            box.addItem(system, system)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.blockSignals(False)

    def _show_scores(self) -> None:
        if self._scores is None:
            return
        arrangement = arranged(self._scores, self._view, self._earlier)
        if not arrangement.rows and self._view != View():  # what it was about is gone
            self._view = View()
            arrangement = arranged(self._scores, self._view, self._earlier)
        self._model.show(arrangement)
        warnings = (*self._scores.table.warnings, *self._scores.warnings)
        self._footer.show_arrangement(arrangement, warnings)
        self._show_where()
        self._fit_columns()
        self._body.setCurrentWidget(self._table if arrangement.rows else self._empty)
        self._empty.setText(_nothing_text())
        for button in (self.controls.copy, self.controls.export):
            button.setEnabled(bool(arrangement.rows))
        self._show_whether_keepable()

    def _show_where(self) -> None:
        view, controls = self._view, self.controls
        is_drilled = view.kind in (ViewKind.SYSTEM, ViewKind.METRIC)
        controls.back.setVisible(view != View())
        box = controls.topic
        last = box.count() - 1
        if last >= 0 and box.itemData(last) == view:
            pass
        elif last >= 0 and isinstance(box.itemData(last), View):
            box.removeItem(last)
        if is_drilled:
            if not isinstance(box.itemData(box.count() - 1), View):
                box.addItem(self._view_title(), view)
            box.setCurrentIndex(box.count() - 1)
        else:
            box.setCurrentIndex(max(0, box.findData(view.subject)))

    def _view_title(self) -> str:
        if self._view.kind is ViewKind.SYSTEM:
            return tr("{system}, topic by topic", system=self._view.subject)
        columns = self._scores_columns()
        return tr("{metric}, topic by topic", metric=columns)

    def _scores_columns(self) -> str:
        if self._scores is None or self._view.metric is None:
            return ""
        means = arranged(self._scores, View())
        return next(
            column_title(column, " ")
            for column in means.columns
            if (column.length, column.metric) == (self._view.length, self._view.metric)
        )

    def _show_whether_keepable(self) -> None:
        can_keep = (
            not self._session.read_only
            and self._table_now is not None
            and bool(self._table_now.scores)
            and not self._is_stale
            and self.kept.shown is None
        )
        self.controls.keep.setEnabled(can_keep)

    def _fit_columns(self) -> None:
        """Fills the width; scrolls only where the columns need more."""
        header, line_px = self._table.horizontalHeader(), self.fontMetrics().height()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        widths = [self._width_for(section) for section in range(header.count())]
        least = [max(width, line_px * (8 if not at else 4)) for at, width in enumerate(widths)]
        spare = max(0, self._table.viewport().width() - sum(least)) // max(1, len(least))
        for section, width in enumerate(least):
            header.resizeSection(section, width + min(spare, line_px * 4))

    def _width_for(self, section: int) -> int:
        """Returns what a column needs; asking for the size of every cell takes too long."""
        title = self._table.horizontalHeader().sectionSizeHint(section)
        cells = [self._sorted.index(row, section) for row in range(self._sorted.rowCount())]
        if not section:
            return max([title, *(self._table.sizeHintForIndex(cell).width() for cell in cells)])
        widest = max(cells, key=lambda cell: len(str(cell.data())), default=None)
        return max(title, 0 if widest is None else self._table.sizeHintForIndex(widest).width())

    def _on_theme_changed(self, theme: Theme) -> None:
        self.controls.show_theme(theme)
        self._fit_columns()

    def _retranslate(self) -> None:
        self.controls.retranslate()
        part = subset_text(self._subset)
        if part:
            self.controls.subset.setText(tr("Topics and systems: {part}…", part=part))
        self._cancel.setText(tr("Cancel"))
        self._again.setText(tr("Compute"))
        self._note.setText(tr("Stopped: these scores are not those of the corpus as it is now."))
        self._table.setAccessibleName(tr("Scores"))
        self._empty.setText(_nothing_text())
        self._model.retranslate()
        self._footer.retranslate()
        self._fit_columns()

    # Drilling down

    def _on_topic_chosen(self) -> None:
        data = self.controls.topic.currentData()
        if isinstance(data, View):
            self.show_view(data)
        elif data:
            self.show_view(View(kind=ViewKind.TOPIC, subject=data))
        else:
            self.show_view(View())

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == 0:
            self._on_activated(index)

    def _on_activated(self, index: QModelIndex) -> None:
        at = self._sorted.mapToSource(index)
        shown = self.arrangement
        name = shown.rows[at.row()]
        column = shown.columns[at.column() - 1] if at.column() else None
        if shown.has_systems_in_rows:
            if column is None or column.metric is None:
                self.show_view(View(kind=ViewKind.SYSTEM, subject=name))
            else:
                self.show_view(
                    View(kind=ViewKind.METRIC, length=column.length, metric=column.metric)
                )
        else:
            self.show_view(View(kind=ViewKind.TOPIC, subject=name))

    # Computing

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        self._show_whether_keepable()
        if self.isVisible():
            self._quiet.start()

    def compute(self) -> None:
        """Computes the scores of the corpus as it is now."""
        self._is_stale = False
        self._earlier = self._earlier if self.kept.shown is None else None
        self._fill_topics()
        self._retranslate()
        corpus, metrics, subset = self._session.corpus(), self.metrics(), self._subset
        store, plan = self._session.store, self._plan()
        self._note.hide()
        self._again.hide()

        supplies = Supplier(store, self._services.settings.settings.vectors, self._vector_cache)

        def work(reporter: Reporter) -> tuple[str, Scores]:
            state = store.state()
            table = compute_table(corpus, metrics, subset, reporter, supplies)
            return state, with_statistics(table, plan, reporter)

        self._start(SCORES_JOB, work, self._on_computed)

    def _compute_statistics(self) -> None:
        self.controls.test.setVisible(bool(self.controls.baseline.currentData()))
        table = self._scores.table if self._scores is not None else None
        if table is None:
            return
        plan = self._plan()
        self._start(
            STATISTICS_JOB,
            lambda reporter: with_statistics(table, plan, reporter),
            self._on_statistics,
        )

    def _plan(self) -> StatisticsPlan:
        return StatisticsPlan(
            has_intervals=self.controls.intervals.isChecked(),
            baseline=self.controls.baseline.currentData() or "",
            test=self.controls.test.currentData(),
        )

    def _start(self, key: str, work: Work, then: Callable[..., None]) -> None:
        job = self._services.jobs.start(key, work)
        job.progressed.connect(self._on_progressed)
        job.finished.connect(then)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        job.ended.connect(self._on_ended)
        self._job = job

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._progress.show()
        self._cancel.show()

    def _on_cancel(self) -> None:
        self._job.cancel()

    def _on_cancelled(self) -> None:
        self._is_stale = True
        self._note.show()
        self._again.show()
        self._show_whether_keepable()

    def _on_ended(self) -> None:
        self._progress.hide()
        self._cancel.hide()

    def _on_computed(self, made: tuple[str, Scores]) -> None:
        self._state, scores = made
        self._table_now = scores.table
        if self.kept.shown is None:
            self._scores = scores
            self._fill_baselines(scores.table)
            self._show_scores()

    def _on_statistics(self, scores: Scores) -> None:
        self._scores = scores
        self._show_scores()

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale = True
        problems = problems_of(error)
        if problems is None:
            self._services.defects.report(error)
            return
        texts = (f"{what_of(problem)} {hint_of(problem)}" for problem in problems)
        self._empty.setText("\n".join(texts))
        self._body.setCurrentWidget(self._empty)
        self._footer.hide()

    def _on_warnings_chosen(self) -> None:
        if self._scores is not None:
            ProblemsDialog.show_for(
                self,
                mark("What to know about these scores"),
                (*self._scores.table.warnings, *self._scores.warnings),
            )

    # Keeping and writing

    def _on_keep(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(tr("Keep scores"))
        dialog.setLabelText(tr("Title of the kept scores:"))
        dialog.textValueSelected.connect(self.keep_scores)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _on_kept_changed(self) -> None:
        """Shows the kept run that was chosen, or the corpus's scores again."""
        run = self.kept.shown
        self._view = View()
        self._earlier = self.kept.compared
        if run is None:
            self.banner.hide()
            if self._table_now is None:
                self.compute()
                return
            table = self._table_now
        else:
            table = run.table
        if self.kept.message:
            self.banner.show_message(self.kept.message, self.kept.action, **self.kept.fields)
        self._scores = Scores(table=table)
        self._fill_baselines(table)
        self._show_scores()
        self._compute_statistics()

    def _on_export(self, name: str) -> None:
        if self._scores is None:
            return
        report = report_of(self.arrangement, order_of(self._sorted))
        place = Path(self._session.location).with_suffix(f".{EXPORTS[name][1]}")
        ask_and_write(self, name, self._scores, report, place)


class _ScoreTableView(QTableView):
    """A table whose Ctrl+C takes all of it, and whose Enter goes into a cell on every system."""

    def __init__(self, page: ScoresPage) -> None:
        super().__init__(page)
        self._page = page

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._page.copy_table()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


def _nothing_text() -> str:
    return tr("No scores yet: import the extracts of a system, and link at least one sentence.")


def _title(topic: Topic) -> str:
    return f"{topic.id}  {topic.title}" if topic.title else topic.id

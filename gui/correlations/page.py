"""Metrics against human scores: the papers' table, a plot, and the significant differences."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.correlating import measures_of
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.supplies import Supplies
from awase.core.plots.picture import Picture
from awase.core.plots.scatter import Point, scatter
from awase.core.records.corpus import Corpus
from awase.core.statistics.coefficients import PAPERS, Coefficient
from awase.core.statistics.correlation import Level
from awase.gui.correlations.computing import (
    Computed,
    StudyOptions,
    compute_study,
    default_metrics,
)
from awase.gui.correlations.models import DifferencesModel, StudyModel
from awase.gui.i18n import hint_of, mark, ntr, tr, what_of
from awase.gui.plots.picture_view import PictureView
from awase.gui.problems import ProblemsDialog, problems_of
from awase.gui.services import Services
from awase.gui.session import CorpusSession

CORRELATIONS_JOB = "correlations"
_LEVELS = (
    (Level.SYSTEM, mark("Means of systems")),
    (Level.TOPIC, mark("Each topic, averaged")),
    (Level.GLOBAL, mark("All scores at once")),
)
_COMPONENTS = ((None, mark("R, P and F")), ("r", "R"), ("p", "P"), ("f", "F"))


class CorrelationsPage(QWidget):
    """Shows a study, computed anew when the corpus or a choice changed."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self._computed: Computed | None = None
        self._is_stale = True
        self._excluded: set[str] = set()
        self._labels = {name: QLabel() for name in ("measure", "metrics", "level", "length")}
        self._measure, self._level, self._length = QComboBox(), QComboBox(), QComboBox()
        self._component, self._coefficient = QComboBox(), QComboBox()
        self._metrics = QLineEdit(default_metrics(session.corpus()))
        self._systems = QToolButton()
        self._systems.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._systems.setMenu(QMenu(self._systems))
        self._model, self._differences = StudyModel(self), DifferencesModel(self)
        self._table, self._matrix = _table(self._model), _table(self._differences)
        self._matrix.verticalHeader().show()
        self._matrix_title, self._facts, self._empty = QLabel(), QLabel(), QLabel()
        self._plot = PictureView(services.themes)
        self._progress, self._stop = QProgressBar(), QPushButton()
        self._warnings = QPushButton()
        self._body = QStackedWidget()
        self._lay_out()
        self._fill_fixed_choices()
        self._connect()
        self._retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.compute()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._retranslate()

    # Building

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        controls, second = QHBoxLayout(), QHBoxLayout()
        controls.setContentsMargins(line_px, line_px // 2, line_px, 0)
        second.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        for row in (controls, second):
            row.setSpacing(line_px // 2)
        for name, box in (("measure", self._measure), ("metrics", self._metrics)):
            self._labels[name].setBuddy(box)
            controls.addWidget(self._labels[name])
            controls.addWidget(box, 1 if name == "metrics" else 0)
        for name, box in (("level", self._level), ("length", self._length)):
            self._labels[name].setBuddy(box)
            second.addWidget(self._labels[name])
            second.addWidget(box)
        second.addWidget(self._component)
        second.addWidget(self._systems)
        second.addStretch(1)
        left = QWidget()
        tables = QVBoxLayout(left)
        tables.setContentsMargins(0, 0, 0, 0)
        tables.setSpacing(0)
        heading = QHBoxLayout()
        heading.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        heading.setSpacing(line_px // 2)
        heading.addWidget(self._matrix_title)
        heading.addWidget(self._coefficient)
        heading.addStretch(1)
        tables.addWidget(self._table, 1)
        tables.addLayout(heading)
        tables.addWidget(self._matrix, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(self._plot)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("look", "muted")
        self._body.addWidget(splitter)
        self._body.addWidget(self._empty)
        self._facts.setWordWrap(True)
        self._facts.setProperty("look", "muted")
        self._progress.setTextVisible(False)
        waiting = QHBoxLayout()
        waiting.addWidget(self._progress, 1)
        waiting.addWidget(self._stop)
        foot = QHBoxLayout()
        foot.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        foot.addWidget(self._facts, 1)
        foot.addWidget(self._warnings)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(controls)
        layout.addLayout(second)
        layout.addLayout(waiting)
        layout.addWidget(self._body, 1)
        layout.addLayout(foot)
        for widget in (self._progress, self._stop, self._warnings):
            widget.hide()

    def _fill_fixed_choices(self) -> None:
        for level, _ in _LEVELS:
            self._level.addItem("", level.value)
        for component, title in _COMPONENTS:
            self._component.addItem(title, component)
        for coefficient in PAPERS:
            self._coefficient.addItem(coefficient.value, coefficient.value)

    def _connect(self) -> None:
        self._session.changed.connect(self._on_session_changed)
        for box in (self._measure, self._level, self._length, self._component):
            box.activated.connect(self.compute)
        self._metrics.editingFinished.connect(self._on_metrics_edited)
        self._coefficient.currentIndexChanged.connect(self._show_differences)
        self._table.selectionModel().currentRowChanged.connect(self._show_plot)
        self._stop.clicked.connect(self._on_stop)
        self._warnings.clicked.connect(self._on_warnings_chosen)

    # Choices

    def _fill_choices(self) -> None:
        corpus = self._session.corpus()
        lengths = [
            *dict.fromkeys(
                abstract.length
                for topic in corpus.topics
                for abstract in topic.abstracts
                if abstract.length is not None
            )
        ]
        for box, names in ((self._measure, measures_of(corpus)), (self._length, lengths)):
            chosen = box.currentData()
            box.clear()
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(max(0, box.findData(chosen)))
        self._length.setVisible(len(lengths) > 1)
        self._labels["length"].setVisible(len(lengths) > 1)
        self._fill_systems(tuple(dict.fromkeys(s.system for s in corpus.human_scores)))

    def _fill_systems(self, systems: tuple[str, ...]) -> None:
        menu = self._systems.menu()
        menu.clear()
        self._excluded &= {*systems}
        for name in systems:
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(name not in self._excluded)
            action.toggled.connect(lambda is_in, name=name: self._on_system_toggled(name, is_in))
        self._systems.setEnabled(bool(systems))
        self._show_subset(len(systems))

    def _show_subset(self, n_systems: int) -> None:
        n = n_systems - len(self._excluded)
        self._systems.setText(tr("Systems: {n} of {all}", n=n, all=n_systems))

    def _on_system_toggled(self, name: str, is_in: bool) -> None:
        (self._excluded.discard if is_in else self._excluded.add)(name)
        self.compute()

    def _on_metrics_edited(self) -> None:
        if self._computed is None or self._metrics.text() != self._computed.metrics:
            self.compute()

    def _options(self) -> StudyOptions:
        return StudyOptions(
            metrics=self._metrics.text(),
            measure=self._measure.currentData(),
            length=self._length.currentData() if self._length.count() > 1 else None,
            component=self._component.currentData(),
            level=Level(self._level.currentData()),
            excluded=tuple(sorted(self._excluded)),
        )

    # Computing

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        if self.isVisible():
            self.compute()

    def compute(self) -> None:
        """Computes the study anew."""
        self._is_stale = False
        self._fill_choices()
        corpus, options, known = self._session.corpus(), self._options(), self._computed
        store = self._session.store

        def supplies(corpus: Corpus, requests: Sequence[MetricRequest]) -> Supplies:
            from awase.storage.supplies import supplies_of

            return supplies_of(store, corpus, requests)

        job = self._services.jobs.start(
            CORRELATIONS_JOB,
            lambda reporter: compute_study(corpus, options, known, reporter, supplies),
        )
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_computed)
        job.failed.connect(self._on_failed)
        job.finished.connect(self._hide_progress)
        job.failed.connect(self._hide_progress)

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._progress.show()
        self._stop.show()

    def _hide_progress(self, _outcome: object = None) -> None:
        self._progress.hide()
        self._stop.hide()

    def _on_stop(self) -> None:
        self._services.jobs.drop(CORRELATIONS_JOB)
        self._is_stale = True
        self._hide_progress()

    def _on_computed(self, computed: Computed) -> None:
        self._computed = computed
        self._model.show(computed.study)
        self._body.setCurrentIndex(0)
        self._table.selectRow(0)
        self._show_differences()
        self._show_facts()

    def _on_failed(self, error: BaseException) -> None:
        problems = problems_of(error)
        if problems is None:
            self._services.defects.report(error)
            return
        self._empty.setText("\n".join(f"{what_of(one)} {hint_of(one)}" for one in problems))
        self._body.setCurrentWidget(self._empty)
        self._facts.clear()
        self._warnings.hide()

    # What is shown

    def _show_differences(self) -> None:
        study = self._computed.study if self._computed is not None else None
        self._differences.show(study, Coefficient(self._coefficient.currentData()))
        self._matrix.resizeColumnsToContents()

    def _show_plot(self) -> None:
        row = self._table.currentIndex().row()
        if self._computed is None or not 0 <= row < len(self._computed.study.results):
            return
        result = self._computed.study.results[row]
        points = [Point(label=p.system, x=p.metric, y=p.human) for p in result.points]
        metric, human = result.metric, self._computed.study.human

        def made(width: float, height: float) -> Picture:
            title = tr("{metric} against {human}", metric=metric, human=human)
            return scatter(
                points, title=title, x_title=metric, y_title=human, width=width, height=height
            )

        self._plot.show_picture(made)

    def _show_facts(self) -> None:
        if self._computed is None:
            return
        study = self._computed.study
        request = study.request
        left_out = ", ".join(request.excluded) or tr("none")
        self._facts.setText(
            tr(
                "{human}; left out: {names}; intervals and test resample systems and topics, "
                "N = {n}, seed {seed}; * p ≤ .05 after Holm's correction",
                human=study.human_signature, names=left_out, n=request.n_resamples,
                seed=request.seed,
            )
        )  # fmt: skip
        self._warnings.setText(ntr("{n} remark…", "{n} remarks…", len(study.warnings)))
        self._warnings.setVisible(bool(study.warnings))

    def _on_warnings_chosen(self) -> None:
        if self._computed is not None:
            ProblemsDialog.show_for(
                self, mark("What to know about these correlations"), self._computed.study.warnings
            )

    def _retranslate(self) -> None:
        for name, text in (
            ("measure", tr("Human scores")),
            ("metrics", tr("Metrics")),
            ("level", tr("Level")),
            ("length", tr("Length")),
        ):
            self._labels[name].setText(text)
        for at, (_, title) in enumerate(_LEVELS):
            self._level.setItemText(at, tr(title))
        self._component.setItemText(0, tr("R, P and F"))
        self._component.setAccessibleName(tr("Recall, precision or F"))
        self._component.setToolTip(tr("Recall, precision or F"))
        self._metrics.setAccessibleName(tr("Metrics"))
        self._metrics.setToolTip(tr("Names as in awase metrics, separated by blanks"))
        self._matrix_title.setText(tr("Row less column"))
        self._coefficient.setAccessibleName(tr("Coefficient"))
        self._table.setAccessibleName(tr("Correlations"))
        self._matrix.setAccessibleName(tr("Differences between metrics"))
        self._stop.setText(tr("Stop"))
        self._show_subset(len(self._systems.menu().actions()))
        self._model.retranslate()
        self._show_facts()


def _table(model: StudyModel | DifferencesModel) -> QTableView:
    table = QTableView()
    table.setModel(model)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setProperty("look", "flat")
    table.setWordWrap(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.verticalHeader().hide()
    return table

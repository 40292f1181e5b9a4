"""Systems by metrics: the means over topics, or one topic."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.supplies import Supplies
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.gui.i18n import hint_of, mark, tr, what_of
from awase.gui.icons import icon
from awase.gui.problems import ProblemsDialog, problems_of
from awase.gui.scores.arrangement import arranged
from awase.gui.scores.computing import (
    FIRST_ANNOTATOR,
    ScoreOptions,
    Scores,
    annotators_of,
    compute_scores,
)
from awase.gui.scores.delegate import ScoreDelegate
from awase.gui.scores.footer import ScoresFooter
from awase.gui.scores.model import ScoreRole, ScoresModel, as_tsv
from awase.gui.services import Services
from awase.gui.session import CorpusSession
from awase.gui.theme import Theme

SCORES_JOB = "scores"
_QUIET_MS = 200
_TOPIC_CHARACTERS = 28


class ScoresPage(QWidget):
    """Shows the scores of every system, computed anew when something they rest on changed."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._services = services
        self._scores: Scores | None = None
        self._is_stale = True
        self._model = ScoresModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._model)
        self._sorted.setSortRole(ScoreRole.SORT)
        self._topic, self._annotator = QComboBox(), QComboBox()
        self._topic_label, self._annotator_label = QLabel(), QLabel()
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self._topic.setSizeAdjustPolicy(policy)
        self._topic.setMinimumContentsLength(_TOPIC_CHARACTERS)
        self._topic_label.setBuddy(self._topic)
        self._annotator_label.setBuddy(self._annotator)
        self._whole, self._strict = QCheckBox(), QCheckBox()
        self._copy = QPushButton()
        self._table = self._built_table()
        self._empty = QLabel()
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("look", "muted")
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._footer = ScoresFooter()
        self._body = QStackedWidget()
        self._lay_out()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._connect()
        self._fill_choices()
        self._on_theme_changed(services.themes.theme)
        self._retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._compute()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit_columns)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._retranslate()

    def copy_table(self) -> None:
        """Puts the table on the clipboard, as shown."""
        QGuiApplication.clipboard().setText(as_tsv(self._sorted, self._model.arrangement))

    def _built_table(self) -> QTableView:
        table = _CopyableTable(self)
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
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        return table

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        controls = QHBoxLayout()
        controls.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        controls.setSpacing(line_px // 2)
        for widget in (self._topic_label, self._topic, self._annotator_label, self._annotator):
            controls.addWidget(widget)
        controls.addSpacing(line_px)
        controls.addWidget(self._whole)
        controls.addWidget(self._strict)
        controls.addStretch(1)
        controls.addWidget(self._copy)
        self._body.addWidget(self._table)
        self._body.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(controls)
        layout.addWidget(self._progress)
        layout.addWidget(self._body, 1)
        layout.addWidget(self._footer)
        self._progress.hide()

    def _connect(self) -> None:
        self._session.changed.connect(self._on_session_changed)
        self._quiet.timeout.connect(self._compute)
        self._topic.currentIndexChanged.connect(self._show_scores)
        self._annotator.activated.connect(self._compute)
        self._whole.toggled.connect(self._compute)
        self._strict.toggled.connect(self._compute)
        self._copy.clicked.connect(self.copy_table)
        self._footer.warningsChosen.connect(self._on_warnings_chosen)
        self._services.themes.changed.connect(self._on_theme_changed)

    # What is shown

    def _fill_choices(self) -> None:
        corpus = self._session.corpus()
        for box, first, others in (
            (self._topic, None, [(_title(topic), topic.id) for topic in corpus.topics]),
            (self._annotator, FIRST_ANNOTATOR, [(name, name) for name in annotators_of(corpus)]),
        ):
            chosen = box.currentData()
            box.blockSignals(True)
            box.clear()
            box.addItem("", first)
            for text, data in others:
                box.addItem(text, data)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.blockSignals(False)
        has_choice = self._annotator.count() > 2
        self._annotator.setVisible(has_choice)
        self._annotator_label.setVisible(has_choice)

    def _show_scores(self) -> None:
        if self._scores is None:
            return
        arrangement = arranged(self._scores, self._topic.currentData())
        self._model.show(arrangement)
        self._footer.show_arrangement(arrangement, self._scores.table.warnings)
        self._fit_columns()
        self._body.setCurrentWidget(self._table if arrangement.systems else self._empty)
        self._copy.setEnabled(bool(arrangement.systems))

    def _fit_columns(self) -> None:
        """Fills the width; scrolls only where the columns need more."""
        header, line_px = self._table.horizontalHeader(), self.fontMetrics().height()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._table.resizeColumnsToContents()
        widths = [header.sectionSize(section) for section in range(header.count())]
        least = [max(width, line_px * (8 if not at else 4)) for at, width in enumerate(widths)]
        spare = max(0, self._table.viewport().width() - sum(least)) // max(1, len(least))
        for section, width in enumerate(least):
            header.resizeSection(section, width + min(spare, line_px * 4))

    def _on_theme_changed(self, theme: Theme) -> None:
        self._copy.setIcon(icon("copy", theme))
        self._fit_columns()

    def _retranslate(self) -> None:
        self._topic_label.setText(tr("Topic"))
        self._annotator_label.setText(tr("Annotator"))
        self._topic.setItemText(0, tr("Mean over topics"))
        self._annotator.setItemText(0, tr("First of each abstract"))
        self._whole.setText(tr("Whole extract"))
        self._whole.setToolTip(tr("Score all of an extract, not only its first h sentences."))
        self._strict.setText(tr("Strict"))
        self._strict.setToolTip(tr("A partly extracted alternative earns nothing."))
        self._copy.setText(tr("Copy table"))
        self._copy.setToolTip(tr("Tab-separated, with the signatures (Ctrl+C)"))
        self._table.setAccessibleName(tr("Scores"))
        self._topic.setAccessibleName(tr("Topic"))
        self._annotator.setAccessibleName(tr("Annotator"))
        self._empty.setText(
            tr("No scores yet: import the extracts of a system, and link at least one sentence.")
        )
        self._model.retranslate()
        self._footer.retranslate()
        self._fit_columns()

    # Computing

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        if self.isVisible():
            self._quiet.start()

    def _options(self) -> ScoreOptions:
        return ScoreOptions(
            is_whole_extract=self._whole.isChecked(),
            is_strict=self._strict.isChecked(),
            annotator=self._annotator.currentData() or FIRST_ANNOTATOR,
        )

    def _compute(self) -> None:
        self._is_stale = False
        self._fill_choices()
        self._retranslate()
        corpus, options, store = self._session.corpus(), self._options(), self._session.store

        def supplies(corpus: Corpus, requests: Sequence[MetricRequest]) -> Supplies:
            from awase.storage.supplies import supplies_of

            return supplies_of(store, corpus, requests)

        job = self._services.jobs.start(
            SCORES_JOB, lambda reporter: compute_scores(corpus, options, reporter, supplies)
        )
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_computed)
        job.failed.connect(self._on_failed)
        job.ended.connect(self._progress.hide)

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._progress.show()

    def _on_computed(self, scores: Scores) -> None:
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

    def _on_warnings_chosen(self) -> None:
        if self._scores is not None:
            ProblemsDialog.show_for(
                self, mark("What to know about these scores"), self._scores.table.warnings
            )


class _CopyableTable(QTableView):
    """A table whose Ctrl+C takes all of it."""

    def __init__(self, page: ScoresPage) -> None:
        super().__init__(page)
        self._page = page

    def keyPressEvent(self, event: object) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):  # type: ignore[attr-defined]
            self._page.copy_table()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]


def _title(topic: Topic) -> str:
    return f"{topic.id}  {topic.title}" if topic.title else topic.id

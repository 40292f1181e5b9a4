"""Shows how subtree similarity matches two sentences: their trees, and a list of subtrees."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import InputError
from awase.core.metrics.registry import requests_of
from awase.core.metrics.subtree.comparison import Comparison, Match
from awase.core.metrics.subtree.explaining import ReadCase, read_cases
from awase.core.metrics.subtree.picture import PictureTexts, comparison_picture
from awase.core.metrics.subtree.reading import ReadSentence
from awase.core.metrics.subtree.requests import METRIC
from awase.core.plots.picture import Box, Picture
from awase.core.progress import Reporter
from awase.gui.dialogs.trees.tables import match_table, score_text
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.shade_delegate import ShadeDelegate
from awase.gui.kit.jobs.job_dialog import JobDialog
from awase.gui.kit.picture_view import PictureView
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.vectors_row import ModelRow
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

_WORK = "trees"
_SHORTEST_BOX = 12


class TreesDialog(JobDialog):
    """Asks for a topic and a model; then for two sentences, whose trees stand below."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(services.jobs, _FAILED, parent)
        self._session, self._services = session, services
        self._cases: tuple[ReadCase, ...] = ()
        self._comparison: Comparison | None = None
        self._matches: Sequence[Match] = ()
        self._offered: list[ReadSentence] = []
        self.metric_box, self.topic_box = QComboBox(), QComboBox()
        self.output_box, self.sentence_box = QComboBox(), QComboBox()
        self.reference_box, self.side_box = QComboBox(), QComboBox()
        self.metric_box.setEditable(True)
        self.metric_box.addItems(self._metrics())
        for topic in session.topics():
            self.topic_box.addItem(f"{topic.id}  {topic.title or ''}".strip(), topic.id)
        self.side_box.addItems(["", ""])
        self.model = ModelRow(services.settings.settings.model)
        self.picture, self.grid = PictureView(services.themes), GridView()
        self.grid.setItemDelegate(ShadeDelegate(services.themes, self.grid))
        self._scroll, self._both = QScrollArea(), QSplitter(Qt.Orientation.Horizontal)
        self._intro, self.summary = QLabel(), QLabel()
        self._labels = {box: QLabel() for box in self._titles()}
        self._show = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._lay_out()
        self._connect()
        self._retranslate()

    def choose(self, *, topic: str = "", model: str | None = None, metric: str = "") -> None:
        """Sets what is given."""
        if metric:
            self.metric_box.setEditText(metric)
        if topic:
            self.topic_box.setCurrentIndex(self.topic_box.findData(topic))
        if model is not None:
            self.model.field.setText(model)

    def look(self) -> None:
        """Reads the outputs of the chosen topic; what was shown goes."""
        topic = self._session.topic(self.topic_box.currentData() or "")
        if topic is None or self._job is not None:
            return
        location = self.model.location()
        settings = self._services.settings
        settings.change(replace(settings.settings, model=location))
        metric, store = self.metric_box.currentText().strip(), self._session.store
        corpus = replace(self._session.corpus(), topics=(topic,), human_scores=())
        supplier = self._services.supplier(store, model=location)

        def read(reporter: Reporter) -> tuple[ReadCase, ...]:
            (request, *others) = requests_of([metric])
            if request.name != METRIC or others:
                raise InputError.of(
                    "Only {metric} compares trees.", "Write {metric} and options.", metric=METRIC
                )
            supplies = supplier(corpus, [request], reporter)
            return tuple(read_cases(corpus, request, reporter, supplies))

        self._cases = ()
        self._fill_outputs()
        self._start(_WORK, read, self._on_read)

    def choose_match(self, row: int) -> None:
        """Lets the subtrees of a row of the list stand out."""
        self.grid.choose(row, 0)

    # Layout

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        self._intro.setProperty("look", "muted")
        for label in (self._intro, self.summary):
            label.setWordWrap(True)
        form = QGridLayout()
        form.setHorizontalSpacing(line_px // 2)
        for box, label in self._labels.items():
            # A sentence may be longer than the window is wide.
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(_SHORTEST_BOX)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            label.setBuddy(box)
        for row, (first, second) in enumerate(
            ((self.metric_box, self.topic_box), (self.output_box, self.side_box))
        ):
            for column, box in ((0, first), (2, second)):
                form.addWidget(self._labels[box], row, column)
                form.addWidget(box, row, column + 1)
        for row, box in enumerate((self.sentence_box, self.reference_box), start=2):
            form.addWidget(self._labels[box], row, 0)
            form.addWidget(box, row, 1, 1, 3)
        self._scroll.setWidget(self.picture)
        self._scroll.setWidgetResizable(True)
        self._both.addWidget(self._scroll)
        self._both.addWidget(self.grid)
        self._both.setChildrenCollapsible(False)
        self._both.setSizes([line_px * 26, line_px * 36])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._intro)
        layout.addWidget(self.model)
        layout.addLayout(form)
        layout.addWidget(self.summary)
        layout.addWidget(self._both, 1)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self._show.setDefault(True)
        self.resize(line_px * 62, line_px * 46)

    def _connect(self) -> None:
        self._show.clicked.connect(self.look)
        self.output_box.activated.connect(self._fill_sentences)
        self.sentence_box.activated.connect(self._fill_references)
        self.reference_box.activated.connect(self._compare)
        self.side_box.activated.connect(self._show_matches)
        self.grid.selectionModel().currentChanged.connect(self._on_row_changed)

    def _titles(self) -> dict[QComboBox, str]:
        return {
            self.metric_box: tr("Metric"),
            self.topic_box: tr("Topic"),
            self.output_box: tr("Output"),
            self.sentence_box: tr("Its sentence"),
            self.reference_box: tr("Reference sentence"),
            self.side_box: tr("List"),
        }

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first, as they are most likely asked about."""
        known = self._services.settings.settings.score_metrics.get(self._session.location, ())
        of_page = [text for text in known if text.partition(":")[0] == METRIC]
        return [*dict.fromkeys((*of_page, METRIC))]

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Trees side by side"))
        self._intro.setText(
            tr(
                "Subtree similarity compares texts by parts of their dependency trees. Here are "
                "the trees of two sentences; click a row to see which words it is about."
            )
        )
        for box, title in self._titles().items():
            self._labels[box].setText(title)
            box.setAccessibleName(title)
        self.side_box.setItemText(0, tr("Subtrees of the output"))
        self.side_box.setItemText(1, tr("Subtrees of the reference"))
        self.model.retranslate()
        self.grid.setAccessibleName(tr("Matched subtrees"))
        self._fill_outputs()
        self._show_state()

    def _show_state(self) -> None:
        super()._show_state()
        is_idle = self._job is None
        has_cases = bool(self._cases)
        for box in (self.output_box, self.sentence_box, self.reference_box, self.side_box):
            box.setEnabled(has_cases)
        self._show.setEnabled(is_idle and self.topic_box.count() > 0)
        self._show.setText(tr("Show"))

    # What is compared

    def _fill_outputs(self) -> None:
        chosen = max(0, self.output_box.currentIndex())
        self.output_box.clear()
        for idx, case in enumerate(self._cases):
            name = f"{case.system} · {case.length}" if case.length else case.system
            self.output_box.addItem(name, idx)
        self.output_box.setCurrentIndex(min(chosen, self.output_box.count() - 1))
        self._fill_sentences()

    def _fill_sentences(self) -> None:
        self.sentence_box.clear()
        case = self._case()
        for number, one in enumerate(case.text if case is not None else (), start=1):
            self.sentence_box.addItem(f"{number}  {one.sentence.text}")
        self._fill_references()

    def _fill_references(self) -> None:
        """Offers every sentence of the references; the most similar one is taken first."""
        self.reference_box.clear()
        self._offered = []
        case, system = self._case(), self._system_sentence()
        best, best_f = 0, -1.0
        for number, reference in enumerate(case.references if case is not None else (), start=1):
            for n, one in enumerate(reference, start=1):
                self.reference_box.addItem(f"{number}:{n}  {one.sentence.text}")
                self._offered.append(one)
                if case is None or system is None:
                    continue
                score = case.compared((system,), (one,)).score
                if score is not None and score.f > best_f:
                    best, best_f = len(self._offered) - 1, score.f
        self.reference_box.setCurrentIndex(min(best, self.reference_box.count() - 1))
        self._compare()

    def _case(self) -> ReadCase | None:
        idx = self.output_box.currentData()
        return self._cases[idx] if isinstance(idx, int) and idx < len(self._cases) else None

    def _system_sentence(self) -> ReadSentence | None:
        case, idx = self._case(), self.sentence_box.currentIndex()
        return case.text[idx] if case is not None and 0 <= idx < len(case.text) else None

    def _reference_sentence(self) -> ReadSentence | None:
        idx = self.reference_box.currentIndex()
        return self._offered[idx] if 0 <= idx < len(self._offered) else None

    def _compare(self) -> None:
        case = self._case()
        system, reference = self._system_sentence(), self._reference_sentence()
        self._comparison = None
        if case is not None and system is not None and reference is not None:
            self._comparison = case.compared((system,), (reference,))
        score = self._comparison.score if self._comparison is not None else None
        self.summary.setText(score_text(score))
        self._show_matches()

    def _show_matches(self) -> None:
        of_reference = self.side_box.currentIndex() == 1
        columns, rows, matches = match_table(self._comparison, of_reference=of_reference)
        self._matches = matches
        self.grid.show_grid(columns, rows)
        self._draw(None)

    def _draw(self, match: Match | None) -> None:
        comparison = self._comparison
        if comparison is None:
            self.picture.show_picture(None)
            return
        texts = PictureTexts(
            title=tr("Trees side by side"), system=tr("Output"), reference=tr("Reference")
        )

        def made(width: float, _height: float) -> Picture:
            return comparison_picture(comparison, match, texts, width)

        self.picture.show_picture(made, is_scrolled=True)

    # What came

    def _on_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        row = self.grid.row_of(index)
        if 0 <= row < len(self._matches):
            self._draw(self._matches[row])
            picture = self.picture.picture()
            boxes = [s for s in picture.shapes if isinstance(s, Box)] if picture else []
            for box in reversed(boxes):  # the first one is made visible last
                place = self.picture.place_of(box).toRect()
                self._scroll.ensureVisible(place.x(), place.center().y())

    def _on_read(self, cases: tuple[ReadCase, ...]) -> None:
        self._cases = cases
        self._fill_outputs()
        if not cases:
            self.summary.setText(tr("There is nothing to compare in this topic."))


_FAILED = mark("The trees cannot be compared.")

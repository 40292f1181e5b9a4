"""What is correlated with what: measure, metrics, level, component, how people are joined."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from awase.core.metrics.tables.correlating import measures_of
from awase.core.records.corpus import Corpus
from awase.core.statistics.correlation.judgements import MAJORITY, MEAN, Joining, Z
from awase.core.statistics.correlation.levels import Level
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.correlations.options import StudyOptions, default_metrics
from awase.gui.pages.correlations.subset import SubsetChoice
from awase.gui.pages.correlations.wording import LEVELS

_COMPONENTS = ((None, mark("R, P and F")), ("r", "R"), ("p", "P"), ("f", "F"))
_JOININGS = (
    (MEAN, mark("Mean of annotators")),
    (Z, mark("Mean of their z-scores")),
    (MAJORITY, mark("What more than half say")),
    (f"{MAJORITY}:2", mark("What 2 of them say")),
    (f"{MAJORITY}:3", mark("What 3 of them say")),
)


class StudyControls(QWidget):
    """Two rows of choices."""

    chosen = Signal()
    """Something else is to be computed."""

    def __init__(self, corpus: Corpus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.measure, self.level, self.length = QComboBox(), QComboBox(), QComboBox()
        self.component, self.joining = QComboBox(), QComboBox()
        self.metrics = QLineEdit(default_metrics(corpus))
        self.subset = SubsetChoice()
        self._labels = {name: QLabel() for name in ("measure", "metrics", "level", "length")}
        self._metrics_shown = self.metrics.text()
        self._lay_out()
        for level in LEVELS:
            self.level.addItem("", level.value)
        for component, title in _COMPONENTS:
            self.component.addItem(title, component)
        for joining, _ in _JOININGS:
            self.joining.addItem("", joining)
        for box in (self.measure, self.level, self.length, self.component, self.joining):
            box.activated.connect(self.chosen)
        self.metrics.editingFinished.connect(self._on_metrics_edited)
        self.subset.chosen.connect(self.chosen)
        self.retranslate()

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        above, below = QHBoxLayout(), QHBoxLayout()
        for row in (above, below):
            row.setSpacing(line_px // 2)
        for name, box in (("measure", self.measure), ("metrics", self.metrics)):
            self._labels[name].setBuddy(box)
            above.addWidget(self._labels[name])
            above.addWidget(box, 1 if name == "metrics" else 0)
        above.insertWidget(2, self.joining)
        for name, box in (("level", self.level), ("length", self.length)):
            self._labels[name].setBuddy(box)
            below.addWidget(self._labels[name])
            below.addWidget(box)
        below.addWidget(self.component)
        below.addWidget(self.subset)
        below.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        layout.setSpacing(line_px // 2)
        layout.addLayout(above)
        layout.addLayout(below)

    def fill(self, corpus: Corpus) -> None:
        """Offers what the corpus has; what was chosen stays while it is there."""
        lengths = dict.fromkeys(
            abstract.length
            for topic in corpus.topics
            for abstract in topic.abstracts
            if abstract.length is not None
        )
        for box, names in ((self.measure, measures_of(corpus)), (self.length, tuple(lengths))):
            chosen = box.currentData()
            box.clear()
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(max(0, box.findData(chosen)))
        for widget in (self.length, self._labels["length"]):
            widget.setVisible(len(lengths) > 1)
        self.joining.setVisible(_has_several_annotators(corpus, self.measure.currentData()))
        self.subset.fill(corpus)

    def options(self) -> StudyOptions:
        """Returns what is chosen."""
        self._metrics_shown = self.metrics.text()
        return StudyOptions(
            metrics=self.metrics.text(),
            measure=self.measure.currentData(),
            joining=Joining.parse(self.joining.currentData()),
            length=self.length.currentData() if self.length.count() > 1 else None,
            component=self.component.currentData(),
            level=Level(self.level.currentData()),
            kind=self.subset.kind(),
            excluded=self.subset.excluded(),
        )

    def _on_metrics_edited(self) -> None:
        if self.metrics.text() != self._metrics_shown:
            self.chosen.emit()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        for name, text in (
            ("measure", tr("Human scores")),
            ("metrics", tr("Metrics")),
            ("level", tr("Level")),
            ("length", tr("Length")),
        ):
            self._labels[name].setText(text)
        for at, (_, title) in enumerate(LEVELS.items()):
            self.level.setItemText(at, tr(title))
        for at, (_, title) in enumerate(_JOININGS):
            self.joining.setItemText(at, tr(title))
        self.component.setItemText(0, tr("R, P and F"))
        for box, text in (
            (self.component, tr("Recall, precision or F")),
            (self.joining, tr("How several annotators' judgements become one score")),
        ):
            box.setAccessibleName(text)
            box.setToolTip(text)
        self.metrics.setAccessibleName(tr("Metrics"))
        self.metrics.setToolTip(tr("Names as in awase metrics, separated by blanks"))
        self.subset.retranslate()


def _has_several_annotators(corpus: Corpus, measure: str | None) -> bool:
    return len({s.annotator for s in corpus.human_scores if s.measure == measure}) > 1

"""What is correlated with what: measure, metrics, level, component, how people are joined."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.metrics.tables.correlating import measures_of
from awase.core.records.corpus import Corpus
from awase.core.statistics.correlation.score_matrix import Joining, Level
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, Choice, Field, Row
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.correlations.options import StudyOptions
from awase.gui.pages.correlations.subset import SubsetChoice
from awase.gui.pages.correlations.wording import JOININGS, LEVELS
from awase.gui.session.metrics.button import MetricsButton
from awase.gui.session.session import CorpusSession

_COMPONENTS = (("r", "R"), ("p", "P"), ("f", "F"))


class StudyControls(FormPanel):
    """Rows of choices."""

    chosen = Signal()
    """Something else is to be computed."""

    def __init__(self, metrics: MetricsButton, parent: QWidget | None = None) -> None:
        self.subset, self.metrics = SubsetChoice(), metrics
        super().__init__(_rows(metrics, self.subset), parent)
        self.component, self.joining = self.box("component"), self.box("joining")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        for name in ("measure", "level", "length", "component", "joining"):
            self.box(name).activated.connect(self.chosen)
        metrics.chosen.connect(self.chosen)
        self.subset.chosen.connect(self.chosen)
        follow(self, self.subset.retranslate)

    def fill(self, session: CorpusSession) -> None:
        """Offers what the corpus has; what was chosen stays while it is there."""
        corpus, lengths = session.corpus(), session.lengths()
        for name, values in (("measure", measures_of(corpus)), ("length", lengths)):
            self.offer(name, Choice([(value, value) for value in values]))
        self.show_part("length", len(lengths) > 1)
        self.show_part("joining", _has_several_annotators(corpus, self.text("measure")))
        self.subset.fill(corpus)

    def options(self) -> StudyOptions:
        """Returns what is chosen."""
        return StudyOptions(
            metrics=self.metrics.metrics,
            measure=self.text("measure") or None,
            joining=Joining.parse(self.text("joining")),
            length=self.text("length") if self.box("length").count() > 1 else None,
            component=self.text("component") or None,
            level=Level(self.text("level")),
            kind=self.subset.kind(),
            excluded=self.subset.excluded(),
        )


def _rows(metrics: QWidget, subset: QWidget) -> tuple[Row]:
    joining = mark("How several annotators' judgements become one score")
    component = mark("Recall, precision or F")
    levels = Choice(messages=[(level.value, title) for level, title in LEVELS.items()])
    joinings = Choice(messages=[*JOININGS.items()])
    components = Choice(_COMPONENTS, messages=((None, mark("R, P and F")),))
    above = (
        Field("measure", mark("Human scores"), Choice()),
        Field("joining", joining, joinings, tip=joining, is_title_shown=False),
        Body("metrics", "", metrics, share=0),
    )
    below = (
        Field("level", mark("Level"), levels),
        Field("length", mark("Length"), Choice()),
        Field("component", component, components, tip=component, is_title_shown=False),
        Body("subset", "", subset, share=0),
    )
    return (Row((*above, *below), wraps=True),)


def _has_several_annotators(corpus: Corpus, measure: str | None) -> bool:
    return len({s.annotator for s in corpus.human_scores if s.measure == measure}) > 1

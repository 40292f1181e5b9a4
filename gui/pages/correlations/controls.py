"""Controls of a correlation study: measure, metrics, level, component, annotators."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from awase.core.metrics.correlating import HumanSide, SystemKind, measures_of, system_kinds
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.statistics.score_matrix import Joining, Level
from awase.core.statistics.study import PairTest, StudyRequest
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, ChoiceField, Field, Row
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.texts import follow
from awase.gui.pages.correlations.results import JOININGS, LEVELS
from awase.gui.session.metric_button import MetricsButton
from awase.gui.session.session import CorpusSession
from awase.jobs.correlating import CorrelationPlan

N_RESAMPLES = 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """The selected options."""

    metrics: tuple[str, ...]
    measure: str | None = None
    joining: Joining = field(default_factory=Joining)
    length: str | None = None  # length class; None = the corpus's only one
    component: str | None = None  # `r`, `p`, `f`, or None for all
    level: Level = Level.SYSTEM
    kind: SystemKind | None = None  # only systems of this kind; None = all
    excluded: tuple[str, ...] = ()

    def plan(self) -> CorrelationPlan:
        return CorrelationPlan(
            requests=requests_of(self.metrics),
            side=HumanSide(
                measure=self.measure,
                joining=self.joining,
                length=self.length,
                component=self.component,
                kind=self.kind,
            ),
            study=StudyRequest(
                level=self.level,
                n_resamples=N_RESAMPLES,
                test=PairTest.PERMUTATION,
                excluded=self.excluded,
            ),
        )


_ALL, _OWN = "all", "own"
_SUBSETS = (
    (_ALL, mark("All systems")),
    (SystemKind.EXTRACTIVE.value, mark("Extractive systems")),
    (SystemKind.ABSTRACTIVE.value, mark("Abstractive systems")),
    (_OWN, mark("My own choice")),
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
        for subset, _ in _SUBSETS:
            self.box.addItem("", subset)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        layout.addWidget(self.systems)
        self.box.activated.connect(self._on_subset_chosen)
        self.retranslate()

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

    def retranslate(self) -> None:
        for at, (_, title) in enumerate(_SUBSETS):
            self.box.setItemText(at, tr(title))
        self.box.setAccessibleName(tr("Which systems"))
        self.box.setToolTip(
            tr("Extractive: at least 9 of 10 sentences stand in the source (letters and digits)")
        )
        self._fill_menu()

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
            suggestion.triggered.connect(lambda: self._leave_out(far))
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
        excluded = {one for one in self._names if not self._is_in(one)}
        (excluded.discard if is_in else excluded.add)(name)
        self._choose_own(excluded)

    def _leave_out(self, names: list[str]) -> None:
        self._choose_own({one for one in self._names if not self._is_in(one)} | {*names})

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
        self.component, self.joining = self.box("component"), self.box("joining")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        for name in ("measure", "level", "length", "component", "joining"):
            self.box(name).activated.connect(self.chosen)
        metrics.chosen.connect(self.chosen)
        self.subset.chosen.connect(self.chosen)
        follow(self, self.subset.retranslate)

    def fill(self, session: CorpusSession) -> None:
        corpus, lengths = session.corpus(), session.lengths()
        for name, values in (("measure", measures_of(corpus)), ("length", lengths)):
            self.offer(name, ChoiceField([(value, value) for value in values]))
        self.show_part("length", len(lengths) > 1)
        self.show_part("joining", _has_several_annotators(corpus, self.text("measure")))
        self.subset.fill(corpus)

    def options(self) -> StudyOptions:
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
    return (Row((*above, *below), wraps=True),)


def _has_several_annotators(corpus: Corpus, measure: str | None) -> bool:
    return len({s.annotator for s in corpus.human_scores if s.measure == measure}) > 1

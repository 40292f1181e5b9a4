"""Effects of an abstract's decisions: h and one system's coverage, by column and for the gold."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.agreement.comparison import DecisionEffects, SideEffects, decision_effects
from awase.core.records.output import Extract
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.defects import problems_of
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import joined_sentences, labelled, listed, mark, ntr, problem_text, tr
from awase.gui.pages.review.adjudication.case_report import columns_of
from awase.gui.session.services import Services

DECISION_JOB = "decision"


class DecisionStrip(QWidget):
    """Effects of the case's decisions, recomputed with every action."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._heads: list[tuple[str | None, str]] = []
        self.effects: DecisionEffects | None = None
        self.told, self.system = QLabel(), ElidedComboBox()
        self.told.setWordWrap(True)
        self.told.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        line_px = self.fontMetrics().height()
        row.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        row.setSpacing(line_px)
        row.addWidget(self.told, 1)
        row.addWidget(self.system)
        self.system.currentIndexChanged.connect(self._write)
        bind(self.system, "accessibleName", mark("System whose coverage is shown"))
        bind(self.system, "toolTip", mark("System whose coverage is shown"))
        declare(self.told, self._why)
        follow(self, self._write)

    def show_case(
        self, case: AdjudicationCase | None, topic: Topic | None, *, shows_names: bool
    ) -> None:
        """Computes the effects of the case's decisions; None clears."""
        abstract = topic.abstract(case.abstract) if case and topic else None
        if case is None or topic is None or abstract is None:
            self.effects = None
            self.system.hide()
            self._write()
            return
        columns = columns_of(case)
        titles = [f"⇧{at + 1} {who}" if shows_names else f"⇧{at + 1}"
                  for at, who in enumerate(columns)]  # fmt: skip
        self._heads = [*zip(columns, titles, strict=True)]
        self._heads.insert(1, (None, ""))
        self._fill_systems(topic, abstract.length)
        job = self._services.jobs.start(
            DECISION_JOB,
            lambda reporter: decision_effects(
                topic, abstract, case, partial(reporter.advance, 0, 1, topic.id)
            ),
        )
        job.finished.connect(self._on_computed)
        job.failed.connect(self._on_failed)

    def _fill_systems(self, topic: Topic, length: str | None) -> None:
        names = [
            one.system
            for one in topic.outputs
            if isinstance(one, Extract) and one.length in (None, length)
        ]
        names = [*dict.fromkeys(names)]
        if names != [self.system.itemText(at) for at in range(self.system.count())]:
            before = self.system.currentText()
            self.system.blockSignals(True)
            self.system.clear()
            self.system.addItems(names)
            self.system.setCurrentIndex(max(0, self.system.findText(before)) if names else -1)
            self.system.blockSignals(False)
        self.system.setVisible(bool(names))

    def _on_computed(self, effects: DecisionEffects) -> None:
        self.effects = effects
        self._write()

    def _on_failed(self, error: BaseException) -> None:
        self.told.setText(joined_sentences(*map(problem_text, problems_of(error))))

    def _write(self) -> None:
        effects = self.effects
        if effects is None:
            self.told.clear()
            return
        parts = [self._row("h", effects, _h_text)]
        system = self.system.currentText()
        if system:
            title = tr("Coverage of {system}", system=system)
            parts.append(self._row(title, effects, lambda side: _coverage_text(side, system)))
        counted = ntr("of {n} sentence", "of {n} sentences", effects.n_sentences)
        if effects.n_open:
            counted = listed((counted, tr("{n} more still open", n=effects.n_open)))
        self.told.setText("   |   ".join([*parts, counted]))

    def _why(self) -> Why | None:
        effects, system = self.effects, self.system.currentText()
        if effects is None:
            return None
        lines = [
            tr("h: the fewest source sentences that make every abstract sentence possible"),
            tr(
                "All are about the same sentences of this abstract: those that all settled, and "
                "on which they agree or for which something is in the gold."
            ),
        ]
        if system:
            title = tr("Coverage of {system}", system=system)
            lines.append(self._row(title, effects, lambda side: _exact_text(side, system)))
            lines.append(tr("Coverage: the mean e(i) of these sentences, the extract cut at h."))
        return Why(name=self.told.text(), lines=tuple(lines))

    def _row(
        self, title: str, effects: DecisionEffects, text_of: Callable[[SideEffects], str]
    ) -> str:
        cells = []
        for who, head in self._heads:
            side = effects.gold if who is None else effects.by_annotator.get(who)
            if side is not None:
                cells.append(labelled(head or tr("Gold"), text_of(side)))
        return f"{title}   " + " · ".join(cells)


def _h_text(side: SideEffects) -> str:
    return UNDEFINED if side.h is None else str(side.h)


def _exact_text(side: SideEffects, system: str) -> str:
    value = side.coverage.get(system)
    return UNDEFINED if value is None else f"{float(value):.6f}"


def _coverage_text(side: SideEffects, system: str) -> str:
    value = side.coverage.get(system)
    return decimal_text(value)

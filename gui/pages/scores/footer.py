"""Below the scores: h, the meaning of the marks, the signatures, and the warnings."""

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Problem
from awase.core.metrics.significance import ALPHA
from awase.core.reports.grid import BETTER, PROVISIONAL, UNDEFINED, WORSE
from awase.core.reports.score_views import Arrangement, ViewKind
from awase.gui.kit.i18n import labelled, listed, ntr, tr
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.scores.table import column_title

_MOST_LINES = 7
_FEWEST_LINES = 2  # of signatures beside a plot; others are scrolled


class ScoresFooter(QFrame):
    """Legend of the table."""

    warningsChosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "strip")
        self._shown = Arrangement()
        self._n_warnings = 0
        self._is_small, self._explains_marks = False, True
        self._facts, self._provisional, self.legend = ElidedLabel(), QLabel(), QLabel()
        declare(self._facts, lambda: _facts_why(self._facts.text()))
        self._provisional.setProperty("look", "warning")
        self.legend.setWordWrap(True)
        self.signatures = QPushButton()
        self.signatures.setCheckable(True)
        self.signatures.toggled.connect(self._fill_signatures)
        self._warnings = QPushButton()
        self._warnings.clicked.connect(self.warningsChosen)
        line_px = self.fontMetrics().height()
        inside = QWidget()
        self._signatures = QGridLayout(inside)
        self._signatures.setContentsMargins(0, 0, 0, 0)
        self._signatures.setHorizontalSpacing(line_px)
        self._signatures.setVerticalSpacing(line_px // 6)
        self._signatures.setColumnStretch(1, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setStyleSheet(
            "QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"
        )
        top = QHBoxLayout()
        top.setSpacing(line_px)
        top.addWidget(self._facts)
        top.addWidget(self._provisional)
        top.addStretch(1)
        top.addWidget(self.signatures)
        top.addWidget(self._warnings)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        self._column.setSpacing(line_px // 2)
        self._column.addLayout(top)
        self._column.addWidget(self.legend)
        self._column.addWidget(self._scroll)
        self.retranslate()

    def show_arrangement(self, arrangement: Arrangement, warnings: Sequence[Problem]) -> None:
        self._shown = arrangement
        self._n_warnings = len(warnings)
        self.retranslate()

    def make_small(self, is_small: bool) -> None:
        self._is_small = is_small
        self._fill_signatures()

    def explain_marks(self, are_in_sight: bool) -> None:
        self._explains_marks = are_in_sight
        self.legend.setVisible(are_in_sight and bool(self.legend.text()))

    def spared_px(self) -> int:
        """Returns the height saved while the marks are not explained."""
        if self._explains_marks or not self.legend.text():
            return 0
        margins = self._column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        return self.legend.heightForWidth(width) + self._column.spacing()

    def retranslate(self) -> None:
        self._facts.setText(self._facts_text())
        self._facts.setVisible(bool(self._shown.h))
        self.signatures.setText(tr("Signatures"))
        self.signatures.setToolTip(tr("What decides the numbers, a line a metric"))
        self._provisional.setText(
            tr("{mark} provisional: the annotation is unfinished", mark=PROVISIONAL)
        )
        self._provisional.setVisible(self._shown.is_provisional)
        self._warnings.setText(ntr("{n} remark…", "{n} remarks…", self._n_warnings))
        self._warnings.setVisible(self._n_warnings > 0)
        self.legend.setText("   ".join(self._legend()))
        self.explain_marks(self._explains_marks)
        self._fill_signatures()
        self.setVisible(bool(self._shown.rows) or self._n_warnings > 0)

    def _facts_text(self) -> str:
        is_mean = self._shown.view.kind is not ViewKind.TOPIC
        parts = []
        for length, h in self._shown.h:
            told = (
                tr("mean h = {h}", h=f"{float(h):.2f}") if is_mean else tr("h = {h}", h=_number(h))
            )
            parts.append(labelled(length, told) if length is not None else told)
        return "   ".join(parts)

    def _legend(self) -> list[str]:
        shown = self._shown
        lines = []
        if shown.has_dash:
            lines.append(tr("{mark} no value: the tool tip says why", mark=UNDEFINED))
        if shown.has_partial:
            lines.append(tr("(n) the mean rests on n topics only"))
        if shown.baseline:
            fields = {"baseline": shown.baseline, "alpha": f"{ALPHA:g}"}
            lines.append(
                f"{BETTER} " + tr("better than {baseline}, p ≤ {alpha} after Holm", **fields)
            )
            lines.append(
                f"{WORSE} " + tr("worse than {baseline}, p ≤ {alpha} after Holm", **fields)
            )
            lines.append(ntr("{n} comparison", "{n} comparisons", shown.n_compared))
        return lines

    def _fill_signatures(self) -> None:
        while (item := self._signatures.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        rows = [
            (listed((column_title(column, " · ") for column in columns), most=4), signature)
            for columns, signature in self._shown.signatures
        ]  # fmt: skip
        rows += [("", line) for line in self._shown.resampling]
        for row, (name, signature) in enumerate(rows):
            for column, label in enumerate(self._labels(name, signature)):
                self._signatures.addWidget(label, row, column)
        line_px = self.fontMetrics().height()
        shown = min(len(rows), _FEWEST_LINES if self._is_small else _MOST_LINES)
        self._scroll.setFixedHeight(shown * (line_px + line_px // 6) + line_px // 4)
        self._scroll.setVisible(bool(rows) and self.signatures.isChecked())
        self.signatures.setVisible(bool(rows))

    def _labels(self, name: str, signature: str) -> tuple[QLabel, QLabel]:
        title, text = QLabel(name), QLabel(signature)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF() * 0.9)
        text.setFont(fixed)
        text.setToolTip(signature)
        # A long signature is cut at the window's edge rather than widening the window.
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.setAccessibleName(tr("Signature"))
        for label in (title, text):
            label.setProperty("look", "muted")
        return title, text


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def _facts_why(text: str) -> Why | None:
    if not text:
        return None
    meaning = tr("h: the fewest source sentences that make every abstract sentence possible")
    return Why(name=text, lines=(meaning,))

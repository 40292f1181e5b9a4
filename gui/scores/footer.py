"""Below the scores: h, what is provisional, the signatures, and the warnings."""

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
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Problem
from awase.gui.i18n import ntr, tr
from awase.gui.scores.arrangement import Arrangement
from awase.gui.scores.model import PROVISIONAL_MARK, UNDEFINED, column_title


class ScoresFooter(QFrame):
    """Says what the numbers above it mean."""

    warningsChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "strip")
        self._shown = Arrangement()
        self._n_warnings = 0
        self._facts, self._provisional = QLabel(), QLabel()
        self._provisional.setProperty("look", "warning")
        self._undefined = QLabel()
        self._undefined.setProperty("look", "muted")
        self._warnings = QPushButton()
        self._warnings.clicked.connect(self.warningsChosen)
        self._signatures = QGridLayout()
        line_px = self.fontMetrics().height()
        self._signatures.setHorizontalSpacing(line_px)
        self._signatures.setVerticalSpacing(line_px // 6)
        self._signatures.setColumnStretch(1, 1)
        top = QHBoxLayout()
        top.setSpacing(line_px)
        top.addWidget(self._facts)
        top.addWidget(self._provisional)
        top.addWidget(self._undefined)
        top.addStretch(1)
        top.addWidget(self._warnings)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        layout.setSpacing(line_px // 2)
        layout.addLayout(top)
        layout.addLayout(self._signatures)
        self.retranslate()

    def show_arrangement(self, arrangement: Arrangement, warnings: Sequence[Problem]) -> None:
        """Shows what belongs to the scores now in the table."""
        self._shown = arrangement
        self._n_warnings = len(warnings)
        self.retranslate()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self._facts.setText(self._facts_text())
        self._provisional.setText(
            tr("{mark} provisional: the annotation is unfinished", mark=PROVISIONAL_MARK)
        )
        self._provisional.setVisible(self._shown.is_provisional)
        self._undefined.setText(tr("{mark} no value: the tool tip says why", mark=UNDEFINED))
        self._undefined.setVisible(self._has_gaps())
        self._warnings.setText(ntr("{n} remark…", "{n} remarks…", self._n_warnings))
        self._warnings.setVisible(self._n_warnings > 0)
        self._fill_signatures()
        self.setVisible(bool(self._shown.systems) or self._n_warnings > 0)

    def _facts_text(self) -> str:
        is_mean = self._shown.topic is None
        parts = [
            (f"{length}: " if length is not None else "")
            + (tr("mean h = {h}", h=_number(h)) if is_mean else tr("h = {h}", h=_number(h)))
            for length, h in self._shown.h
        ]
        return "   ".join(parts)

    def _has_gaps(self) -> bool:
        return any(
            cell.value is None
            for row in self._shown.cells
            for column, cell in zip(self._shown.columns, row, strict=True)
            if column.metric
        )

    def _fill_signatures(self) -> None:
        while (item := self._signatures.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF() * 0.9)
        for row, (columns, signature) in enumerate(self._shown.signatures):
            name = QLabel(", ".join(column_title(column, " · ") for column in columns))
            text = QLabel(signature)
            text.setFont(fixed)
            text.setToolTip(signature)
            # A long signature is cut at the window's edge rather than widening the window.
            text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setAccessibleName(tr("Signature"))
            for label in (name, text):
                label.setProperty("look", "muted")
            self._signatures.addWidget(name, row, 0)
            self._signatures.addWidget(text, row, 1)


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"

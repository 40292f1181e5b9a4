"""Controls of an agreement study: level, length, derived tables."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from awase.core.agreement.distances import SetDistance
from awase.gui.kit.choices import offer_names
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.flow import FlowLayout, at_the_edge, together
from awase.gui.kit.grid.copying import ExportButton
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.review.wording import LEVELS

EXPORTS = {
    "pair.csv": mark("Pairs as CSV…"),
    "topic.csv": mark("Topics as CSV…"),
    "sentence.csv": mark("Sentences as CSV…"),
    "tex": mark("This table as LaTeX…"),
}


class AgreementControls(QWidget):
    """A row of choices, and of buttons."""

    levelChosen = Signal()
    lengthChosen = Signal()
    allChosen = Signal()  # what was filtered is to be shown in full again
    howChosen = Signal()
    copyChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.level, self.length = ElidedComboBox(), ElidedComboBox()
        for box in (self.level, self.length):
            # With large letters they give way, or the window outgrows the screen.
            box.setMinimumWidth(self.fontMetrics().height() * 6)
        self._labels = {"level": QLabel(), "length": QLabel()}
        self._lengths = together(self._labels["length"], self.length)
        self.filtered, self.all, self.remarks = QLabel(), QPushButton(), QPushButton()
        self.how, self.copy, self.export = QPushButton(), QPushButton(), ExportButton(EXPORTS)
        self.how.setCheckable(True)
        for level in LEVELS:
            self.level.addItem("", level)
        self._lay_out()
        self.level.activated.connect(self.levelChosen)
        self.length.activated.connect(self.lengthChosen)
        self.all.clicked.connect(self.allChosen)
        self.how.clicked.connect(self.howChosen)
        self.copy.clicked.connect(self.copyChosen)
        self.show_filter("")
        self.fill(())
        self.retranslate()

    @property
    def distance(self) -> SetDistance:
        """The level chosen."""
        return SetDistance(self.level.currentData())

    @property
    def length_class(self) -> str | None:
        """The length class chosen; None = all together."""
        chosen = self.length.currentData()
        return None if chosen is None else str(chosen)

    def fill(self, lengths: Sequence[str]) -> None:
        """Refills the length classes, keeping the selection."""
        offer_names(self.length, tr("All lengths"), lengths)
        self._lengths.setVisible(self.length.count() > 2)

    def show_filter(self, text: str) -> None:
        """Shows the filter; empty = none."""
        self.filtered.setText(text)
        for widget in (self.filtered, self.all):
            widget.setVisible(bool(text))

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        row = FlowLayout(self)
        row.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        row.setSpacing(line_px // 2)
        self._labels["level"].setBuddy(self.level)
        self._labels["length"].setBuddy(self.length)
        levels = together(self._labels["level"], self.level)
        acts = at_the_edge(self.remarks, self.how, self.copy, self.export)
        for widget in (levels, self._lengths, together(self.filtered, self.all), acts):
            row.addWidget(widget)

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self._labels["level"].setText(tr("Level"))
        self._labels["length"].setText(tr("Length"))
        self.level.setAccessibleName(tr("Level"))
        self.length.setAccessibleName(tr("Length"))
        for at, title in enumerate(LEVELS.values()):
            self.level.setItemText(at, tr(title))
        self.length.setItemText(0, tr("All lengths"))
        self.all.setText(tr("Show all"))
        self.how.setText(tr("How it came about"))
        self.how.setToolTip(tr("The formula with the numbers of this corpus (H)"))
        self.copy.setText(tr("Copy table"))
        self.copy.setToolTip(tr("Copy the table, for a spreadsheet or a word processor"))

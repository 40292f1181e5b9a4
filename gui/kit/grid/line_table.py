"""A table of one line a row, which follows the size of the letters."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.look.stylesheet import TARGET_PX


class LineTable(QTableView):
    """Rows of one height without grid lines, resized only while visible."""

    ROW_LINES = 1.6  # height of a row, in heights of a line

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fits = True
        self.setProperty("look", "flat")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        # One height for all rows: measuring thousands of them takes longer than a frame.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        LineTable.fit(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self._fits = self.isVisible()
            if self._fits:
                self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._fits:
            self._fits = True
            self.fit()

    def fit(self) -> None:
        """Sets the rows' height by the font."""
        height = round(self.fontMetrics().height() * self.ROW_LINES)
        self.verticalHeader().setDefaultSectionSize(max(TARGET_PX, height))

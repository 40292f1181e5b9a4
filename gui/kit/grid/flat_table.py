"""A table of rows of one height: what lists of many rows are shown in."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.look.stylesheet import TARGET_PX


class FlatTable(QTableView):
    """Rows of one height, without a grid.

    Whatever else (a `QListView` even when it is told that all rows are alike) asks the model about
    every row before it paints the first; this one asks about those in sight.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "flat")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        beginning = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.horizontalHeader().setDefaultAlignment(beginning)  # over the texts of the cells
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        FlatTable.fit(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.fit()

    def fit(self) -> None:
        """Gives the rows the height that the font needs."""
        height = round(self.fontMetrics().height() * 1.6)
        self.verticalHeader().setDefaultSectionSize(max(TARGET_PX, height))

"""A table of rows of one height: what lists of many rows are shown in."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.look.stylesheet import TARGET_PX


class FlatTable(QTableView):
    """Rows of one height, without a grid.

    Whatever else (a `QListView` even when it is told that all rows are alike) asks the model about
    every row before it paints the first; this one asks about those in sight.
    """

    def __init__(self, *elastic: int) -> None:
        """Makes an empty table.

        Args:
            elastic: Columns that share the table's width so that it is not scrolled to the side:
                what is missing is taken from the widest of these, what is over goes to the first.
                None = every column is as wide as somebody makes it.
        """
        super().__init__()
        self._elastic = elastic
        self._fits = True
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
            self._fits = self.isVisible()
            if self._fits:
                self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._fits:
            self._fits = True
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._elastic:
            self.fit_columns()

    def fit_columns(self) -> None:
        """Gives each column the room of its texts, the elastic ones as much as there is."""
        self.resizeColumnsToContents()
        widths = {column: self.columnWidth(column) for column in self._elastic}
        over = self.viewport().width() - self.horizontalHeader().length()
        widths[self._elastic[0]] += max(0, over)
        most, room = max(widths.values()), sum(widths.values()) + min(0, over)
        while sum(min(width, most) for width in widths.values()) > room and most > 0:
            most -= 1
        for column, width in widths.items():
            self.setColumnWidth(column, min(width, most))

    def fit(self) -> None:
        """Gives the rows the height that the font needs."""
        height = round(self.fontMetrics().height() * 1.6)
        self.verticalHeader().setDefaultSectionSize(max(TARGET_PX, height))

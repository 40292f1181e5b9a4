"""A table of rows of one height: what lists of many rows are shown in."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from awase.gui.kit.grid.line_table import LineTable


class FlatTable(LineTable):
    """Rows that are chosen whole.

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
        self.setSelectionBehavior(FlatTable.SelectionBehavior.SelectRows)
        beginning = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.horizontalHeader().setDefaultAlignment(beginning)  # over the texts of the cells

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

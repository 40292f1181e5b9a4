"""Table of rows of one height, for long lists."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from awase.gui.kit.grid.line_table import LineTable


class FlatTable(LineTable):
    """Table with whole rows selected, which measures visible rows only, unlike `QListView`."""

    def __init__(self, *elastic: int) -> None:
        """`elastic` columns share the width, so that there is no horizontal scrolling.

        The widest shrinks first, the first grows; None = widths are the user's.
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
        """Sizes columns to their texts, elastic ones to the rest."""
        self.resizeColumnsToContents()
        widths = {column: self.columnWidth(column) for column in self._elastic}
        over = self.viewport().width() - self.horizontalHeader().length()
        widths[self._elastic[0]] += max(0, over)
        most, room = max(widths.values()), sum(widths.values()) + min(0, over)
        while sum(min(width, most) for width in widths.values()) > room and most > 0:
            most -= 1
        for column, width in widths.items():
            self.setColumnWidth(column, min(width, most))

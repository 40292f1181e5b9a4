"""The scores above their plot; where there is no room for both, the plot has all of it."""

from PySide6.QtCore import Qt

from awase.gui.kit.grid.pane_and_table import SharingSplitter
from awase.gui.pages.scores.footer import ScoresFooter
from awase.gui.pages.scores.plots.panel import PlotPanel
from awase.gui.pages.scores.table.view import ScoresTable

_LEAST = 29  # height for both, in heights of a line


class TableAndPlot(SharingSplitter):
    """Sizes the table to its rows, up to a third."""

    def __init__(self, table: ScoresTable, plot: PlotPanel, footer: ScoresFooter) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._table, self._plot, self._footer = table, plot, footer
        self.addWidget(table)
        self.addWidget(plot)

    def first_px(self) -> int:
        return min(self._table.wanted_height_px(), self.room_px() // 3)

    def share_out(self) -> None:
        needed = _LEAST * self.fontMetrics().height()
        has_room = self.height() - self._footer.spared_px() >= needed
        self._table.setVisible(has_room or self._plot.isHidden())
        self._footer.explain_marks(not self._table.isHidden())
        super().share_out()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Focuses the table, or the plot in its place."""
        part = self._plot.view.picture if self._table.isHidden() else self._table
        part.setFocus(reason)

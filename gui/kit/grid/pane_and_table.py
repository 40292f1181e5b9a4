"""A pane, and beside or below it a table that has the room it needs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.sharing_splitter import SharingSplitter


class PaneAndTable(SharingSplitter):
    """Leaves the pane what the table does not need, and a share in any case."""

    def __init__(
        self,
        pane: QWidget,
        table: GridView,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        *,
        most: float = 0.5,
        parent: QWidget | None = None,
    ) -> None:
        """Puts them together.

        Args:
            pane: The first one.
            table: The second one.
            orientation: Whether it stands beside the pane, or below.
            most: Share that the table has at most.
            parent: Widget that it stands in.
        """
        super().__init__(orientation, parent)
        self.table = table
        self._most = most
        self.addWidget(pane)
        self.addWidget(table)

    def first_px(self) -> int:
        if self.orientation() is Qt.Orientation.Vertical:
            wanted = self.table.wanted_height_px()
        else:
            bar = self.table.verticalScrollBar().sizeHint().width()
            wanted = self.table.wanted_px() + 2 * self.table.frameWidth() + bar
        return self.room_px() - min(wanted, round(self.room_px() * self._most))

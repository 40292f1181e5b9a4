"""A pane and a table that share the room of a page."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTableView, QWidget

from awase.gui.kit.grid.grid import GridView


class SharingSplitter(QSplitter):
    """Distributes its size at every change, until the user moves a handle."""

    def __init__(
        self,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(orientation, parent)
        self._is_parted = False
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._on_parted)

    def first_px(self) -> int:
        """Returns the width of the first pane, or its height; the second has the rest."""
        raise NotImplementedError

    def share_out(self) -> None:
        """Sets the panes' sizes."""
        if not self._is_parted:
            first = self.first_px()
            self.setSizes([first, self.room_px() - first])

    def room_px(self) -> int:
        """Returns the width that is shared, or the height."""
        is_beside = self.orientation() is Qt.Orientation.Horizontal
        return (self.width() if is_beside else self.height()) - self.handleWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def _on_parted(self) -> None:
        self._is_parted = True


# Share of the height that a table has at most above a pane that asked for room.
_MOST_BESIDE_WISHES = 0.4


class PaneAndTable(SharingSplitter):
    """Gives the pane what the table does not need, and at least a share."""

    def __init__(
        self,
        pane: QWidget,
        table: GridView,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        *,
        most: float = 0.5,
        parent: QWidget | None = None,
    ) -> None:
        """`most` is the table's maximal share."""
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


class TableOverPane(SharingSplitter):
    """Gives a table a share of the height, and a minimum of rows."""

    def __init__(self, *, share: float, rows: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._share, self._n_rows = share, rows
        self._wish: tuple[int, int] | None = None
        self.table: QTableView | None = None

    def make_way(self, pane_px: int, *, rows: int) -> None:
        """Gives the pane this height, while so many rows stay visible."""
        self._wish, self._is_parted = (pane_px, rows), False
        self.share_out()

    def first_px(self) -> int:
        room = self.room_px()
        if self._wish is not None:
            pane_px, n_rows = self._wish
            wanted = max(self._rows_px(n_rows), room - pane_px)
            return min(round(room * _MOST_BESIDE_WISHES), wanted)
        pane = self.widget(1)
        least = pane.minimumSizeHint().height() if pane is not None else 0
        return max(round(room * self._share), min(self._rows_px(self._n_rows), room - least))

    def _rows_px(self, n_rows: int) -> int:
        table = self.table
        if table is None:
            return 0
        rows = n_rows * table.verticalHeader().defaultSectionSize()
        bar = table.horizontalScrollBar().sizeHint().height()
        return table.horizontalHeader().sizeHint().height() + rows + bar + 2 * table.frameWidth()

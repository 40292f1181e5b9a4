"""Two panes beside or above each other that have the room they need."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class SharingSplitter(QSplitter):
    """Shares its room out anew whenever it changes, until somebody parts the panes by hand."""

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
        """Gives each pane its room."""
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

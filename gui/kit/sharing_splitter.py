"""Two panes beside each other that have the widths they need."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class SharingSplitter(QSplitter):
    """Shares its width out anew whenever it changes, until somebody parts the panes by hand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._is_parted = False
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._on_parted)

    def first_px(self) -> int:
        """Returns the width of the first pane; the second has the rest."""
        raise NotImplementedError

    def share_out(self) -> None:
        """Gives each pane its width; where one stands above the other, they stay as they are."""
        if not self._is_parted and self.orientation() is Qt.Orientation.Horizontal:
            first = self.first_px()
            self.setSizes([first, self.width() - first])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def _on_parted(self) -> None:
        self._is_parted = True

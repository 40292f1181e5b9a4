"""Wrapping label; apart from others, as the first paint needs it."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget


class WholeLabel(QLabel):
    """Wraps, with a minimum height for all lines: in a splitter, Qt would cut the last ones."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

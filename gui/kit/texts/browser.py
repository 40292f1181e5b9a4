"""Rich text to read: nothing in it is loaded from anywhere, links are only told."""

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget


class Browser(QTextBrowser):
    """Shows HTML of our own; emits `anchorClicked` and never follows a link."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(self.fontMetrics().height() * 0.7)

    def show_html(self, html: str) -> None:
        """Replaces what is shown; stays at its place when it is nearly the same."""
        bar = self.verticalScrollBar()
        at = bar.value() if self.toHtml() else 0
        self.setHtml(html)
        bar.setValue(min(at, bar.maximum()))

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return None

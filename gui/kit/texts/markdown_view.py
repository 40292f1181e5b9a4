"""Markdown to read: nothing is fetched for it, neither from the net nor from the disk."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QImage,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class MarkdownView(QTextBrowser):
    """Shows headings, lists, tables and emphasis; HTML is shown as it is typed, pictures are not.

    Guidelines come with corpora of strangers, so no link of theirs opens anything either.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setProperty("look", "flat")

    def show_markdown(self, text: str) -> None:
        """Shows `text` from its beginning."""
        document = self.document()
        document.setMarkdown(text, _FEATURES)
        _lower_headings(document)
        frame = document.rootFrame()
        form = QTextFrameFormat(frame.frameFormat())
        form.setMargin(self.fontMetrics().height() * 0.8)
        frame.setFrameFormat(form)
        document.setIndentWidth(self.fontMetrics().height() * 1.2)
        self.setTextCursor(QTextCursor(document))  # Qt brings it into sight whenever it lays out

    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        # A picture of nothing: where there is none, Qt looks on the disk itself.
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing


def _lower_headings(document: QTextDocument) -> None:
    """Makes headings a step smaller than Qt does, whose largest are twice as high as the text."""
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        if level:
            form = QTextCharFormat()
            form.setProperty(QTextFormat.Property.FontSizeAdjustment, max(0, 3 - level))
            cursor = QTextCursor(block)
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(form)
        block = block.next()

"""Rich text, opt-in: labels and tooltips show plain text by default."""
# A topic called `<img src="file:///dev/zero">` must not be loaded by Qt.

from collections.abc import Sequence
from html import escape
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QImage, QTextCharFormat, QTextCursor, QTextDocument, QTextFrameFormat
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser, QWidget

from awase.core.text.script import Span
from awase.gui.kit.look.theme import Theme

_FEATURES: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


def allow_markup(label: QLabel, form: Qt.TextFormat) -> None:
    """Enables our own HTML or Markdown in a label; corpus texts are escaped."""
    label.setProperty("markup", form.name)  # for the style sheet, which is applied later
    label.setTextFormat(form)


def marked(text: str, spans: Sequence[Span], theme: Theme) -> str:
    """Returns the text as HTML with common words coloured and underlined."""
    parts: list[str] = []
    at = 0
    style = f"background-color:{theme.colours.highlight_match}; text-decoration:underline"
    for start, end in spans:
        parts.append(escape(text[at:start]))
        parts.append(f'<span style="{style}">{escape(text[start:end])}</span>')
        at = end
    return "".join(parts) + escape(text[at:])


class _LoadsNothing(QTextBrowser):
    """Loads no resources and follows no links."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)

    def show_html(self, html: str) -> None:
        """Replaces the HTML, keeping the scroll position if nearly the same."""
        bar = self.verticalScrollBar()
        at = bar.value()
        self.setHtml(html)
        bar.setValue(min(at, bar.maximum()))

    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        # An empty picture: without one Qt looks on the disk.
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing


class Browser(_LoadsNothing):
    """Viewer of our own HTML."""

    linkChosen = Signal(str, str)  # scheme of the link that was clicked, and the rest of it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(self.fontMetrics().height() * 0.7)
        self.anchorClicked.connect(self._on_anchor_clicked)

    def _on_anchor_clicked(self, url: QUrl) -> None:
        rest = url.path(QUrl.ComponentFormattingOption.FullyDecoded)
        self.linkChosen.emit(url.scheme(), rest)


class MarkdownView(_LoadsNothing):
    """Renders headings, lists, tables and emphasis; HTML is shown as text, pictures are not."""

    # Guidelines come with untrusted corpora, so their links open nothing either.

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "flat")

    def show_markdown(self, text: str) -> None:
        document = self.document()
        document.setMarkdown(text, _FEATURES)
        _lower_headings(document)
        frame = document.rootFrame()
        form = QTextFrameFormat(frame.frameFormat())
        form.setMargin(self.fontMetrics().height() * 0.8)
        frame.setFrameFormat(form)
        document.setIndentWidth(self.fontMetrics().height() * 1.2)
        self.setTextCursor(QTextCursor(document))  # Qt brings it into sight whenever it lays out


def _lower_headings(document: QTextDocument) -> None:
    """Reduces headings, whose largest are twice the text's height in Qt."""
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        if level:
            form = QTextCharFormat()
            form.setProperty(QTextCharFormat.Property.FontSizeAdjustment, max(0, 3 - level))
            cursor = QTextCursor(block)
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(form)
        block = block.next()

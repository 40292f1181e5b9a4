"""Editor with a sentence on each line, numbered."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QMimeData, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from awase.core.text.script import Cleaned, cleaned, detect_language, on_one_line
from awase.core.text.sentences import SPLITTER_IDS, split_sentences
from awase.gui.kit.texts.editor import TextEditor

_DIGITS: Final = 4


class SentenceEditor(TextEditor):
    """Splits pasted text into sentences; Enter splits, Backspace at the start joins."""

    pasted = Signal(object)  # `Cleaned`: the text pasted, when something had to be left out of it

    def __init__(self, language: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._language = language if language in SPLITTER_IDS else None
        self._labels: tuple[str, ...] = ()
        self._gutter = _Gutter(self)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._gutter.update)
        self.updateRequest.connect(self._on_update_requested)
        self._fit()

    def sentences(self) -> tuple[str, ...]:
        """Returns the sentences; lines without text are none."""
        lines = map(on_one_line, self.toPlainText().split("\n"))
        return tuple(line for line in lines if line)

    def set_sentences(self, texts: Sequence[str]) -> None:
        """Replaces the text, undoably."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText("\n".join(map(on_one_line, texts)))

    def put(self, text: str, at: int) -> None:
        """Inserts a sentence at position `at`."""
        texts = list(self.sentences())
        texts.insert(at, text)
        self.set_sentences(texts)

    def split_anew(self) -> None:
        """Splits the whole text by the rules, whatever the lines are now."""
        joined = self.sentences()
        if not joined:
            return
        text = "".join(a + _joint(a, b) for a, b in zip(joined, (*joined[1:], ""), strict=True))
        self.set_sentences(self._split(text))

    def set_labels(self, labels: Sequence[str]) -> None:
        """Sets the line numbers."""
        self._labels = tuple(labels)
        self._gutter.update()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Inserts pasted or dropped text, cleaned and split."""
        found: Cleaned = cleaned(source.text())
        self.insertPlainText("\n".join(self._split(found.text)))
        if found.removed:
            self.pasted.emit(found)

    def take(self, texts: Sequence[str], found: Cleaned) -> None:
        """Replaces the contents by sentences, and reports what was cleaned."""
        self.set_sentences(texts)
        if found.removed:
            self.pasted.emit(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Joins lines with the language's joint."""
        cursor = self.textCursor()
        is_plain = not cursor.hasSelection()
        if event.key() == Qt.Key.Key_Backspace and is_plain and cursor.atBlockStart():
            self._join(cursor.block().previous().position())
        elif event.key() == Qt.Key.Key_Delete and is_plain and cursor.atBlockEnd():
            self._join(cursor.block().position())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inner = self.contentsRect()
        width = self.viewportMargins().left()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), width, inner.height()))

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Paints the visible line numbers."""
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), self.palette().alternateBase())
        painter.setPen(self.palette().placeholderText().color())
        block, place = self.document().firstBlock(), 0
        width = self._gutter.width() - self.fontMetrics().averageCharWidth()
        while block.isValid():
            is_sentence = bool(on_one_line(block.text()))
            if is_sentence and block.isVisible() and place < len(self._labels):
                top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
                if top > event.rect().bottom():
                    break
                area = QRect(0, round(top), width, self.fontMetrics().height())
                painter.drawText(area, Qt.AlignmentFlag.AlignRight, self._labels[place])
            place += is_sentence
            block = block.next()

    @property
    def language(self) -> str | None:
        """Language of sentence splitting; None = detect."""
        return self._language

    def _split(self, text: str) -> list[str]:
        return split_text(text, self._language)

    def _join(self, first: int) -> None:
        """Joins the line at offset `first` with the next one."""
        block = self.document().findBlock(first)
        if first < 0 or not block.next().isValid():
            return
        before, after = block.text().rstrip(), block.next().text().lstrip()
        cursor = QTextCursor(block)
        cursor.beginEditBlock()
        end = block.next().position() + len(block.next().text())
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        joint = _joint(before, after)
        cursor.insertText(before + joint + after)
        cursor.endEditBlock()
        cursor.setPosition(first + len(before) + len(joint))
        self.setTextCursor(cursor)

    def _fit(self) -> None:
        width = self.fontMetrics().averageCharWidth() * (_DIGITS + 2)
        self.setViewportMargins(width, 0, 0, 0)

    def _on_update_requested(self, rect: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        self._gutter.update(0, rect.top(), self._gutter.width(), rect.height())


class _Gutter(QWidget):
    def __init__(self, editor: SentenceEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.viewportMargins().left(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(event)


def split_text(text: str, language: str | None) -> list[str]:
    """Returns the sentences of a text; Japanese ones by the rules for Japanese in any case."""
    # The rules for English do not know where a Japanese sentence ends.
    rules = "ja" if detect_language(text) == "ja" else language
    return [part.text for part in split_sentences(text, rules)]


def _joint(before: str, after: str) -> str:
    """Returns the joint of two sentences on one line: none beside Japanese."""
    if not before or not after:
        return ""
    is_wide = any(unicodedata.east_asian_width(char) in "WF" for char in (before[-1], after[0]))
    return "" if is_wide else " "

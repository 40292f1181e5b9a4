"""In-place editor of a sentence."""

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QModelIndex, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QTreeView

from awase.core.text.script import on_one_line
from awase.gui.kit.texts.editor import TextEditor
from awase.gui.kit.texts.i18n import tr


class InlineEditor(TextEditor):
    """Editor over a row; Enter or leaving stores, Esc cancels."""

    def __init__(
        self, view: QTreeView, index: QModelIndex, text: str, store: Callable[[str], bool]
    ) -> None:
        """Edits `text` over the row of `index`; `store` returns whether it was stored."""
        super().__init__(text, view.viewport())
        self._view = view
        self._store = store
        self._is_done = False
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Text of the sentence"))
        self.setToolTip(tr("Enter stores the text, Esc leaves it as it was."))
        view.scrollTo(index)
        self._cover(view.visualRect(index))
        view.verticalScrollBar().valueChanged.connect(self._finish)
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()
        elif event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        ):
            self._finish()

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(on_one_line(source.text()))

    def _cover(self, row: QRect) -> None:
        lines = self.fontMetrics().height() * 3
        height = max(row.height(), lines)
        top = min(row.top(), self._view.viewport().height() - height)
        self.setGeometry(QRect(row.left(), max(0, top), row.width(), height))

    def _finish(self) -> None:
        if self._is_done:
            return
        self._is_done = True  # what `store` shows may take the keyboard and come here again
        text = on_one_line(self.toPlainText())
        if not text or self._store(text):
            self._close()
            return
        self._is_done = False
        self.setFocus()

    def _close(self) -> None:
        self._is_done = True
        self.hide()
        self._view.setFocus()
        self.deleteLater()

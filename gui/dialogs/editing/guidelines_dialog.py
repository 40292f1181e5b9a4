"""The guidelines as they are written and as they will look."""

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation import content
from awase.core.text.cleaning import cleaned
from awase.gui.dialogs.editing.wording import removed_text
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.markdown_view import MarkdownView
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.session import CorpusSession

_PAUSE_MS: Final = 150


class GuidelinesDialog(Retranslated, QDialog):
    """Stays open with the text until it is stored."""

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._old = session.guidelines
        self._write_label, self._look_label, self._hint = QLabel(), QLabel(), QLabel()
        self.editor = QPlainTextEdit()
        self.editor.setTabChangesFocus(True)
        self.preview = MarkdownView()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._save = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._lay_out()
        self._timer.timeout.connect(self.refresh)
        self.editor.textChanged.connect(self._timer.start)
        self._buttons.accepted.connect(self.save)
        self._buttons.rejected.connect(self.reject)
        self.editor.setPlainText(self._old)
        self._retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Shows the text as annotators will see it."""
        at = self.preview.verticalScrollBar().value()
        self.preview.show_markdown(self.editor.toPlainText())
        self.preview.verticalScrollBar().setValue(at)

    def save(self) -> None:
        """Stores the text and closes; what cannot be stored is left out first, and told."""
        found = cleaned(self.editor.toPlainText())
        if found.n_removed:
            self.editor.setPlainText(found.text)
            self._say(removed_text(found), "warning")
            return
        edit = content.guidelines_edit(self._old, found.text)
        if edit is not None and not self._session.perform(edit):
            self._say(tr("It was not stored. Your text is still here."), "danger")
            return
        self.accept()

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        both = QHBoxLayout()
        both.setSpacing(line_px)
        for label, view in ((self._write_label, self.editor), (self._look_label, self.preview)):
            label.setBuddy(view)
            column = QVBoxLayout()
            column.addWidget(label)
            column.addWidget(view, 1)
            both.addLayout(column, 1)
        self._hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addLayout(both, 1)
        layout.addWidget(self._hint)
        layout.addWidget(self._buttons)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.resize(line_px * 54, line_px * 34)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Guidelines"))
        self._write_label.setText(tr("Text (Markdown)"))
        self._look_label.setText(tr("As annotators see it"))
        self.editor.setAccessibleName(tr("Text (Markdown)"))
        self.preview.setAccessibleName(tr("As annotators see it"))
        self._save.setText(tr("Save"))
        self._say(tr("# heading, - list, **bold**, | table |. Pictures are not shown."), "muted")

    def _say(self, text: str, look: str) -> None:
        set_look(self._hint, look)
        self._hint.setText(text)

"""Guidelines: Markdown and preview."""

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from awase.core.annotation import content
from awase.core.text.script import cleaned
from awase.gui.dialogs.editing.storing import store_and_close
from awase.gui.dialogs.editing.wording import removed_text
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Columns, Form, Note
from awase.gui.kit.texts.editor import TextEditor
from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.texts.markup import MarkdownView
from awase.gui.session.session import CorpusSession

_PAUSE_MS: Final = 150


class GuidelinesDialog(FormDialog):
    """Guidelines editor; stays open until stored."""

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        self._session = session
        self._old = session.guidelines
        self.editor, self.preview = TextEditor(self._old), MarkdownView()
        self.editor.setTabChangesFocus(True)
        text = Body("text", mark("Text (Markdown)"), self.editor, has_heading=True)
        look = Body("preview", mark("As annotators see it"), self.preview, has_heading=True)
        form = Form(
            title=mark("Guidelines"),
            parts=(
                Columns(((1, (text,)), (1, (look,)))),
                Note(mark("# heading, - list, **bold**, | table |. Pictures are not shown.")),
            ),
            accept=mark("Save"),
            leave=mark("Cancel"),
            width=54,
            height=34,
        )
        super().__init__(form, parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.show_state)
        self.editor.textChanged.connect(self._timer.start)
        self.show_state()

    def refresh(self) -> None:
        at = self.preview.verticalScrollBar().value()
        self.preview.show_markdown(self.editor.toPlainText())
        self.preview.verticalScrollBar().setValue(at)

    def submit(self) -> None:
        """Stores the text and closes; what cannot be stored is dropped, with a message."""
        found = cleaned(self.editor.toPlainText())
        if found.n_removed:
            self.editor.setPlainText(found.text)
            self.editor.document().setModified(True)
            self.show_outcome(removed_text(found), "warning")
            return
        store_and_close(self, self._session, content.guidelines_edit(self._old, found.text))

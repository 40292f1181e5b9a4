"""The corpus's guidelines, beside the work."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from awase.gui.kit.flow import FlowLayout, stacked
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.markup import MarkdownView
from awase.gui.pages.annotate.panes.empty_pane import NoticeStack
from awase.gui.session.session import CorpusSession
from awase.storage.rows.changes import Changes


class GuidelinesPanel(HandsFocusOn, QFrame):
    """Shows the guidelines as they are stored; another window edits them."""

    editChosen = Signal()
    hideChosen = Signal()

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._title = QLabel()
        self._title.setProperty("look", "heading")
        self._edit, self._hide = QPushButton(), QPushButton()
        self.text = MarkdownView()
        self.content = NoticeStack(self.text)
        self.hand_focus_to(self.content)
        self._lay_out()
        self._edit.clicked.connect(self.editChosen)
        self._hide.clicked.connect(self.hideChosen)
        session.changed.connect(self._on_changed)
        self._bind_texts()

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        head = FlowLayout()
        head.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
        head.setSpacing(line // 3)
        head.addWidget(self._title)
        for button in (self._edit, self._hide):
            button.setAutoDefault(False)
            head.addWidget(button)
        stacked(self, head, self.content, grows=self.content)
        self.text.setMinimumWidth(line * 9)

    def _bind_texts(self) -> None:
        bind(self._title, "text", mark("Guidelines"))
        bind(self._edit, "text", mark("Edit…"))
        bind(self._hide, "text", mark("Hide"))
        bind(self._edit, "accessibleName", mark("Edit the guidelines"))
        bind(self._hide, "accessibleName", mark("Hide the guidelines"))
        bind(self.text, "accessibleName", mark("Guidelines"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self._show_text()

    def _show_text(self) -> None:
        text = self._session.guidelines
        self._edit.setEnabled(not self._session.read_only)
        self.text.show_markdown(text)
        if text.strip():
            self.content.show_notice("")
        else:
            self.content.show_notice(
                tr("This corpus has no guidelines yet"),
                tr("“Edit…” writes down what its annotators are to keep to."),
            )

    def _on_changed(self, changes: Changes) -> None:
        if changes.corpus:
            self._show_text()

"""Dialog to find sentences in the corpus."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QTableView,
    QWidget,
)

from awase.core.annotation.formula import label_of
from awase.core.records.identifiers import sentence_place
from awase.gui.dialogs.find.corpus_model import FoundModel, FoundRole
from awase.gui.dialogs.find.found_row import FoundDelegate
from awase.gui.dialogs.find.sentences import FoundSentence, Sentences
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Field, Form, Line, Note
from awase.gui.kit.grid.flat_table import FlatTable
from awase.gui.kit.texts.i18n import mark, ntr, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.storage.changes import Changes

_TO_LIST = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _FlatList(FlatTable):
    def __init__(self) -> None:
        super().__init__()
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)


class CorpusFindDialog(FormDialog):
    """Find in the corpus; stays open until Esc, Enter or a click goes to the sentence."""

    sentenceChosen = Signal(object, str)  # the `FoundSentence`, and the words looked for

    keeps_text = True

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget) -> None:
        self._session = session
        self._is_stale = False
        self.list = _FlatList()
        super().__init__(self._form(), parent)
        self.model = FoundModel(self._label_of, self)
        self.words = self.fields.widget_as("words", QLineEdit)
        self.list.setModel(self.model)
        self.list.setItemDelegate(FoundDelegate(services.themes, self.list))
        self.words.setClearButtonEnabled(True)
        self.words.installEventFilter(self)
        self.list.installEventFilter(self)
        self.words.textChanged.connect(self.model.set_words)
        self.list.clicked.connect(self._choose)
        self.model.searched.connect(self._on_searched)
        session.changed.connect(self._on_session_changed)
        self._read()
        self.show_state()

    def open_at_field(self) -> None:
        """Shows the dialog with the last words selected."""
        # What another program writes to a file that is only read here is told by nobody.
        if self._is_stale or self._session.read_only:
            self._read()
        self.show()
        self.activateWindow()
        self.words.setFocus()
        self.words.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _ENTER:
                self._choose(self.list.currentIndex())
                return True
            if watched is self.words and event.key() in _TO_LIST:
                self.list.event(event)
                return True
        return super().eventFilter(watched, event)

    def _form(self) -> Form:
        hint = mark("Words in abstracts and documents of all topics")
        title = mark("Words to find in the corpus")
        return Form(
            title=mark("Find in the corpus"),
            parts=(
                Field("words", title, Line(hint=hint), is_title_shown=False),
                Note(name="status"),
                Body("found", mark("Sentences found"), self.list),
                Note(mark("↑ ↓ choose · Enter goes to the sentence · Esc closes")),
            ),
            leave="",
            width=46,
            height=28,
        )

    def _read(self) -> None:
        self._is_stale = False
        self.model.set_sentences(Sentences(self._session.topics()))

    def _on_session_changed(self, changes: Changes) -> None:
        if changes.topics or changes.corpus:
            self._is_stale = True
            if self.isVisible():
                self._read()

    def _on_searched(self) -> None:
        if not self.list.currentIndex().isValid() and self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(0))
        self.show_state()

    def refresh(self) -> None:
        count = self.model.rowCount()
        text = ntr("{n} sentence", "{n} sentences", count)
        if self.model.is_searching:
            self.fields.write("status", f"{text} …", "muted")
        elif count:
            self.fields.write("status", text, "muted")
        else:
            words = self.fields.text("words")
            text = (
                tr("No sentence has “{words}”.", words=words)
                if words
                else tr("This corpus has no sentences yet.")
            )
            self.fields.write("status", text, "warning")

    def _label_of(self, sentence: FoundSentence) -> str:
        if isinstance(sentence.at, int):
            return sentence_place(sentence.topic_id, sentence.abstract_id or "", sentence.at)
        label = label_of(sentence.at, self._session.numbers(sentence.topic_id))
        return f"{sentence.topic_id} · {label}"

    def _choose(self, index: QModelIndex) -> None:
        sentence = index.data(FoundRole.SENTENCE) if index.isValid() else None
        if isinstance(sentence, FoundSentence):
            self.hide()
            self.sentenceChosen.emit(sentence, self.words.text())

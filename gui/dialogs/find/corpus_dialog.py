"""Find in the corpus: a field, and every sentence that has its words."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation.formula import label_of
from awase.gui.dialogs.find.corpus_model import FoundModel, FoundRole
from awase.gui.dialogs.find.found_row import FoundDelegate
from awase.gui.dialogs.find.sentences import Sentence, Sentences
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.session import CorpusSession
from awase.storage.changing.changes import Changes

_TO_LIST = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _FlatList(QTableView):
    """A list whose rows are all as high as each other.

    A `QListView` asks the model about every row before it paints the first, even when it is told
    that all are alike; a table with a fixed height of rows asks about those in sight.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "flat")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))


class CorpusFindDialog(Retranslated, QDialog):
    """Stays open beside the work until Esc; Enter or a click goes to the sentence."""

    sentenceChosen = Signal(object, str)
    """The `Sentence`, and the words looked for."""

    def __init__(self, session: CorpusSession, themes: ThemeBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.model = FoundModel(self._label_of, self)
        self.field, self.list = QLineEdit(), _FlatList()
        self._status, self._hint = QLabel(), QLabel()
        self._is_stale = False
        self.list.setModel(self.model)
        self.list.setItemDelegate(FoundDelegate(themes, self.list))
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.list.installEventFilter(self)
        self._lay_out()
        self.field.textChanged.connect(self.model.set_words)
        self.list.clicked.connect(self._choose)
        self.model.searched.connect(self._on_searched)
        session.changed.connect(self._on_session_changed)
        self._retranslate()
        self._read()

    def open_at_field(self) -> None:
        """Shows the dialog; the words looked for last are ready to be typed over."""
        if self._is_stale:
            self._read()
        self.show()
        self.activateWindow()
        self.field.setFocus()
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _ENTER:
                self._choose(self.list.currentIndex())
                return True
            if watched is self.field and event.key() in _TO_LIST:
                self.list.event(event)
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 2, line // 2, line // 2)
        layout.setSpacing(line // 2)
        layout.addWidget(self.field)
        layout.addWidget(self._status)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._hint)
        self._hint.setProperty("look", "muted")
        self.resize(line * 46, line * 28)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Find in the corpus"))
        self.field.setPlaceholderText(tr("Words in abstracts and documents of all topics"))
        self.field.setAccessibleName(tr("Words to find in the corpus"))
        self.list.setAccessibleName(tr("Sentences found"))
        self._hint.setText(tr("↑ ↓ choose · Enter goes to the sentence · Esc closes"))
        self._show_status()

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
        self._show_status()

    def _show_status(self) -> None:
        count = self.model.rowCount()
        is_missing = count == 0 and not self.model.is_searching
        self._status.setProperty("look", "warning" if is_missing else "muted")
        self._status.style().polish(self._status)
        if is_missing:
            words = self.field.text().strip()
            self._status.setText(
                tr("No sentence has “{words}”.", words=words)
                if words
                else tr("This corpus has no sentences yet.")
            )
            return
        text = ntr("{n} sentence", "{n} sentences", count)
        self._status.setText(f"{text} …" if self.model.is_searching else text)

    def _label_of(self, sentence: Sentence) -> str:
        if isinstance(sentence.at, int):
            return f"{sentence.topic_id} · {sentence.abstract_id} {sentence.at}"
        label = label_of(sentence.at, self._session.numbers(sentence.topic_id))
        return f"{sentence.topic_id} · {label}"

    def _choose(self, index: QModelIndex) -> None:
        sentence = index.data(FoundRole.SENTENCE) if index.isValid() else None
        if isinstance(sentence, Sentence):
            self.hide()
            self.sentenceChosen.emit(sentence, self.field.text())

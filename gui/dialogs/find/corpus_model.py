"""Model of the corpus's sentences that match, filled while the search runs."""

from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from awase.core.text.script import folded, spans_of
from awase.gui.dialogs.find.sentences import FoundSentence, Sentences
from awase.gui.kit.texts.i18n import listed

Index = QModelIndex | QPersistentModelIndex

_SLICE_S: Final = 0.008  # searching takes the window's thread no longer than half a frame at a time


class FoundRole(IntEnum):
    """Roles of a match."""

    SENTENCE = Qt.ItemDataRole.UserRole + 1
    LABEL = auto()
    SPANS = auto()


class FoundModel(QAbstractListModel):
    """Matching sentences; all of them for an empty search."""

    searched = Signal()  # a slice of the search, or all of it, is done

    def __init__(
        self, label_of: Callable[[FoundSentence], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._label_of = label_of
        self._sentences: Sentences = Sentences()
        self._needle = ""
        self._found: list[int] = []
        self._rows: Sequence[int] = self._found
        self._rest_at = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._search_on)

    @property
    def is_searching(self) -> bool:
        """Whether the search is running."""
        return self._timer.isActive()

    @property
    def needle(self) -> str:
        """The search text, case-folded."""
        return self._needle

    def set_sentences(self, sentences: Sentences) -> None:
        """Searches these from now on."""
        self._sentences = sentences
        self._begin()

    def set_words(self, words: str) -> None:
        """Searches for `words`; empty shows every sentence."""
        needle = folded(words.strip())
        if needle != self._needle:
            self._needle = needle
            self._begin()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        sentence = self._sentences[self._rows[index.row()]]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return sentence.text
            case FoundRole.SENTENCE:
                return sentence
            case FoundRole.LABEL:
                return self._label_of(sentence)
            case FoundRole.SPANS:
                return spans_of(sentence.text, self._needle)
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed((self._label_of(sentence), sentence.text))
        return None

    def _begin(self) -> None:
        self.beginResetModel()
        self._found = []
        self._rows = self._found if self._needle else range(len(self._sentences))
        self._rest_at = 0
        self.endResetModel()
        if self._needle:
            self._timer.start()
            self._search_on()
        else:
            self._timer.stop()
            self.searched.emit()

    def _search_on(self) -> None:
        found, self._rest_at = self._sentences.search(self._needle, self._rest_at, _SLICE_S)
        if found:
            count = len(self._rows)
            self.beginInsertRows(QModelIndex(), count, count + len(found) - 1)
            self._found += found
            self.endInsertRows()
        if self._rest_at >= self._sentences.n_blocks:
            self._timer.stop()
        self.searched.emit()

"""Dialog to find sentences in the corpus."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum, auto
from time import perf_counter
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QLineEdit, QTableView, QWidget

from awase.core.annotation.formula import label_of
from awase.core.records.abstract import AbstractSentence
from awase.core.records.edits import Changes
from awase.core.records.source import SentenceRef, SourceSentence, sentence_place
from awase.core.records.topic import Topic
from awase.core.text.script import Span, folded, spans_of
from awase.gui.kit.commands import SearchKeys
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Field, Form, Line, Note
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import listed, mark, mark_for_part, ntr, tr
from awase.gui.kit.look.rows import LineDelegate, Scale
from awase.gui.kit.number_explanation import Index
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

_STRIDE: Final = 256  # sentences between two checks of the clock


class SentenceMatch(NamedTuple):
    """A sentence and where it is."""

    topic_id: str
    abstract_id: str | None  # of its abstract; None for a source sentence
    at: int | SentenceRef
    text: str


# Of a topic, the id of an abstract or a document, and one of its sentences.
_Placed = tuple[str, str | None, str, AbstractSentence | SourceSentence]


class Sentences:
    """All sentences of the given topics: of each topic the abstracts first, then the documents."""

    def __init__(self, topics: Iterable[Topic] = ()) -> None:
        self._placed = [one for topic in topics for one in _sentences_of(topic)]
        # Case-folded as far as they were searched, so that nobody waits before the first search.
        self._folded: list[str] = []

    def __len__(self) -> int:
        return len(self._placed)

    def __getitem__(self, idx: int) -> SentenceMatch:
        topic_id, abstract_id, document_id, found = self._placed[idx]
        at = SentenceRef(document_id, found.n) if abstract_id is None else found.n
        return SentenceMatch(topic_id, abstract_id, at, found.text)

    def search(self, needle: str, begin: int, budget_s: float) -> tuple[list[int], int]:
        """Returns the matches from sentence `begin` on, within `budget_s`, and the next one."""
        end_s = perf_counter() + budget_s
        found: list[int] = []
        at = begin
        while at < len(self):
            end = min(at + _STRIDE, len(self))
            self._folded += [folded(one.text) for *_, one in self._placed[len(self._folded) : end]]
            found += [idx for idx in range(at, end) if needle in self._folded[idx]]
            at = end
            if perf_counter() > end_s:
                break
        return found, at


def _sentences_of(topic: Topic) -> Iterator[_Placed]:
    for abstract in topic.abstracts:
        yield from ((topic.id, abstract.id, "", one) for one in abstract.sentences)
    for document in topic.documents:
        yield from ((topic.id, None, document.id, one) for one in document.sentences)


_SLICE_S: Final = 0.008  # searching blocks the window for at most half a frame


class MatchRole(IntEnum):
    """Roles of a match."""

    SENTENCE = Qt.ItemDataRole.UserRole + 1
    LABEL = auto()
    SPANS = auto()


class MatchModel(TableModel):
    """Matching sentences; all of them for an empty search."""

    titles = ("",)

    searched = Signal()  # a slice of the search, or all of it, is done

    def __init__(self, label_of: Callable[[SentenceMatch], str]) -> None:
        super().__init__()
        self._label_of = label_of
        self._sentences: Sentences = Sentences()
        self.needle = ""  # the search text, case-folded
        self._found: list[int] = []
        self.rows: Sequence[int] = self._found
        self._rest_at = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._search_on)

    @property
    def is_searching(self) -> bool:
        return self._timer.isActive()

    def set_sentences(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._begin()

    def set_words(self, words: str) -> None:
        """Searches for `words`; empty shows every sentence."""
        needle = folded(words.strip())
        if needle != self.needle:
            self.needle = needle
            self._begin()

    def cell_data(self, index: Index, role: int) -> object:
        sentence = self._sentences[self.rows[index.row()]]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return sentence.text
            case MatchRole.SENTENCE:
                return sentence
            case MatchRole.LABEL:
                return self._label_of(sentence)
            case MatchRole.SPANS:
                return spans_of(sentence.text, self.needle)
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed((self._label_of(sentence), sentence.text))
        return None

    def _begin(self) -> None:
        self.beginResetModel()
        self._found = []
        self.rows = self._found if self.needle else range(len(self._sentences))
        self._rest_at = 0
        self.endResetModel()
        if self.needle:
            self._timer.start()
            self._search_on()
        else:
            self._timer.stop()
            self.searched.emit()

    def _search_on(self) -> None:
        found, self._rest_at = self._sentences.search(self.needle, self._rest_at, _SLICE_S)
        if found:
            count = len(self.rows)
            self.beginInsertRows(QModelIndex(), count, count + len(found) - 1)
            self._found += found
            self.endInsertRows()
        if self._rest_at >= len(self._sentences):
            self._timer.stop()
        self.searched.emit()


_LABEL_LINES = 10
_LETTERS_BEFORE = 20
_MOST_LETTERS = 400  # no screen line is longer; measuring more would waste time


class MatchDelegate(LineDelegate):
    """Paints a match on one line of fixed height."""

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale, metrics = Scale.of(font), QFontMetricsF(font)
        painter.setFont(font)
        inner = rect.adjusted(scale.pad + scale.bar, 0, -scale.pad, 0)
        label = QRectF(inner.left(), inner.top(), scale.line * _LABEL_LINES, inner.height())
        painter.setPen(self.colour("muted"))
        elided = metrics.elidedText(
            index.data(MatchRole.LABEL), Qt.TextElideMode.ElideMiddle, label.width() - scale.gap
        )
        painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, elided)
        inner.setLeft(label.right())
        self._paint_text(painter, inner, index, metrics)

    def _paint_text(
        self, painter: QPainter, rect: QRectF, index: Index, metrics: QFontMetricsF
    ) -> None:
        text, spans = around_match(
            index.data(Qt.ItemDataRole.DisplayRole), index.data(MatchRole.SPANS),
            rect.width(), metrics,
        )  # fmt: skip
        at = QPointF(rect.left(), rect.center().y() - metrics.height() / 2)
        self._texts.draw(
            painter, at, text, self._view.font(), rect.width(), self.colour("text"),
            spans, self.colour("highlight_match"), wraps=False,
        )  # fmt: skip


def around_match(
    text: str, spans: tuple[Span, ...], width: float, metrics: QFontMetricsF
) -> tuple[str, tuple[Span, ...]]:
    """Returns the part of `text` in which the first match can be seen, and the spans in it."""
    start, end = spans[0] if spans else (0, 0)
    cut = 0
    if metrics.horizontalAdvance(text[: min(end, _MOST_LETTERS)]) > width * 0.9:
        cut = max(0, start - _LETTERS_BEFORE)
        rest = "…" + text[cut : cut + _MOST_LETTERS]
        while cut and metrics.horizontalAdvance(text[cut - 1] + rest) <= width:
            cut -= 1  # nothing is cut while there is room
            rest = text[cut] + rest
    part = text[cut : cut + _MOST_LETTERS].replace("\n", " ")
    before = mark_for_part(part, text) + ("…" if cut else "")
    shown = before + part
    shift = len(before) - cut
    inside = ((start + shift, end + shift) for start, end in spans)
    return shown, tuple(span for span in inside if span[1] <= len(shown))


class _FlatList(FlatTable):
    def __init__(self) -> None:
        super().__init__()
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)


class CorpusFindDialog(FormDialog):
    """Find in the corpus; stays open until Esc, Enter or a click goes to the sentence."""

    sentenceChosen = Signal(object, str)  # the `SentenceMatch`, and the search text

    keeps_text = True

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget) -> None:
        self._session = session
        self._is_stale = False
        self.list = _FlatList()
        super().__init__(self._form(), parent)
        self.model = MatchModel(self._label_of)
        self.model.setParent(self)
        self.words = self.fields.widget_as("words", QLineEdit)
        self.list.setModel(self.model)
        MatchDelegate(services.themes, self.list)
        self.words.setClearButtonEnabled(True)
        SearchKeys(self.words, self.list, self._choose)
        self.words.textChanged.connect(self.model.set_words)
        self.list.clicked.connect(self._choose)
        self.model.searched.connect(self._on_searched)
        session.changed.connect(self._on_session_changed)
        self._read()

    def open_at_field(self) -> None:
        """Shows the dialog with the last words selected."""
        if self._is_stale:
            self._read()
        self.show()
        self.activateWindow()
        self.words.setFocus()
        self.words.selectAll()

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
            self.list.setCurrentIndex(self.model.index(0, 0))
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

    def _label_of(self, sentence: SentenceMatch) -> str:
        if isinstance(sentence.at, int):
            return sentence_place(sentence.topic_id, sentence.abstract_id or "", sentence.at)
        label = label_of(sentence.at, self._session.numbers(sentence.topic_id))
        return f"{sentence.topic_id} · {label}"

    def _choose(self, index: QModelIndex) -> None:
        sentence = index.data(MatchRole.SENTENCE) if index.isValid() else None
        if isinstance(sentence, SentenceMatch):
            self.hide()
            self.sentenceChosen.emit(sentence, self.words.text())

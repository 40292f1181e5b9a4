"""The sentences of the abstract, as rows."""

from collections.abc import Mapping
from fractions import Fraction

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from awase.core.records.abstract import AbstractSentence
from awase.core.text.text_search import spans_of
from awase.gui.kit.texts.i18n import listed, ntr, tr
from awase.gui.kit.texts.state_names import STATE_NAMES
from awase.gui.pages.annotate.rows.roles import AbstractRole
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.filters import AbstractFilter, kept_by

Index = QModelIndex | QPersistentModelIndex


class AbstractModel(QAbstractListModel):
    """Shows the current abstract; rows follow the abstract's order."""

    def __init__(self, annotation: AnnotationState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._sentences: tuple[AbstractSentence, ...] = ()
        self._row_by_n: dict[int, int] = {}
        self._shares: Mapping[int, tuple[tuple[str, Fraction], ...]] = {}
        self._needle = ""
        self._filter = AbstractFilter.ALL
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.entryChanged.connect(self._on_entry_changed)
        annotation.sentenceChanged.connect(self._filter_again)
        annotation.othersChanged.connect(self._filter_again)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the sentences shown, in order."""
        return tuple(self._row_by_n)

    def set_filter(self, choice: AbstractFilter) -> None:
        """Shows what `choice` keeps, and the selected sentence beside it."""
        self._filter = choice
        self._filter_again()

    def row_of(self, n: int) -> int:
        """Returns the row of abstract sentence `n`, -1 when there is none."""
        return self._row_by_n.get(n, -1)

    def set_needle(self, needle: str) -> None:
        """Marks where sentences have `needle`, folded; an empty one marks nothing."""
        self._needle = needle

    def set_shares(self, shares: Mapping[int, tuple[tuple[str, Fraction], ...]]) -> None:
        """Takes e(i): number of the abstract sentence to (system, value) in the systems' order."""
        old, self._shares = self._shares, shares
        for n, row in self._row_by_n.items():
            if old.get(n) != shares.get(n):
                index = self.index(row)
                self.dataChanged.emit(index, index, [AbstractRole.SHARES])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._sentences)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        sentence = self._sentences[index.row()]
        entry = self._annotation.place.entry(sentence.n)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return sentence.text
            case AbstractRole.NUMBER:
                return sentence.n
            case AbstractRole.RANK:
                return sentence.rank
            case AbstractRole.RANK_POSITION:
                ranks = self._annotation.ranks
                return ranks.index(sentence.rank) if sentence.rank in ranks else -1
            case AbstractRole.STATE:
                return entry.state
            case AbstractRole.N_ALTERNATIVES:
                return len(entry.alternatives)
            case AbstractRole.HAS_NOTE:
                return entry.note is not None
            case AbstractRole.SHARES:
                return self._shares.get(sentence.n, ())
            case AbstractRole.SPANS:
                return spans_of(sentence.text, self._needle)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(sentence)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tool_tip(sentence)
        return None

    def _spoken(self, sentence: AbstractSentence) -> str:
        entry = self._annotation.place.entry(sentence.n)
        parts = [
            tr("Sentence {n}").format(n=sentence.n),
            tr("rank {rank}").format(rank=sentence.rank) if sentence.rank else tr("not ranked"),
            tr(STATE_NAMES[entry.state]),
            alternatives_text(len(entry.alternatives)),
            sentence.text,
        ]
        return listed(parts)

    def _tool_tip(self, sentence: AbstractSentence) -> str:
        lines = [
            tr("e({n}) of {system}: {value:.3f}").format(
                n=sentence.n, system=system, value=float(value)
            )
            for system, value in self._shares.get(sentence.n, ())
        ]
        note = self._annotation.place.entry(sentence.n).note
        if note:
            lines.insert(0, tr("Note: {note}").format(note=note))
        return "\n".join(lines)

    def _on_place_changed(self) -> None:
        # The shares are left alone: those of the new place may have come before this signal.
        self._take(self._kept())

    def _filter_again(self) -> None:
        kept = self._kept()
        if tuple(sentence.n for sentence in kept) != self.numbers:
            self._take(kept)

    def _kept(self) -> tuple[AbstractSentence, ...]:
        place = self._annotation.place
        sentences = place.abstract.sentences if place.abstract else ()
        if self._filter is AbstractFilter.ALL:
            return sentences
        kept = kept_by(place, shows_others=self._annotation.shows_others)[self._filter]
        # The sentence under one's hands must not vanish while others are left to go to.
        shown = {*kept, self._annotation.n} if kept else set()
        return tuple(sentence for sentence in sentences if sentence.n in shown)

    def _take(self, sentences: tuple[AbstractSentence, ...]) -> None:
        self.beginResetModel()
        self._sentences = sentences
        self._row_by_n = {sentence.n: row for row, sentence in enumerate(sentences)}
        self.endResetModel()

    def _on_entry_changed(self, n: int) -> None:
        self._filter_again()
        if n in self._row_by_n:
            self._sentences = self._kept()
            index = self.index(self._row_by_n[n])
            self.dataChanged.emit(index, index)


def alternatives_text(count: int) -> str:
    """Returns how many alternatives there are, in words."""
    return ntr("{n} alternative", "{n} alternatives", count)

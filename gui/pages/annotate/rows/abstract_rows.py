"""Rows of the abstract: filter, model, delegate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from PySide6.QtCore import QAbstractListModel, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from awase.core.annotation.actions import disagreed
from awase.core.annotation.visibility import Sight
from awase.core.records.abstract import AbstractSentence, AlignmentState, SentenceAlignment
from awase.core.reports.grid import UNDEFINED
from awase.core.text.script import Span, spans_of
from awase.gui.kit.i18n import listed, mark, ntr, tr
from awase.gui.kit.look.rows import (
    STATE_NAMES,
    RowDelegate,
    Scale,
    bold,
    draw_chip,
    draw_state,
    metrics_of,
    smaller,
)
from awase.gui.kit.look.stylesheet import contrast_ratio
from awase.gui.kit.number_explanation import NO_PARENT, Index
from awase.gui.pages.annotate.annotation_state import AnnotatePosition, AnnotationState
from awase.gui.pages.annotate.rows.sources import SUBJECT


class AbstractFilter(Enum):
    """A choice of abstract sentences."""

    ALL = "all"
    UNSETTLED = "unsettled"
    FLAGGED = "flagged"
    DISAGREED = "disagreed"


FILTER_TITLES: Final[Mapping[AbstractFilter, str]] = {
    AbstractFilter.ALL: mark("all ({n})"),
    AbstractFilter.UNSETTLED: mark("not settled ({n})"),
    AbstractFilter.FLAGGED: mark("flagged ({n})"),
    AbstractFilter.DISAGREED: mark("disagreed ({n})"),
}
# Title of the last filter before others' work is revealed.
OTHERS_HIDDEN: Final = mark("disagreed (others are hidden)")
NOTHING_LEFT: Final[Mapping[AbstractFilter, str]] = {
    AbstractFilter.ALL: mark("This abstract has no sentences"),
    AbstractFilter.UNSETTLED: mark("Every sentence is settled"),
    AbstractFilter.FLAGGED: mark("No sentence is flagged"),
    AbstractFilter.DISAGREED: mark("No two annotators disagree"),
}


def has_others(place: AnnotatePosition) -> bool:
    """Returns whether others aligned the abstract, or may have: where that is hidden."""
    alignments = place.abstract.alignments if place.abstract else ()
    is_known = any(alignment.annotator != place.who for alignment in alignments)
    return is_known or (place.abstract is not None and place.sight is not Sight.ALL)


def filtered(
    place: AnnotatePosition, *, shows_others: bool
) -> Mapping[AbstractFilter, tuple[int, ...]]:
    """Returns the sentences that each filter matches.

    Disagreements are withheld until others' work was revealed: they would tell the annotator what
    to change.
    """
    if place.abstract is None:
        return dict.fromkeys(AbstractFilter, ())
    entries = place.entries
    settled = {entry.n for entry in entries if entry.state.is_settled}
    flag = AlignmentState.FLAGGED
    flagged = {entry.n for entry in entries if entry.state is flag}
    found = disagreed(place.abstract) if shows_others else frozenset[int]()
    differing = {n for n in found if place.may_see_others(n)}
    numbers = place.numbers
    return {
        AbstractFilter.ALL: numbers,
        AbstractFilter.UNSETTLED: tuple([n for n in numbers if n not in settled]),
        AbstractFilter.FLAGGED: tuple([n for n in numbers if n in flagged]),
        AbstractFilter.DISAGREED: tuple([n for n in numbers if n in differing]),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractRow:
    """All that a row of the abstract shows."""

    sentence: AbstractSentence
    entry: SentenceAlignment
    rank_position: int = -1  # in the corpus's ranks; -1 = none of them
    shares: Sequence[tuple[str, Fraction]] = ()  # e(i) by system
    spans: Sequence[Span] = ()  # of words that were looked for


class AbstractModel(QAbstractListModel):
    """Rows of the current abstract, in order."""

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
        """Applies a filter; the selected sentence stays visible."""
        self._filter = choice
        self._filter_again()

    def row_of(self, n: int) -> int:
        """Returns the row of abstract sentence `n`, -1 when there is none."""
        return self._row_by_n.get(n, -1)

    def set_needle(self, needle: str) -> None:
        """Marks occurrences of `needle`, case-folded; empty = none."""
        self._needle = needle

    def set_shares(self, shares: Mapping[int, tuple[tuple[str, Fraction], ...]]) -> None:
        """Sets e(i): number of the abstract sentence to (system, value) in the systems' order."""
        old, self._shares = self._shares, shares
        for n, row in self._row_by_n.items():
            if old.get(n) != shares.get(n):
                index = self.index(row)
                self.dataChanged.emit(index, index, [SUBJECT])

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._sentences)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        sentence = self._sentences[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return sentence.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(sentence)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tool_tip(sentence)
        return self._row(sentence) if role == SUBJECT else None

    def _row(self, sentence: AbstractSentence) -> AbstractRow:
        ranks = self._annotation.ranks
        return AbstractRow(
            sentence=sentence,
            entry=self._annotation.place.entry(sentence.n),
            rank_position=ranks.index(sentence.rank) if sentence.rank in ranks else -1,
            shares=self._shares.get(sentence.n, ()),
            spans=spans_of(sentence.text, self._needle),
        )

    def _spoken(self, sentence: AbstractSentence) -> str:
        entry = self._annotation.place.entry(sentence.n)
        parts = [
            tr("Sentence {n}").format(n=sentence.n),
            tr("rank {rank}").format(rank=sentence.rank) if sentence.rank else tr("not ranked"),
            tr(STATE_NAMES[entry.state]),
            ntr("{n} alternative", "{n} alternatives", len(entry.alternatives)),
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
        # Shares stay: those of the new position may precede this signal.
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
        kept = filtered(place, shows_others=self._annotation.shows_others)[self._filter]
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


_MOST_BARS: Final = 8
_LEAST_CONTRAST: Final = 1.5  # below it a chip has a border, or its shape would be lost on the row


class AbstractDelegate(RowDelegate):
    """Paints sentences of the abstract."""

    chosen_system = ""  # the highlighted system; with many systems, the only bar

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        scale = Scale.of(font)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        text_height = self._texts.height(text, font, self._text_width(width, scale))
        return scale.pad * 2 + scale.line * 1.15 + scale.gap + text_height

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale = Scale.of(font)
        head = QRectF(
            rect.left() + scale.pad + scale.bar,
            rect.top() + scale.pad,
            rect.width() - 2 * scale.pad - scale.bar,
            scale.line * 1.15,
        )
        row: AbstractRow = index.data(SUBJECT)
        ground = self.colour("accent_soft" if self.is_marked(index) else "base")
        self._paint_head(painter, head, row, font, ground)
        at = QPointF(head.left(), head.bottom() + scale.gap)
        width = self._text_width(rect.width(), scale)
        self._texts.draw(
            painter, at, row.sentence.text, font, width, self.colour("text"),
            row.spans, self.colour("highlight_match"),
        )  # fmt: skip

    def _text_width(self, width: float, scale: Scale) -> float:
        return width - 2 * scale.pad - scale.bar

    def _paint_head(
        self, painter: QPainter, head: QRectF, row: AbstractRow, font: QFont, ground: QColor
    ) -> None:
        scale, number = Scale.of(font), str(row.sentence.n)
        painter.setFont(bold(font))
        painter.setPen(self.colour("text"))
        number_width = max(metrics_of(bold(font)).horizontalAdvance(number), scale.line * 0.9)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, number)
        chip = QRectF(
            head.left() + number_width + scale.gap, head.top(), scale.line * 1.3, head.height()
        )
        self._paint_rank(painter, chip, row, font, ground)
        left = chip.right() + scale.gap * 1.6
        right = self._paint_bars(painter, head, row.shares, scale)
        between = QRectF(left, head.top(), max(0.0, right - left - scale.gap), head.height())
        self._paint_state(painter, between, row.entry, font)

    def _paint_rank(
        self, painter: QPainter, rect: QRectF, row: AbstractRow, font: QFont, ground: QColor
    ) -> None:
        painter.setFont(bold(font))
        rank = row.sentence.rank
        if rank is None:
            muted = self.colour("muted")
            draw_chip(painter, rect, UNDEFINED, back=None, ink=muted, border=muted, dashed=True)
            return
        chip = self._themes.theme.rank_chip(max(row.rank_position, 0))
        is_lost = contrast_ratio(chip.back, ground.name()) < _LEAST_CONTRAST
        text = metrics_of(bold(font)).elidedText(rank, Qt.TextElideMode.ElideRight, rect.width())
        draw_chip(
            painter, rect, text, back=QColor(chip.back), ink=QColor(chip.text),
            border=self.colour("muted") if is_lost else None,
        )  # fmt: skip

    def _paint_state(
        self, painter: QPainter, rect: QRectF, entry: SentenceAlignment, font: QFont
    ) -> None:
        scale, state = Scale.of(font), entry.state
        chip = self._themes.theme.colours.states[state.value]
        side = scale.line * 0.95
        shape = QRectF(rect.left(), rect.center().y() - side / 2, side, side)
        ink = QColor(chip.text) if state.is_settled else self.colour("text")
        draw_state(painter, shape, state, QColor(chip.back), ink)
        small = smaller(font, 0.92)
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        beside = rect.adjusted(side + scale.gap, 0, 0, 0)
        text = state_text(entry, beside.width(), metrics_of(small))
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_bars(
        self, painter: QPainter, head: QRectF, shares: Sequence[tuple[str, Fraction]], scale: Scale
    ) -> float:
        """Paints a bar for each system, and returns their left edge."""
        if not shares:
            return head.right()
        places = bars_of([system for system, _ in shares], self.chosen_system)
        shown = [(at, *shares[at]) for at in places]
        width, gap = scale.line * 0.32, scale.line * 0.12
        left = head.right() - len(shown) * (width + gap) + gap
        mark = max(2.0, scale.line * 0.12)
        full = head.height() - 2 * mark  # the mark below a bar stays off the text
        for place, (at, system, value) in enumerate(shown):
            x = left + place * (width + gap)
            is_chosen = system == self.chosen_system
            colour = self._themes.theme.bar(at)
            trough = QRectF(x, head.top(), width, full)
            painter.fillRect(trough, self.colour("gutter"))
            height = full * float(value)
            painter.fillRect(QRectF(x, trough.bottom() - height, width, height), colour)
            if is_chosen and len(shown) > 1:
                painter.fillRect(QRectF(x, head.bottom() - mark, width, mark), self.colour("text"))
        return left


def bars_of(systems: Sequence[str], chosen: str) -> list[int]:
    """Returns the indices of systems with a bar: of many, the selected one alone."""
    is_shown = len(systems) <= _MOST_BARS
    return [at for at, system in enumerate(systems) if is_shown or system == chosen]


def state_text(entry: SentenceAlignment, width: float, metrics: QFontMetricsF) -> str:
    """Returns the state's text as far as it fits; the icon says the rest."""
    named, count = tr(STATE_NAMES[entry.state]), len(entry.alternatives)
    counted = ntr("{n} alt", "{n} alts", count) if count else ""
    noted = tr("note") if entry.note is not None else ""
    choices = ((named, counted, noted), (named, counted), (counted, noted), (counted,), (named,))
    texts = [" · ".join(filter(None, words)) for words in choices]
    fitting = (text for text in texts if text and metrics.horizontalAdvance(text) <= width)
    return next(fitting, metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, width))

"""Rows of the sources: digit, short name, text with matching words, and marks in the gutter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView

from awase.core.records.source import Document, SentenceRef
from awase.gui.kit.i18n import is_right_to_left, tr
from awase.gui.kit.look.rows import (
    RowDelegate,
    Scale,
    Span,
    bold,
    chip_width,
    clamped,
    draw_check,
    draw_chip,
    font_key,
    metrics_of,
    smaller,
)
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Index
from awase.gui.pages.annotate.commands import N_DIGITS
from awase.gui.pages.annotate.rows.sources import SUBJECT, SourceFacts, Sources

_Mark = tuple[str, QColor, QColor | None]  # its text, its face and its border
# In heights of a line: on large screens marks stay close to their texts.
_WIDEST_TEXT: Final = 60
# Likewise: a narrower whole text is below its digit and marks, not beside them.
_NARROWEST_TEXT: Final = 9
_MOST_LINES: Final = 8  # of an elided candidate, however much room there is
_LEAST_ABOUT: Final = 0.35  # share of a document's line for id, source and date beside a long title
_MARK: Final = 0.88
_MARK_LINE: Final = 1.06  # letters of a mark, and its height in lines of these
# In heights of a line: minimal gap between low rows.
_LEAST_PAD: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Columns:
    """Positions of a row's parts, from its left edge."""

    cap: float
    label: float
    text: float
    text_width: float
    gutter: float
    gutter_width: float
    drop: float = 0.0  # how far below the digit the text begins

    @property
    def widest(self) -> float:
        """Width of a text without marks beside it."""
        return self.gutter + self.gutter_width - self.text


@dataclass(frozen=True, slots=True)
class _Fitting:
    """What fits if all digits are to be visible."""

    lines: int
    tells_where: bool
    pad: float


def cut_mark(text: str, font: QFont, width: float) -> str:
    """Returns the end of a mark that fits, where the numbers are."""
    return metrics_of(font).elidedText(text, Qt.TextElideMode.ElideLeft, width)


class SourceDelegate(RowDelegate):
    """Paints source sentences, and the documents above them."""

    _columns_key: tuple[int, str, bool] | None = None
    is_clamped = False  # whether texts are cut so that all digits are in sight
    says_where = False  # whether rows show document, date and position

    def __init__(self, themes: ThemeBox, view: QAbstractItemView, sources: Sources) -> None:
        super().__init__(themes, view)
        self._sources = sources
        self._fitting: tuple[tuple[object, ...], _Fitting] | None = None
        self._clamped: dict[tuple[object, ...], tuple[str, tuple[Span, ...]]] = {}
        self._heights: dict[str, float] = {}
        self._heights_key: tuple[object, ...] = ()
        self._quick_key: tuple[object, ...] | None = None
        # Text of a row without documents; asking the model costs ten times as much.
        self.text_of: Callable[[int], str] | None = None
        # Returns the height in which all digits are to be visible.
        self.room: Callable[[], int] = view.viewport().height

    def forget_sizes(self) -> None:
        """Invalidates text layouts."""
        self._fitting = self._quick_key = None
        self._clamped.clear()

    def fits_otherwise(self, model: QAbstractItemModel) -> bool:
        """Returns whether the line limits have changed since rows were measured."""
        old, first = self._fitting, model.index(0, 0)
        if old is None or not first.isValid():
            return True
        font, width = self._view.font(), float(self._view.viewport().width())
        new = self._what_fits(first, font, self.columns(width, font).text_width)
        return new != old[1] or self._fitting is None or self._fitting[0][1:] != old[0][1:]

    def columns(self, width: float, font: QFont) -> _Columns:
        """Returns positions of rows' parts, cached by width and font."""
        key = (round(width), font_key(font), self.is_clamped)
        if key != self._columns_key:
            columns = _columns(width, font)
            if self._has_marks_below:
                columns = replace(columns, text_width=columns.widest)
            is_narrow = columns.text_width < Scale.of(font).line * _NARROWEST_TEXT
            if is_narrow and not self.is_clamped:
                columns = _below(columns, font)
            self._columns_key, self._columns = key, columns
        return self._columns

    @property
    def _has_marks_below(self) -> bool:
        """Returns whether marks are in the line below a text, which then has the full width."""
        return self.says_where and not self.is_clamped

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        # All rows are measured before the first paint, so nothing is looked up that only visible
        # ones need: an elided text has the height of its line limit, wherever the relevant words
        # are.
        quick_key = (width, self.room(), font_key(font))
        if self.text_of is not None and quick_key == self._quick_key:
            known = self._heights.get(self.text_of(index.row()))
            if known is not None:
                return known
        self._quick_key = quick_key
        text = index.data(Qt.ItemDataRole.DisplayRole)
        if isinstance(index.data(SUBJECT), Document):
            scale = Scale.of(font)
            return scale.line + 2 * scale.pad
        columns = self.columns(width, font)
        fitting = self._what_fits(index, font, columns.text_width) if self.is_clamped else None
        return self._height_in(columns, text, fitting, font)

    def measure_whole(self, text: str, width: float) -> None:
        """Measures a whole text ahead and caches it."""
        font = self._view.font()
        self._height_in(self.columns(width, font), text, None, font)

    def _height_in(
        self, columns: _Columns, text: str, fitting: _Fitting | None, font: QFont
    ) -> float:
        key = (self._columns_key, fitting)
        if key != self._heights_key:
            self._heights_key = key
            self._heights.clear()
        height = self._heights.get(text)
        if height is None:
            height = self._heights[text] = self._height_with_all(text, fitting, font, columns)
        return height

    def _height_with_all(
        self, text: str, fitting: _Fitting | None, font: QFont, columns: _Columns
    ) -> float:
        scale = Scale.of(font)
        tells_where, pad = self.says_where, scale.pad
        if fitting is None:
            height = self._texts.height(text, font, columns.text_width)
        else:
            height = self._texts.height_up_to(text, font, columns.text_width, fitting.lines)
            tells_where, pad = tells_where and fitting.tells_where, fitting.pad
        about = _about_height(font) if tells_where else 0.0
        return max(columns.drop + height, scale.line * 1.3) + 2 * pad + about

    def _shows_address(self, index: Index, font: QFont, width: float) -> bool:
        """Returns whether the sentence's address fits; its tooltip has it anyway."""
        if not self.says_where:
            return False
        return not self.is_clamped or self._what_fits(index, font, width).tells_where

    def _shown(
        self, index: Index, ref: SentenceRef, font: QFont, width: float, beside_marks: float
    ) -> tuple[str, tuple[Span, ...]]:
        """Returns the elided text of a row, and its marked spans."""
        # The width may exceed that beside marks, which sets all rows' heights.
        text, spans = self._sources.text(ref), self._sources.spans(ref)
        if not self.is_clamped:
            return text, spans
        most = self._what_fits(index, font, beside_marks).lines
        key = (text, spans, most, round(width), font_key(font))
        found = self._clamped.get(key)
        if found is None:
            capacity = round(most * width / max(1.0, metrics_of(font).averageCharWidth()))
            found = self._clamped[key] = clamped(
                text, spans, capacity, lambda one: self._texts.n_lines(one, font, width) <= most
            )
        return found

    def _width_of_text(
        self, index: Index, font: QFont, columns: _Columns, *, has_marks: bool
    ) -> float:
        """Returns the text's width: up to the edge if elided with nothing beside it."""
        # A whole text beside marks keeps that width, or its row would be too high.
        if has_marks or not self.is_clamped:
            return columns.text_width
        most = self._what_fits(index, font, columns.text_width).lines
        text = index.data(Qt.ItemDataRole.DisplayRole)
        is_cut = self._texts.n_lines(text, font, columns.text_width) > most
        return columns.widest if is_cut else columns.text_width

    def _what_fits(self, index: Index, font: QFont, width: float) -> _Fitting:
        """Returns what fits; a second line of text has priority over the address."""
        room = self.room()
        key = (room, round(width), font_key(font))
        if self._fitting is None or self._fitting[0] != key:
            self._fitting = key, self._fitting_in(index, font, width, room)
        return self._fitting[1]

    def _fitting_in(self, index: Index, font: QFont, width: float, room: float) -> _Fitting:
        scale = Scale.of(font)
        about = _about_height(font)
        model = index.model()
        texts = [
            model.index(row, 0).data(Qt.ItemDataRole.DisplayRole)
            for row in range(min(N_DIGITS, model.rowCount()))
        ]

        def spare(most: int, extra: float) -> float:
            heights = (self._texts.height_up_to(one, font, width, most) for one in texts)
            rows = (max(one, scale.line * 1.3) for one in heights)
            return room - sum(rows) - len(texts) * (extra + 1)

        # More text has priority over wide rows.
        full = len(texts) * 2 * scale.pad
        for extra in (about, 0.0):
            for most in range(_MOST_LINES, 1, -1):
                if spare(most, extra) >= full:
                    return _Fitting(most, bool(extra), scale.pad)
        n_pads, least = max(1, 2 * len(texts)), scale.line * _LEAST_PAD
        if spare(2, 0.0) >= n_pads * least:
            return _Fitting(2, False, spare(2, 0.0) / n_pads)
        if spare(1, about) >= full:
            return _Fitting(1, True, scale.pad)
        return _Fitting(1, False, min(scale.pad, max(least, spare(1, 0.0) / n_pads)))

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        ref = index.data(SUBJECT)
        if isinstance(ref, Document):
            self._paint_document(painter, rect, ref, font)
            return
        scale, columns = Scale.of(font), self.columns(rect.width(), font)
        pad = self._what_fits(index, font, columns.text_width).pad if self.is_clamped else scale.pad
        top = rect.top() + pad
        cap = QRectF(
            rect.left() + columns.cap, top - scale.line * 0.1, scale.line * 1.3, scale.line * 1.25
        )
        self._paint_cap(painter, cap, ref, font)
        at = QPointF(rect.left() + columns.label, top)
        self._paint_label(painter, at, ref, font)
        marks = self._marks(self._sources.facts(ref))
        width = self._width_of_text(index, font, columns, has_marks=bool(marks))
        text, spans = self._shown(index, ref, font, width, columns.text_width)
        at = QPointF(rect.left() + columns.text, top + columns.drop)
        ink, back = self.colour("text"), self.colour("highlight_match")
        self._texts.draw(painter, at, text, font, width, ink, spans, back)
        room = columns.text_width
        if self._has_marks_below and not columns.drop:
            height = _about_height(font)
            left, below = rect.left() + columns.text, rect.bottom() - pad - height
            gutter = QRectF(left + room / 2, below, room / 2, height)
            room = self._paint_gutter(painter, gutter, marks, font) - left
        else:
            left, below = rect.left() + columns.gutter, rect.height() - pad
            self._paint_gutter(painter, QRectF(left, top, columns.gutter_width, below), marks, font)
        if self._shows_address(index, font, columns.text_width):
            self._paint_about(painter, rect, ref, font, room)

    def _paint_about(
        self, painter: QPainter, rect: QRectF, ref: SentenceRef, font: QFont, room: float
    ) -> None:
        """Paints the sentence's address below its text, as far as it fits."""
        scale, columns, small = Scale.of(font), self.columns(rect.width(), font), smaller(font)
        metrics = metrics_of(small)
        elided = Qt.TextElideMode.ElideRight
        about = metrics.elidedText(self._sources.about(ref), elided, room)
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        baseline = rect.bottom() - scale.pad - metrics.descent()
        painter.drawText(QPointF(rect.left() + columns.text, baseline), about)

    def _paint_document(
        self, painter: QPainter, rect: QRectF, document: Document, font: QFont
    ) -> None:
        scale = Scale.of(font)
        painter.fillRect(rect, self.colour("raised"))
        inner = rect.adjusted(scale.pad + scale.bar, 0, -scale.pad, 0)
        small, room = smaller(font), inner.width() - scale.line
        title = document.title or document.id
        parts = (document.id if document.title else None, document.source, document.date)
        about = "  ".join(part for part in parts if part)
        needed = metrics_of(bold(font)).horizontalAdvance(title)
        about = metrics_of(small).elidedText(
            about, Qt.TextElideMode.ElideLeft, max(room - needed, room * _LEAST_ABOUT)
        )
        about_width = metrics_of(small).horizontalAdvance(about)
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, about)
        painter.setFont(bold(font))
        painter.setPen(self.colour("text"))
        inner.setWidth(room - about_width)
        title = metrics_of(bold(font)).elidedText(title, Qt.TextElideMode.ElideRight, inner.width())
        if is_right_to_left(title):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_cap(self, painter: QPainter, rect: QRectF, ref: SentenceRef, font: QFont) -> None:
        """Paints the key that links the sentence, or a checkbox."""
        facts, digit = self._sources.facts(ref), self._sources.digit(ref)
        text = str(digit) if digit else ""
        painter.setFont(bold(font))
        if facts.is_linked:
            accent, ink = self.colour("accent"), self.colour("accent_text")
            draw_chip(painter, rect, text, back=accent, ink=ink)
            if not digit:
                draw_check(painter, rect.adjusted(3, 3, -3, -3), ink)
        elif facts.others:
            accent = self.colour("accent")
            draw_chip(
                painter, rect, text, back=self.colour("accent_soft"),
                ink=self.colour("text"), border=accent,
            )  # fmt: skip
        else:
            face = self.colour("raised") if digit else None
            line = self.colour("muted") if digit else self.colour("line")
            draw_chip(painter, rect, text, back=face, ink=self.colour("text"), border=line)

    def _paint_label(self, painter: QPainter, at: QPointF, ref: SentenceRef, font: QFont) -> None:
        scale, is_linked = Scale.of(font), self._sources.facts(ref).is_linked
        painter.setFont(bold(font) if is_linked else font)
        painter.setPen(self.colour("text" if is_linked else "muted"))
        metrics = metrics_of(painter.font())
        label = self._sources.label(ref)
        painter.drawText(QPointF(at.x(), at.y() + metrics.ascent()), label)
        if is_linked and self._sources.digit(ref):
            side = scale.line * 0.8
            x = at.x() + metrics.horizontalAdvance(label) + 1
            draw_check(
                painter, QRectF(x, at.y() + scale.line * 0.1, side, side), self.colour("accent")
            )

    def _paint_gutter(
        self, painter: QPainter, rect: QRectF, marks: list[_Mark], font: QFont
    ) -> float:
        """Paints marks from the right, wrapping below; returns the left end of the first line."""
        scale = Scale.of(font)
        small = smaller(font, _MARK)
        metrics = metrics_of(small)
        height = metrics.height() * _MARK_LINE
        painter.setFont(small)
        x, y = rect.right(), rect.top()
        for text, back, border in marks:
            width = min(chip_width(text, small), rect.width())
            if x - width < rect.left() and x < rect.right():
                x, y = rect.right(), y + height + scale.line * 0.12
            if y + height > rect.bottom() + 1:
                break
            draw_chip(
                painter, QRectF(x - width, y, width, height), cut_mark(text, small, width),
                back=back, ink=self.colour("text"), border=border,
            )  # fmt: skip
            x -= width + scale.line * 0.15
        return x

    def _marks(self, facts: SourceFacts) -> list[_Mark]:
        """Returns the marks, the selected sentence's first: low rows cut the rest."""
        marks: list[_Mark] = []
        gutter, line = self.colour("gutter"), self.colour("muted")
        if facts.others:
            numbers = ranges_text([idx + 1 for idx in facts.others])
            text = tr("alt {numbers}").format(numbers=numbers)
            marks.append((text, self.colour("accent_soft"), self.colour("accent")))
        if facts.like:
            marks.append(
                (f"≈ {self._sources.label(facts.like)}", self.colour("near_duplicate"), line)
            )
        for n in reversed(facts.used_by):
            marks.append((str(n), gutter, None))
        return marks


def ranges_text(numbers: Sequence[int]) -> str:
    """Returns ascending numbers with runs drawn together: 1, 2, 3, 5 is `1–3,5`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(
        f"{run[0]}–{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def _about_height(font: QFont) -> float:
    """Returns the height of the line of address and marks."""
    marks = metrics_of(smaller(font, _MARK)).height() * _MARK_LINE
    return float(max(metrics_of(smaller(font)).height(), marks))


def _columns(width: float, font: QFont) -> _Columns:
    scale = Scale.of(font)
    label_width = metrics_of(bold(font)).horizontalAdvance("s000") + scale.line * 1.15
    gutter_width = scale.line * 2.8
    cap = scale.pad + scale.bar
    label = cap + scale.line * 1.3 + scale.gap * 1.4
    text = label + label_width
    gutter = min(width - scale.pad - gutter_width, text + scale.line * _WIDEST_TEXT)
    return _Columns(cap, label, text, gutter - scale.gap - text, gutter, gutter_width)


def _below(columns: _Columns, font: QFont) -> _Columns:
    """Returns columns with the text below the digit, and the marks beside the digit."""
    end, before = columns.gutter + columns.gutter_width, columns.text
    return replace(
        columns, text=columns.cap, text_width=end - columns.cap, gutter=before,
        gutter_width=end - before, drop=Scale.of(font).line * 1.4,
    )  # fmt: skip

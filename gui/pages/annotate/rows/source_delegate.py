"""Rows of the sources: digit, short name, text with matching words, and marks in the gutter."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from awase.gui.kit.rows.painting import (
    Scale,
    bold,
    chip_width,
    draw_check,
    draw_chip,
    smaller,
)
from awase.gui.kit.rows.row_delegate import Index, RowDelegate
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.annotate.rows.roles import SourceRole


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the parts of a row begin, from its left edge."""

    cap: float
    label: float
    text: float
    text_width: float
    gutter: float
    gutter_width: float


class SourceDelegate(RowDelegate):
    """Paints source sentences, and the documents above them."""

    _columns_key: tuple[int, str] | None = None

    def columns(self, width: float, font: QFont) -> _Columns:
        """Returns where the parts of rows begin; they are measured once for a width and font."""
        key = (round(width), font.key())
        if key != self._columns_key:
            self._columns_key, self._columns = key, _columns(width, font)
        return self._columns

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        scale = Scale.of(font)
        if index.data(SourceRole.IS_DOCUMENT):
            return scale.line + 2 * scale.pad
        columns = self.columns(width, font)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        height = self._texts.height(text, font, columns.text_width)
        return max(height, scale.line * 1.3) + 2 * scale.pad

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        if index.data(SourceRole.IS_DOCUMENT):
            self._paint_document(painter, rect, index, font)
            return
        scale, columns = Scale.of(font), self.columns(rect.width(), font)
        top = rect.top() + scale.pad
        cap = QRectF(
            rect.left() + columns.cap, top - scale.line * 0.1, scale.line * 1.3, scale.line * 1.25
        )
        self._paint_cap(painter, cap, index, font)
        self._paint_label(painter, QPointF(rect.left() + columns.label, top), index, font)
        self._texts.draw(
            painter,
            QPointF(rect.left() + columns.text, top),
            index.data(Qt.ItemDataRole.DisplayRole),
            font,
            columns.text_width,
            self.colour("text"),
            index.data(SourceRole.SPANS),
            self.colour("highlight_match"),
        )
        gutter = QRectF(
            rect.left() + columns.gutter, top, columns.gutter_width, rect.height() - scale.pad
        )
        self._paint_gutter(painter, gutter, index, font)

    def _paint_document(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale = Scale.of(font)
        painter.fillRect(rect, self.colour("raised"))
        inner = rect.adjusted(scale.pad + scale.bar, 0, -scale.pad, 0)
        small = smaller(font)
        about = index.data(SourceRole.LABEL)
        about_width = QFontMetricsF(small).horizontalAdvance(about)
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, about)
        painter.setFont(bold(font))
        painter.setPen(self.colour("text"))
        title = QFontMetricsF(bold(font)).elidedText(
            index.data(Qt.ItemDataRole.DisplayRole),
            Qt.TextElideMode.ElideRight,
            inner.width() - about_width - scale.line,
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_cap(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        """Draws the key that links the sentence, or a box to click when it has none."""
        digit = index.data(SourceRole.DIGIT)
        text = str(digit) if digit else ""
        painter.setFont(bold(font))
        if index.data(SourceRole.IS_LINKED):
            accent, ink = self.colour("accent"), self.colour("accent_text")
            draw_chip(painter, rect, text, back=accent, ink=ink)
            if not digit:
                draw_check(painter, rect.adjusted(3, 3, -3, -3), ink)
        elif index.data(SourceRole.OTHERS):
            accent = self.colour("accent")
            draw_chip(
                painter, rect, text, back=self.colour("accent_soft"),
                ink=self.colour("text"), border=accent,
            )  # fmt: skip
        else:
            face = self.colour("raised") if digit else None
            line = self.colour("muted") if digit else self.colour("line")
            draw_chip(painter, rect, text, back=face, ink=self.colour("text"), border=line)

    def _paint_label(self, painter: QPainter, at: QPointF, index: Index, font: QFont) -> None:
        scale = Scale.of(font)
        is_linked = index.data(SourceRole.IS_LINKED)
        painter.setFont(bold(font) if is_linked else font)
        painter.setPen(self.colour("text" if is_linked else "muted"))
        metrics = QFontMetricsF(painter.font())
        label = index.data(SourceRole.LABEL)
        painter.drawText(QPointF(at.x(), at.y() + metrics.ascent()), label)
        if is_linked and index.data(SourceRole.DIGIT):
            side = scale.line * 0.8
            x = at.x() + metrics.horizontalAdvance(label) + 1
            draw_check(
                painter, QRectF(x, at.y() + scale.line * 0.1, side, side), self.colour("accent")
            )

    def _paint_gutter(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        """Draws marks from the right, and further lines of them below; the last one counts."""
        scale = Scale.of(font)
        small = smaller(font, 0.88)
        metrics = QFontMetricsF(small)
        height = metrics.height() * 1.06
        painter.setFont(small)
        x, y = rect.right(), rect.top()
        for text, back, border in self._marks(index):
            width = min(chip_width(text, small), rect.width())
            if x - width < rect.left() and x < rect.right():
                x, y = rect.right(), y + height + scale.line * 0.12
            if y + height > rect.bottom():
                break
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            draw_chip(
                painter, QRectF(x - width, y, width, height), elided,
                back=back, ink=self.colour("text"), border=border,
            )  # fmt: skip
            x -= width + scale.line * 0.15

    def _marks(self, index: Index) -> list[tuple[str, QColor, QColor | None]]:
        marks: list[tuple[str, QColor, QColor | None]] = []
        gutter, line = self.colour("gutter"), self.colour("muted")
        for n in reversed(index.data(SourceRole.USED_BY)):
            marks.append((str(n), gutter, None))
        others = index.data(SourceRole.OTHERS)
        if others:
            text = tr("alt {numbers}").format(numbers=ranges_text([idx + 1 for idx in others]))
            marks.append((text, self.colour("accent_soft"), self.colour("accent")))
        like = index.data(SourceRole.LIKE)
        if like:
            marks.append((f"≈ {like}", self.colour("near_duplicate"), line))
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


def _columns(width: float, font: QFont) -> _Columns:
    scale = Scale.of(font)
    label_width = QFontMetricsF(bold(font)).horizontalAdvance("s000") + scale.line * 1.15
    gutter_width = scale.line * 2.8
    cap = scale.pad + scale.bar
    label = cap + scale.line * 1.3 + scale.gap * 1.4
    text = label + label_width
    gutter = width - scale.pad - gutter_width
    return _Columns(cap, label, text, gutter - scale.gap - text, gutter, gutter_width)

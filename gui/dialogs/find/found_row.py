"""Rows of matches: address, and a line of the text around the first match."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from awase.core.text.script import Span
from awase.gui.dialogs.find.corpus_model import FoundRole
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.rows.painting import Scale
from awase.gui.kit.rows.row_delegate import Index
from awase.gui.kit.rows.wrapped_text import WrappedText
from awase.gui.kit.texts.direction import mark_for_part

_LABEL_LINES = 10
_LETTERS_BEFORE = 20
_MOST_LETTERS = 400  # no line on a screen is longer; measuring more would only take time


class FoundDelegate(QStyledItemDelegate):
    """Paints a match on one line of fixed height."""

    def __init__(self, themes: ThemeBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._themes = themes
        self._widget = parent
        self._texts = WrappedText()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        theme, scale, rect = self._themes.theme, Scale.of(self._widget.font()), QRectF(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, theme.colour("accent_soft" if is_current else "base"))
        if is_current:
            bar = QRectF(rect.left(), rect.top(), scale.bar, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        painter.setFont(self._widget.font())
        inner = rect.adjusted(scale.pad + scale.bar, 0, -scale.pad, 0)
        metrics = QFontMetricsF(self._widget.font())
        label = QRectF(inner.left(), inner.top(), scale.line * _LABEL_LINES, inner.height())
        painter.setPen(theme.colour("muted"))
        elided = metrics.elidedText(
            index.data(FoundRole.LABEL), Qt.TextElideMode.ElideMiddle, label.width() - scale.gap
        )
        painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, elided)
        inner.setLeft(label.right())
        self._paint_text(painter, inner, index, metrics)
        painter.restore()

    def _paint_text(
        self, painter: QPainter, rect: QRectF, index: Index, metrics: QFontMetricsF
    ) -> None:
        text, spans = around_match(
            index.data(Qt.ItemDataRole.DisplayRole), index.data(FoundRole.SPANS),
            rect.width(), metrics,
        )  # fmt: skip
        theme = self._themes.theme
        at = QPointF(rect.left(), rect.center().y() - metrics.height() / 2)
        self._texts.draw_line(
            painter, at, text, self._widget.font(), rect.width(), theme.colour("text"),
            spans, theme.colour("highlight_match"),
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
            cut -= 1  # nothing is left out beside empty room
            rest = text[cut] + rest
    part = text[cut : cut + _MOST_LETTERS].replace("\n", " ")
    before = mark_for_part(part, text) + ("…" if cut else "")
    shown = before + part
    shift = len(before) - cut
    inside = ((start + shift, end + shift) for start, end in spans)
    return shown, tuple(span for span in inside if span[1] <= len(shown))

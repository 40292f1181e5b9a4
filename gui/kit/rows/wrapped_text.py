"""Wrapped text with layouts cached by width, for heights and lines of rows."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from awase.gui.kit.rows.painting import font_key, metrics_of
from awase.gui.kit.texts.direction import is_right_to_left

_MOST_LAYOUTS: Final = 2_000
_LINE: Final = 1.06  # from one line to the next, in heights of a line
Span = tuple[int, int]


class WrappedText:
    """LRU cache of text layouts."""

    def __init__(self) -> None:
        self._layouts: OrderedDict[tuple[object, ...], tuple[QTextLayout, float]] = OrderedDict()

    def height(self, text: str, font: QFont, width: float) -> float:
        """Returns the height of `text` at `width`."""
        return self._layout(text, font, width)[1]

    def height_up_to(self, text: str, font: QFont, width: float, most: int) -> float:
        """Returns the maximal height of `most` lines of `text`, or of all of it."""
        # Lines are as high as fallback fonts for letters that the font lacks.
        layout, height = self._layout(text, font, width)
        n_lines = layout.lineCount()
        if n_lines <= most:
            return height
        return most * _LINE * max(layout.lineAt(at).height() for at in range(n_lines))

    def n_lines(self, text: str, font: QFont, width: float) -> int:
        """Returns the number of lines of `text` at `width`, at least one."""
        return max(1, self._layout(text, font, width)[0].lineCount())

    def first_lines(self, text: str, font: QFont, width: float, most: int) -> str:
        """Returns `text` elided to `most` lines."""
        layout, _ = self._layout(text, font, width)
        if layout.lineCount() <= most:
            return text
        # Qt counts UTF-16 units; characters beyond the first plane have two.
        n_bytes = 2 * layout.lineAt(most - 1).textStart()
        before = text.encode("utf-16-le")[:n_bytes].decode("utf-16-le")
        rest = text[len(before) :].replace("\n", " ")
        return before + metrics_of(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)

    def draw(
        self,
        painter: QPainter,
        at: QPointF,
        text: str,
        font: QFont,
        width: float,
        ink: QColor,
        spans: Sequence[Span] = (),
        mark: QColor | None = None,
    ) -> None:
        """Draws `text`, with `spans` (offsets of characters) marked by a band and an underline."""
        layout, _ = self._layout(text, font, width)
        _draw(painter, at, layout, text, ink, spans, mark)

    def draw_line(
        self,
        painter: QPainter,
        at: QPointF,
        text: str,
        font: QFont,
        width: float,
        ink: QColor,
        spans: Sequence[Span] = (),
        mark: QColor | None = None,
    ) -> None:
        """Draws `text` elided to one line; see `draw`."""
        shown = metrics_of(font).elidedText(
            text.replace("\n", " "), Qt.TextElideMode.ElideRight, width
        )
        within = [(start, min(end, len(shown))) for start, end in spans if start < len(shown)]
        layout, _ = self._layout(shown, font, width, wraps=False)
        _draw(painter, at, layout, shown, ink, within, mark)

    def _layout(
        self, text: str, font: QFont, width: float, *, wraps: bool = True
    ) -> tuple[QTextLayout, float]:
        key = (text, round(width), font_key(font), wraps)
        known = self._layouts.get(key)
        if known is not None:
            self._layouts.move_to_end(key)
            return known
        made = _laid_out(text, font, width, wraps=wraps)
        self._layouts[key] = made
        if len(self._layouts) > _MOST_LAYOUTS:
            self._layouts.popitem(last=False)
        return made


def _draw(
    painter: QPainter,
    at: QPointF,
    layout: QTextLayout,
    text: str,
    ink: QColor,
    spans: Sequence[Span],
    mark: QColor | None,
) -> None:
    painter.setPen(ink)
    layout.draw(painter, at, _formats(text, spans, ink, mark) if mark is not None else [])


def _laid_out(text: str, font: QFont, width: float, *, wraps: bool) -> tuple[QTextLayout, float]:
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption()
    modes = QTextOption.WrapMode
    option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if wraps else modes.NoWrap)
    if is_right_to_left(text):
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    height = 0.0
    layout.beginLayout()
    line = layout.createLine()
    while line.isValid():
        line.setLineWidth(max(width, 1.0))
        line.setPosition(QPointF(0, height))
        height += line.height() * _LINE
        line = layout.createLine()
    layout.endLayout()
    return layout, height


def _formats(
    text: str, spans: Sequence[Span], ink: QColor, mark: QColor
) -> list[QTextLayout.FormatRange]:
    marked = QTextCharFormat()
    marked.setBackground(QBrush(mark))
    marked.setForeground(QBrush(ink))
    marked.setFontUnderline(True)
    marked.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    line = QColor(ink)
    line.setAlphaF(0.45)
    marked.setUnderlineColor(line)
    return [_range(text, span, marked) for span in spans]


def _range(text: str, span: Span, marked: QTextCharFormat) -> QTextLayout.FormatRange:
    """Converts offsets to Qt's UTF-16 units."""
    start, end = span
    found = QTextLayout.FormatRange()
    if text.isascii():
        found.start, found.length = start, end - start
    else:
        found.start = len(text[:start].encode("utf-16-le")) // 2
        found.length = len(text[start:end].encode("utf-16-le")) // 2
    found.format = marked
    return found

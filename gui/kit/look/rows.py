"""Delegates of lists and tables: shapes, wrapped texts, the panes' rows."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from awase.core.records.abstract import AlignmentState
from awase.gui.kit.i18n import is_right_to_left, mark, mark_for_part
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Index

# English; shown through `tr`.
STATE_NAMES: Final[Mapping[AlignmentState, str]] = {
    AlignmentState.TODO: mark("to do"),
    AlignmentState.INCOMPLETE: mark("incomplete"),
    AlignmentState.CONFIRMED: mark("confirmed"),
    AlignmentState.NO_SOURCE: mark("no source"),
    AlignmentState.FLAGGED: mark("flagged"),
}


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths that follow from a font."""

    line: float
    pad: float
    gap: float
    bar: float  # width of the mark at the edge of the current row

    @classmethod
    def of(cls, font: QFont) -> "Scale":
        return _measured(font).scale


@dataclass(slots=True, eq=False)
class _Measured:
    """Cached font metrics: computing Qt's font key copies a text."""

    font: QFont
    key: str
    scale: Scale
    metrics: QFontMetricsF
    bold: QFont | None = None
    smaller: dict[float, QFont] = field(default_factory=dict)


_MOST_FONTS: Final = 24
_known_fonts: Final[list[_Measured]] = []


def _measured(font: QFont) -> _Measured:
    for known in _known_fonts:
        if known.font == font:
            return known
    line = float(QFontMetrics(font).height())
    scale = Scale(line, pad=line * 0.4, gap=line * 0.3, bar=line * 0.18)
    made = _Measured(QFont(font), font.key(), scale, QFontMetricsF(font))
    if len(_known_fonts) == _MOST_FONTS:
        del _known_fonts[0]
    _known_fonts.append(made)
    return made


def font_key(font: QFont) -> str:
    """Returns a key equal for fonts that look the same."""
    return _measured(font).key


def metrics_of(font: QFont) -> QFontMetricsF:
    return _measured(font).metrics


def smaller(font: QFont, share: float = 0.85) -> QFont:
    """Returns a smaller, shared, immutable `font` for secondary text."""
    known = _measured(font).smaller
    if share not in known:
        known[share] = QFont(font)
        known[share].setPointSizeF(font.pointSizeF() * share)
    return known[share]


def bold(font: QFont) -> QFont:
    measured = _measured(font)
    if measured.bold is None:
        measured.bold = QFont(font)
        measured.bold.setBold(True)
    return measured.bold


def draw_chip(
    painter: QPainter,
    rect: QRectF,
    text: str,
    *,
    back: QColor | None,
    ink: QColor,
    border: QColor | None = None,
    dashed: bool = False,
) -> None:
    """Draws `text` on a rounded face, with a border, or both."""
    radius = min(rect.height() * 0.22, rect.width() * 0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(border, 1, style) if border is not None else Qt.PenStyle.NoPen)
    painter.setBrush(back if back is not None else Qt.BrushStyle.NoBrush)
    # Half a pixel in, so that a border of one pixel is sharp.
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setPen(ink)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def chip_width(text: str, font: QFont) -> float:
    metrics = metrics_of(font)
    return max(metrics.height(), metrics.horizontalAdvance(text) + metrics.height() * 0.55)


def draw_check(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, max(1.4, rect.height() * 0.13))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline(
        [
            QPointF(rect.left() + rect.width() * 0.2, rect.top() + rect.height() * 0.55),
            QPointF(rect.left() + rect.width() * 0.42, rect.top() + rect.height() * 0.76),
            QPointF(rect.left() + rect.width() * 0.8, rect.top() + rect.height() * 0.28),
        ]
    )


def draw_cross(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, max(1.2, rect.height() * 0.09))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    inner = rect.adjusted(
        rect.width() * 0.3, rect.height() * 0.3, -rect.width() * 0.3, -rect.height() * 0.3
    )
    painter.drawLine(inner.topLeft(), inner.bottomRight())
    painter.drawLine(inner.topRight(), inner.bottomLeft())


def draw_state(
    painter: QPainter, rect: QRectF, state: AlignmentState, back: QColor, ink: QColor
) -> None:
    """Draws a state by shape: empty, half or full circle with check, crossed circle, flag."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    width = max(1.2, rect.height() * 0.1)
    circle = rect.adjusted(width, width, -width, -width)
    if state is AlignmentState.FLAGGED:
        _draw_flag(painter, circle, back, ink, width)
        return
    painter.setPen(QPen(ink, width))
    painter.setBrush(Qt.BrushStyle.NoBrush if state is AlignmentState.TODO else back)
    painter.drawEllipse(circle)
    if state is AlignmentState.INCOMPLETE:
        painter.setBrush(ink)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPie(circle, 90 * 16, 180 * 16)
    elif state is AlignmentState.CONFIRMED:
        draw_check(painter, circle, ink)
    elif state is AlignmentState.NO_SOURCE:
        inset = circle.width() * 0.15
        painter.drawLine(
            circle.topRight() + QPointF(-inset, inset), circle.bottomLeft() + QPointF(inset, -inset)
        )


def _draw_flag(painter: QPainter, rect: QRectF, back: QColor, ink: QColor, width: float) -> None:
    path = QPainterPath(QPointF(rect.left() + rect.width() * 0.22, rect.top()))
    path.lineTo(rect.right(), rect.top() + rect.height() * 0.28)
    path.lineTo(rect.left() + rect.width() * 0.22, rect.top() + rect.height() * 0.56)
    path.closeSubpath()
    painter.setPen(QPen(ink, width))
    painter.setBrush(back)
    painter.drawPath(path)
    x = rect.left() + rect.width() * 0.22
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))


_MOST_LAYOUTS: Final = 2_000
_LINE: Final = 1.06  # from one line to the next, in heights of a line
Span = tuple[int, int]


class WrappedText:
    """LRU cache of text layouts."""

    def __init__(self) -> None:
        self._layouts: OrderedDict[tuple[object, ...], tuple[QTextLayout, float]] = OrderedDict()

    def height(self, text: str, font: QFont, width: float) -> float:
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
        return max(1, self._layout(text, font, width)[0].lineCount())

    def first_lines(self, text: str, font: QFont, width: float, most: int) -> str:
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
        *,
        wraps: bool = True,
    ) -> None:
        """Draws `text`, with `spans` (offsets of characters) marked by a band and an underline.

        Without `wraps` it is elided to one line.
        """
        if not wraps:
            line = text.replace("\n", " ")
            text = metrics_of(font).elidedText(line, Qt.TextElideMode.ElideRight, width)
            spans = [(start, min(end, len(text))) for start, end in spans if start < len(text)]
        layout, _ = self._layout(text, font, width, wraps=wraps)
        painter.setPen(ink)
        layout.draw(painter, at, _formats(text, spans, ink, mark) if mark is not None else [])

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


_BEFORE = 12  # characters shown before the first word that matters, where there is room


def clamped(
    text: str, spans: Sequence[Span], capacity: int, fits: Callable[[str], bool]
) -> tuple[str, tuple[Span, ...]]:
    """Returns the part of `text` with most of `spans`, and their offsets in it."""
    if fits(text):
        return text, tuple(spans)
    size = max(1, min(capacity, len(text)))
    while True:
        start = _start(text, spans, size)
        end = min(len(text), start + size)
        part = text[start:end].strip()
        before = mark_for_part(part, text) + ("…" if start else "")
        cut = before + part + ("…" if end < len(text) else "")
        if fits(cut) or size <= 1:
            return cut, _moved(text, spans, start, end, len(before))
        size = max(1, size - max(1, size // 12))


def _start(text: str, spans: Sequence[Span], size: int) -> int:
    """Returns the start of the window of `size` with most spans, the earliest of equal ones."""

    def held(start: int) -> int:
        return sum(start <= a and b <= start + size for a, b in spans)

    starts = [0, *(max(0, a - _BEFORE) for a, _ in spans)]
    start = max(starts, key=lambda one: (held(one), -one))
    start = min(start, max(0, len(text) - size))
    blank = text.find(" ", start, start + _BEFORE)
    return blank + 1 if start and blank >= 0 else start


def _moved(
    text: str, spans: Sequence[Span], start: int, end: int, n_before: int
) -> tuple[Span, ...]:
    stripped = len(text[start:end]) - len(text[start:end].lstrip())
    by = n_before - start - stripped
    last = len(text[start:end].rstrip()) + start
    return tuple((a + by, min(b, last) + by) for a, b in spans if start + stripped <= a < last)


class RowDelegate(QStyledItemDelegate):
    """Paints a row edge to edge; subclasses define height and content."""

    # Hidden rows count as a line high: while a page is built, all its heights are requested for
    # widths that it will never have. The view checks `has_guessed` when shown.

    def __init__(self, themes: ThemeBox, view: QAbstractItemView) -> None:
        super().__init__(view)
        view.setItemDelegate(self)
        self._themes = themes
        self._view = view
        self._texts = WrappedText()
        self._has_guessed = False
        self._height_by_row: dict[int, int] = {}

    def has_guessed(self) -> bool:
        has_guessed, self._has_guessed = self._has_guessed, False
        return has_guessed

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        if not self._view.isVisible():
            self._has_guessed = True
            return QSize(width, round(Scale.of(self._view.font()).line))
        row = index.row()
        if not (self._themes.is_changing and row in self._height_by_row):
            height = self.row_height(index, self._view.font(), float(width))
            self._height_by_row[row] = round(height)
        return QSize(width, self._height_by_row[row])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        rect = QRectF(option.rect)
        self._paint_ground(painter, option, rect, index)
        self.paint_row(painter, rect, index, self._view.font())
        painter.restore()

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        raise NotImplementedError

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        raise NotImplementedError

    def is_marked(self, index: Index) -> bool:
        current = self._view.currentIndex()
        return bool(current.isValid() and current == index)

    def colour(self, role: str) -> QColor:
        return self._themes.theme.colour(role)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRectF, index: Index
    ) -> None:
        marked = self.is_marked(index)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = "accent_soft" if marked else ("alternate" if hovered else "base")
        painter.fillRect(rect, self.colour(ground))
        line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(line, self.colour("line"))
        if marked:
            bar = Scale.of(self._view.font()).bar
            colour = self.colour("accent" if self._view.hasFocus() else "muted")
            painter.fillRect(QRectF(rect.left(), rect.top(), bar, rect.height() - 1), colour)


class LineDelegate(RowDelegate):
    """Paints a row without borders; only the selected one has a ground of its own."""

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRectF, index: Index
    ) -> None:
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, self.colour("accent_soft" if is_selected else "base"))
        if is_selected:
            bar = Scale.of(self._view.font()).bar
            edge = QRectF(rect.left(), rect.top(), bar, rect.height())
            painter.fillRect(edge, self.colour("accent"))


class WrappingDelegate(QStyledItemDelegate):
    """Adds the style sheet's padding to wrapped rows, which Qt omits."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view, line_px = self._view, option.fontMetrics.height()
        width, least = view.viewport().width(), line_px
        if isinstance(view, QTableView):
            width = least = view.columnWidth(index.column())
        around = self._around_text(option)
        space = QRect(0, 0, max(line_px, width - around.width()), 0)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        text = option.fontMetrics.boundingRect(space, flags, str(index.data()))
        # A list is as wide as its widest row: a smaller hint would disable horizontal scrolling.
        return QSize(least, text.height() + max(line_px // 2, around.height()))

    def _around_text(self, option: QStyleOptionViewItem) -> QSize:
        # Larger for small letters; a pixel too little would break an extra line.
        large, view, style = QStyleOptionViewItem(option), self._view, self._view.style()
        large.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        large.rect = QRect(0, 0, option.fontMetrics.height() * 9, option.fontMetrics.height() * 9)
        text = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, large, view)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, large, view) + 1
        return large.rect.size() - text.size() + QSize(2 * margin, 0)

"""Shapes of rows; lengths are in heights of a line."""

from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QPen

from awase.core.records.alignment import AlignmentState


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths that follow from a font."""

    line: float

    @classmethod
    def of(cls, font: QFont) -> "Scale":
        """Returns the lengths for rows written in `font`."""
        return _measured(font).scale

    @property
    def pad(self) -> float:
        """Padding at a row's edge."""
        return self.line * 0.4

    @property
    def gap(self) -> float:
        """Gap between a row's parts."""
        return self.line * 0.3

    @property
    def radius(self) -> float:
        """Of chips."""
        return self.line * 0.2

    @property
    def bar(self) -> float:
        """Width of the mark at the edge of the current row."""
        return self.line * 0.18


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
    made = _Measured(
        QFont(font), font.key(), Scale(float(QFontMetrics(font).height())), QFontMetricsF(font)
    )
    if len(_known_fonts) == _MOST_FONTS:
        del _known_fonts[0]
    _known_fonts.append(made)
    return made


def font_key(font: QFont) -> str:
    """Returns a key equal for fonts that look the same."""
    return _measured(font).key


def metrics_of(font: QFont) -> QFontMetricsF:
    """Returns the shared metrics of `font`."""
    return _measured(font).metrics


def smaller(font: QFont, share: float = 0.85) -> QFont:
    """Returns a smaller, shared, immutable `font` for secondary text."""
    known = _measured(font).smaller
    if share not in known:
        known[share] = QFont(font)
        known[share].setPointSizeF(font.pointSizeF() * share)
    return known[share]


def bold(font: QFont) -> QFont:
    """Returns the shared bold `font`."""
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
    """Returns the width of a chip with `text`."""
    metrics = metrics_of(font)
    return max(metrics.height(), metrics.horizontalAdvance(text) + metrics.height() * 0.55)


def draw_check(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    """Draws a check mark."""
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
    """Draws the cross of something that can be removed."""
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

"""The small shapes that rows are made of. Every length is a part of the height of a line."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QPen

from awase.core.records.alignment import AlignmentState


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths that follow from a font.

    Attributes:
        line: Height of a line of text.
    """

    line: float

    @classmethod
    def of(cls, font: QFont) -> "Scale":
        """Returns the lengths for rows written in `font`."""
        return cls(float(QFontMetrics(font).height()))

    @property
    def pad(self) -> float:
        """Between a row's edge and what is in it."""
        return self.line * 0.4

    @property
    def gap(self) -> float:
        """Between things in a row."""
        return self.line * 0.3

    @property
    def radius(self) -> float:
        """Of chips."""
        return self.line * 0.2

    @property
    def bar(self) -> float:
        """Width of the mark at the edge of the current row."""
        return self.line * 0.18


def smaller(font: QFont, share: float = 0.85) -> QFont:
    """Returns `font` for what is said by the way."""
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * share)
    return small


def bold(font: QFont) -> QFont:
    """Returns `font` with weight."""
    heavy = QFont(font)
    heavy.setBold(True)
    return heavy


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
    """Returns how wide a chip with `text` is."""
    metrics = QFontMetricsF(font)
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

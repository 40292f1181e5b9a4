"""Draws a picture of `core.plots` with Qt, in the colours of a palette or of paper."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
)

from awase.core.plots.picture import N_SERIES, Box, Dot, Label, Line, Picture, Shape, colour_of
from awase.gui.kit.look.emphasis import has_bold_face
from awase.gui.kit.look.theme import Theme

_DESIGN_PX: Final = 32
_PATH_LETTERS: Final = {
    QPainterPath.ElementType.MoveToElement: "M",
    QPainterPath.ElementType.LineToElement: "L",
    QPainterPath.ElementType.CurveToElement: "C",
}


def colours_of(theme: Theme) -> Mapping[str, str]:
    """Returns the colours of pictures in the window's palette."""
    return {
        "ink": theme.colours.text,
        "muted": theme.colours.muted,
        "line": theme.colours.line,
        "back": theme.colours.base,
        "shade": theme.colours.accent,
        **{f"series-{idx}": theme.bar(idx).name() for idx in range(N_SERIES)},
    }


def image_of(picture: Picture, colours: Mapping[str, str], scale: float) -> QImage:
    """Returns the picture as pixels, `scale` of them a point."""
    size = QSize(round(picture.width * scale), round(picture.height * scale))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(colours["back"]))
    painter = QPainter(image)
    painter.scale(scale, scale)
    draw(painter, picture, colours, QFont())
    painter.end()
    return image


def draw(
    painter: QPainter,
    picture: Picture,
    colours: Mapping[str, str],
    font: QFont,
    within: QRectF | None = None,
) -> None:
    """Paints the picture; the painter's unit is a point.

    Args:
        within: Shapes outside may be skipped; None = all are painted.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    known: dict[str, QColor] = {}
    edge = QPen(QColor(colours["back"]), 0.6)
    sides = None
    if within is not None:
        sides = (within.left(), within.top(), within.right(), within.bottom())
    for shape in picture.shapes:
        if sides is None or _may_touch(shape, *sides):
            name = shape.colour
            colour = known.get(name) or known.setdefault(name, QColor(colour_of(name, colours)))
            _draw(painter, shape, colour, edge, font)


def _may_touch(shape: Shape, least_x: float, least_y: float, most_x: float, most_y: float) -> bool:
    """Returns whether the shape's bounds may overlap the rectangle."""
    if isinstance(shape, Line):
        return True
    if isinstance(shape, Box):
        left, top, right, bottom = shape.x, shape.y, shape.width, shape.height
        right, bottom = left + right, top + bottom
    else:
        reach = 2 * shape.radius if isinstance(shape, Dot) else shape.size * (len(shape.text) + 1)
        left, top = shape.x - reach, shape.y - reach
        right, bottom = shape.x + reach, shape.y + reach
    return left <= most_x and right >= least_x and top <= most_y and bottom >= least_y


def _draw(painter: QPainter, shape: Shape, colour: QColor, edge: QPen, font: QFont) -> None:
    if isinstance(shape, Line):
        painter.setPen(QPen(colour, shape.width))
        painter.drawLine(QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2))
    elif isinstance(shape, Box):
        painter.fillRect(QRectF(shape.x, shape.y, shape.width, shape.height), colour)
    elif isinstance(shape, Dot):
        painter.setPen(edge)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(shape.x, shape.y), shape.radius, shape.radius)
    else:
        _draw_label(painter, shape, colour, font)


def _draw_label(painter: QPainter, label: Label, colour: QColor, font: QFont) -> None:
    painter.save()
    painter.setPen(colour)
    painter.translate(label.x, label.y)
    painter.rotate(-label.turn)
    painter.scale(label.size / _DESIGN_PX, label.size / _DESIGN_PX)
    painter.setFont(sized_font(label, font))
    # The baseline is what a label's y means.
    painter.drawText(QPointF(-_before(label, font), 0.0), label.text)
    painter.restore()


def sized_font(label: Label, font: QFont) -> QFont:
    """Returns a label's font at 32 pixels, for a scaled painter."""
    # Pixel sizes are integers: 7.5 points would be drawn as 8, wider than the room.
    sized = QFont(font)
    sized.setPixelSize(_DESIGN_PX)
    sized.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    sized.setBold(label.is_bold and has_bold_face(sized, label.text))
    return sized


def _before(label: Label, font: QFont) -> float:
    """Returns the width left of a label's x, in pixels of `sized_font`."""
    if label.anchor == "start":
        return 0.0
    width = QFontMetricsF(sized_font(label, font)).horizontalAdvance(label.text)
    return width / 2 if label.anchor == "middle" else width


def outline_of(label: Label, font: QFont) -> str:
    """Returns the letters of a label as the path of an SVG."""
    path, scale = QPainterPath(), label.size / _DESIGN_PX
    path.addText(-_before(label, font), 0.0, sized_font(label, font), label.text)
    parts = []
    for at in range(path.elementCount()):
        element = path.elementAt(at)
        # Qt gives a curve as one element of its kind and two of data behind it.
        letter = _PATH_LETTERS.get(element.type, "")
        x, y = label.x + element.x * scale, label.y + element.y * scale
        parts.append(f"{letter}{x:.2f} {y:.2f}")
    return " ".join(parts)

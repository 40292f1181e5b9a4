"""Drawing of pictures of `core.plots` with Qt, and a canvas with selectable marks.

Many Japanese fonts have no bold face. Qt then thickens the regular one by a length of the requested
font size, not of a scaled painter's: 書 becomes a blob. Such text keeps its weight: headings are a
step larger, marked words have a band behind them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import ceil
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTextLayout,
)
from PySide6.QtWidgets import QToolTip, QWidget

from awase.core.plots.picture import (
    FONT_PT,
    N_SERIES,
    Box,
    Dot,
    Key,
    Label,
    Line,
    Picture,
    Shape,
    colour_of,
)
from awase.gui.kit.commands import ENTER
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import Why, declare


def has_bold_face(font: QFont, text: str) -> bool:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return all(_is_family_with_bold(run.rawFont().familyName()) for run in layout.glyphRuns())


@lru_cache(maxsize=64)
def _is_family_with_bold(family: str) -> bool:
    styles = QFontDatabase.styles(family)
    # A system may draw with a family that it does not list; then it knows what is bold of it.
    return not styles or any(QFontDatabase.bold(family, style) for style in styles)


_DESIGN_PX: Final = 32
_PATH_LETTERS: Final = {
    QPainterPath.ElementType.MoveToElement: "M",
    QPainterPath.ElementType.LineToElement: "L",
    QPainterPath.ElementType.CurveToElement: "C",
}


def colours_of(theme: Theme) -> Mapping[str, str]:
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
    """Paints the picture, in points; shapes outside `within` may be skipped (None = none)."""
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
    if label.anchor == "start":
        return 0.0
    width = QFontMetricsF(sized_font(label, font)).horizontalAdvance(label.text)
    return width / 2 if label.anchor == "middle" else width


def outline_of(label: Label, font: QFont) -> str:
    path, scale = QPainterPath(), label.size / _DESIGN_PX
    path.addText(-_before(label, font), 0.0, sized_font(label, font), label.text)
    parts = []
    for at in range(path.elementCount()):
        element = path.elementAt(at)
        # Qt splits a curve into one element of its kind and two of data.
        letter = _PATH_LETTERS.get(element.type, "")
        x, y = label.x + element.x * scale, label.y + element.y * scale
        parts.append(f"{letter}{x:.2f} {y:.2f}")
    return " ".join(parts)


# Width and height that there are, in points, to the picture.
Maker = Callable[[float, float], Picture]

_RING: Final = 1.8
_WAYS: Final = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class PictureCanvas(QWidget):
    """Scales a picture to its size."""

    # Marks are navigable with arrow keys; Enter or a click selects one.

    chosen = Signal(object)  # the `Key` of the mark that was chosen
    currentChanged = Signal(object)  # the `Key` of the current mark

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self.themes = themes
        self.make: Maker | None = None
        self._made: tuple[QSize, Picture] | None = None
        # The picture, and its marks.
        self._marks: tuple[Picture | None, list[Box | Dot]] = (None, [])
        self._current: Key = ()
        self.setMouseTracking(True)
        declare(self, self._why)
        themes.changed.connect(self.update)

    def show_picture(self, make: Maker | None) -> None:
        self.make, self._made = make, None
        self.ask_for_room()
        picture = self.picture()
        self.setAccessibleName(picture.title if picture is not None else "")
        keys = {shape.key for shape in self.marks()}
        if self._current not in keys:
            self._current = ()
        policy = Qt.FocusPolicy.StrongFocus if keys else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)
        self._tell()
        self.update()

    def show_current(self, key: Key) -> None:
        """Highlights the marks of `key` without signals."""
        self._current = key
        self._tell()
        self.update()

    def colours(self) -> Mapping[str, str]:
        """Returns the colours in which it is drawn, by their names in pictures."""
        return colours_of(self.themes.theme)

    def rectangle_of(self, mark: Box | Dot) -> QRectF:
        scale, around = self.scale_px(), _around(mark)
        return QRectF(around.topLeft() * scale, around.size() * scale)

    def picture(self) -> Picture | None:
        if self.make is None:
            return None
        if self._made is None or self._made[0] != self.size():
            scale = self.scale_px()
            self._made = (self.size(), self.make(self.width() / scale, self.height() / scale))
        return self._made[1]

    def ask_for_room(self) -> None:
        self.setMinimumSize(0, 0)
        if self.make is not None:
            least, scale = self.make(0.0, 0.0), self.scale_px()
            # A pixel less, and a heat map has no room for its numbers.
            self.setMinimumSize(ceil(least.width * scale), ceil(least.height * scale))

    def ground(self) -> QRect:
        return self.rect()

    def scale_px(self) -> float:
        """Returns pixels a point: a picture's text is as large as the window's."""
        return max(0.5, QFontInfo(self.font()).pixelSize() / FONT_PT)

    def tip_at(self, place: QPointF) -> str:
        """Returns the tooltip of the topmost shape at `place`, in pixels; empty = none."""
        picture = self.picture()
        at = place / self.scale_px()
        shapes = reversed(picture.shapes) if picture is not None else ()
        return next((_tip(shape) for shape in shapes if _tip(shape) and _holds(shape, at)), "")

    def key_at(self, place: QPointF) -> Key:
        """Returns the key of the topmost mark at `place`, in pixels; empty = none."""
        at = place / self.scale_px()
        return next((one.key for one in reversed(self.marks()) if _holds(one, at)), ())

    # Qt

    def sizeHint(self) -> QSize:
        side = self.fontMetrics().height() * 22
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() / 2

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and hasattr(self, "make"):
            self._made = None
            self.ask_for_room()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        has_mark = bool(self.key_at(event.position()))
        shape = Qt.CursorShape.PointingHandCursor if has_mark else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        key = self.key_at(event.position())
        if event.button() is not Qt.MouseButton.LeftButton or not key:
            super().mouseReleaseEvent(event)
            return
        self._go_to(key)
        self.chosen.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        marks = self.marks()
        way = _WAYS.get(Qt.Key(event.key()))
        if way is not None and marks:
            self._go_to(self._next(marks, way))
        elif event.key() in ENTER and self._current:
            self.chosen.emit(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        marks = self.marks()
        if marks and not self._current:
            self._go_to(marks[0].key)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.colours()
        painter = QPainter(self)
        painter.fillRect(self.ground(), QColor(colours["back"]))
        picture = self.picture()
        if picture is None:
            return
        painter.scale(self.scale_px(), self.scale_px())
        scale, rect = self.scale_px(), QRectF(event.rect())
        within = QRectF(rect.topLeft() / scale, rect.size() / scale)
        draw(painter, picture, colours, QFont(self.font()), within)
        painter.setPen(QPen(QColor(colours["ink"]), _RING))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for mark in self.marks() if self._current else ():
            if mark.key == self._current:
                painter.drawRect(_around(mark).adjusted(-_RING, -_RING, _RING, _RING))

    # Within

    def marks(self) -> list[Box | Dot]:
        picture = self.picture()
        if self._marks[0] is not picture:  # of thousands, at each paint
            shapes = picture.shapes if picture is not None else ()
            kinds = (Box, Dot)
            self._marks = picture, [one for one in shapes if isinstance(one, kinds) and one.key]
        return self._marks[1]

    def _next(self, marks: list[Box | Dot], way: tuple[float, float]) -> Key:
        """Returns the nearest mark in a direction; the same one without any."""
        here = next((one for one in marks if one.key == self._current), None)
        if here is None:
            return marks[0].key
        at, best, nearest = _around(here).center(), here.key, float("inf")
        for mark in marks:
            step = _around(mark).center() - at
            along = step.x() * way[0] + step.y() * way[1]
            aside = abs(step.x() * way[1]) + abs(step.y() * way[0])
            if along > 1e-6 and along + 2 * aside < nearest:
                best, nearest = mark.key, along + 2 * aside
        return best

    def _go_to(self, key: Key) -> None:
        self.show_current(key)
        self.currentChanged.emit(key)

    def _why(self) -> Why | None:
        told = self.accessibleDescription()
        return Why(name=self.accessibleName(), lines=(told,)) if told else None

    def _tell(self) -> None:
        tip = next((one.tip for one in self.marks() if one.key == self._current), "")
        self.setAccessibleDescription(tip)


def _around(shape: Box | Dot) -> QRectF:
    if isinstance(shape, Box):
        return QRectF(shape.x, shape.y, shape.width, shape.height)
    r = shape.radius
    return QRectF(shape.x - r, shape.y - r, 2 * r, 2 * r)


def _tip(shape: Shape) -> str:
    return shape.tip if isinstance(shape, Box | Dot) else ""


def _holds(shape: Shape, at: QPointF) -> bool:
    if isinstance(shape, Box):
        return _around(shape).contains(at)
    if isinstance(shape, Dot):
        away = QPointF(shape.x, shape.y) - at
        return abs(away.x()) + abs(away.y()) <= 2 * shape.radius
    return False

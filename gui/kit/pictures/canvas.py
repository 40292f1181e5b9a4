"""A picture of `core.plots` in a widget: its marks are chosen with the mouse and by keys."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontInfo,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from awase.core.plots.picture import FONT_PT, Box, Dot, Key, Picture, Shape
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.pictures.drawing import colours_of, draw

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
    currentChanged = Signal(object)  # the `Key` of the mark that the keys have come to

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        """Replaces the picture; None clears."""
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
        """Returns a mark's rectangle in the widget, in pixels."""
        scale, around = self.scale_px(), _around(mark)
        return QRectF(around.topLeft() * scale, around.size() * scale)

    def picture(self) -> Picture | None:
        """Returns the picture for the present size."""
        if self.make is None:
            return None
        if self._made is None or self._made[0] != self.size():
            scale = self.scale_px()
            self._made = (self.size(), self.make(self.width() / scale, self.height() / scale))
        return self._made[1]

    def ask_for_room(self) -> None:
        """Requests the picture's minimum size."""
        self.setMinimumSize(0, 0)
        if self.make is not None:
            least, scale = self.make(0.0, 0.0), self.scale_px()
            # A pixel less, and a heat map has no room for its numbers.
            self.setMinimumSize(ceil(least.width * scale), ceil(least.height * scale))

    def ground(self) -> QRect:
        """Returns the background's rectangle, in pixels."""
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
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current:
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
        """Returns the shapes with a key."""
        picture = self.picture()
        if self._marks[0] is not picture:  # of thousands, asked for at each paint
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
        """Announces the current mark."""
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

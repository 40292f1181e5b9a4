"""A picture of `core.plots` in a widget: drawn in the palette of the window, saved for paper."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFileDialog, QMenu, QToolTip, QWidget

from awase.core.plots.picture import (
    FONT_PT,
    N_SERIES,
    Box,
    Dot,
    Label,
    Line,
    Picture,
    Shape,
)
from awase.core.plots.svg import PRINT_COLOURS, colour_of, svg
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.texts.i18n import tr

Maker = Callable[[float, float], Picture]
"""Width and height that there are, in points, to the picture."""

_PRINT_SCALE: Final = 4.0
_ANCHORS: Final = {
    "start": Qt.AlignmentFlag.AlignLeft,
    "middle": Qt.AlignmentFlag.AlignHCenter,
    "end": Qt.AlignmentFlag.AlignRight,
}


class PictureView(QWidget):
    """Shows a picture as large as there is room; offers it for saving and copying."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._make: Maker | None = None
        self._made: tuple[QSize, Picture] | None = None
        themes.changed.connect(self.update)

    def show_picture(self, make: Maker | None, *, is_scrolled: bool = False) -> None:
        """Replaces what is shown; None shows nothing.

        Args:
            make: Makes the picture for the room that there is.
            is_scrolled: Whether the picture has a size of its own and is scrolled where there is
                less room.
        """
        self._make, self._made = make, None
        picture = self.picture()
        self.setAccessibleName(picture.title if picture is not None else "")
        self.setMinimumSize(0, 0)
        if is_scrolled and make is not None:
            least = make(0.0, 0.0)
            self.setMinimumSize(
                round(least.width * self.scale_px()), round(least.height * self.scale_px())
            )
        elif picture is not None and picture.height * self.scale_px() > self.height():
            self.setMinimumHeight(round(picture.height * self.scale_px()))
        self.update()

    def place_of(self, box: Box) -> QRectF:
        """Returns where a box of the picture stands in the widget, in pixels."""
        scale = self.scale_px()
        return QRectF(box.x * scale, box.y * scale, box.width * scale, box.height * scale)

    def picture(self) -> Picture | None:
        """Returns what is shown, made for the present size."""
        if self._make is None:
            return None
        if self._made is None or self._made[0] != self.size():
            scale = self.scale_px()
            width = max(120.0, self.width() / scale)
            height = max(90.0, self.height() / scale)
            self._made = (self.size(), self._make(width, height))
        return self._made[1]

    def save(self, path: str) -> None:
        """Writes the picture in the colours of paper: SVG, or PNG by the file's name.

        Raises:
            OSError: It cannot be written.
        """
        picture = self.picture()
        if picture is None:
            return
        if path.lower().endswith(".png"):
            if not image_of(picture, PRINT_COLOURS, _PRINT_SCALE).save(path):
                raise OSError(tr("the picture cannot be written"))
        else:
            Path(path).write_text(svg(picture), encoding="utf-8")

    def copy(self) -> None:
        """Puts the picture on the clipboard."""
        picture = self.picture()
        if picture is not None:
            image = image_of(picture, PRINT_COLOURS, _PRINT_SCALE)
            QGuiApplication.clipboard().setImage(image)

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

    def tip_at(self, place: QPointF) -> str:
        """Returns what the topmost shape at `place`, in pixels, tells; empty when nothing does."""
        picture = self.picture()
        at = place / self.scale_px()
        shapes = reversed(picture.shapes) if picture is not None else ()
        return next((_tip(shape) for shape in shapes if _tip(shape) and _holds(shape, at)), "")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.picture() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Save the picture…")).triggered.connect(self.ask_file)
        menu.addAction(tr("Copy the picture")).triggered.connect(self.copy)
        menu.popup(event.globalPos())

    def ask_file(self) -> None:
        """Asks where the picture is to be saved."""
        dialog = QFileDialog(self, tr("Save the picture"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([tr("Drawing (*.svg)"), tr("Picture (*.png)")])
        dialog.setDefaultSuffix("svg")
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._themes.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("base"))
        picture = self.picture()
        if picture is not None:
            painter.scale(self.scale_px(), self.scale_px())
            draw(painter, picture, colours_of(theme), self.font())

    def scale_px(self) -> float:
        """Returns pixels a point: a picture's text is as large as the window's."""
        return max(0.5, self.fontMetrics().height() / (FONT_PT * 1.45))

    def _on_file_selected(self, path: str) -> None:
        try:
            self.save(path)
        except OSError as error:
            QToolTip.showText(self.mapToGlobal(self.rect().center()), str(error), self)


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


def draw(painter: QPainter, picture: Picture, colours: Mapping[str, str], font: QFont) -> None:
    """Draws the picture; the painter's unit is a point."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for shape in picture.shapes:
        _draw(painter, shape, colours, font)


def _draw(painter: QPainter, shape: Shape, colours: Mapping[str, str], font: QFont) -> None:
    colour = QColor(colour_of(shape.colour, colours))
    if isinstance(shape, Line):
        painter.setPen(QPen(colour, shape.width))
        painter.drawLine(QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2))
    elif isinstance(shape, Box):
        painter.fillRect(QRectF(shape.x, shape.y, shape.width, shape.height), colour)
    elif isinstance(shape, Dot):
        painter.setPen(QPen(QColor(colours["back"]), 0.6))
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(shape.x, shape.y), shape.radius, shape.radius)
    else:
        _draw_label(painter, shape, colour, font)


def _draw_label(painter: QPainter, label: Label, colour: QColor, font: QFont) -> None:
    sized = QFont(font)
    sized.setPixelSize(max(1, round(label.size)))  # the painter's pixel is a point here
    sized.setBold(label.is_bold)
    painter.save()
    painter.setFont(sized)
    painter.setPen(colour)
    painter.translate(label.x, label.y)
    painter.rotate(-label.turn)
    reach = 1000.0
    left = {"start": 0.0, "middle": -reach / 2, "end": -reach}[label.anchor]
    box = QRectF(left, -label.size * 2, reach, label.size * 2)
    # The baseline is what a label's y means; descent is left below it.
    descent = painter.fontMetrics().descent()
    flags = _ANCHORS[label.anchor] | Qt.AlignmentFlag.AlignBottom
    painter.drawText(box.translated(0.0, float(descent)), flags, label.text)
    painter.restore()


def _tip(shape: Shape) -> str:
    return shape.tip if isinstance(shape, Box | Dot) else ""


def _holds(shape: Shape, at: QPointF) -> bool:
    if isinstance(shape, Box):
        return QRectF(shape.x, shape.y, shape.width, shape.height).contains(at)
    if isinstance(shape, Dot):
        away = QPointF(shape.x, shape.y) - at
        return abs(away.x()) + abs(away.y()) <= 2 * shape.radius
    return False

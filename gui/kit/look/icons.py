"""Line icons in the theme's colours: the SVG files use `currentColor`."""

from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from awase.gui.kit.look.theme import Theme

_SIZES_PX = (16, 24, 32, 48, 64)
# What of the 24 × 24 of the files holds lines; the margin would make them small in a row.
_DRAWN = QRectF(1.75, 1.75, 20.5, 20.5)


def icon(name: str, theme: Theme, *, role: str = "text") -> QIcon:
    """Returns the icon `resources/icons/<name>.svg`, drawn in the theme's colour `role`."""
    return QIcon(_drawn(name, getattr(theme.colours, role), theme.colours.muted))


@lru_cache(maxsize=256)  # opening a corpus asks for some thirty, a change of settings again
def _drawn(name: str, colour: str, muted: str) -> QIcon:
    drawn = QIcon()
    for mode, mode_colour in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, muted)):
        renderer = _renderer(name, mode_colour)
        for size_px in _SIZES_PX:
            drawn.addPixmap(_pixmap(renderer, size_px), mode)
    return drawn


def pixmap(name: str, theme: Theme, size_px: int, ratio: float, *, role: str = "text") -> QPixmap:
    """Returns the icon as a picture of `size_px` logical pixels on a screen of this ratio."""
    drawn = _pixmap(_renderer(name, getattr(theme.colours, role)), round(size_px * ratio))
    drawn.setDevicePixelRatio(ratio)
    return drawn


def program_icon() -> QIcon:
    """Returns the program's own icon, in its own colours."""
    data = files("awase.resources").joinpath("icons", "awase.svg").read_bytes()
    renderer = QSvgRenderer(QByteArray(data))
    drawn = QIcon()
    for size_px in (*_SIZES_PX, 128, 256):
        drawn.addPixmap(_pixmap(renderer, size_px))
    return drawn


def _renderer(name: str, colour: str) -> QSvgRenderer:
    text = files("awase.resources").joinpath("icons", f"{name}.svg").read_text("utf-8")
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    renderer.setViewBox(_DRAWN)
    return renderer


def _pixmap(renderer: QSvgRenderer, size_px: int) -> QPixmap:
    picture = QPixmap(QSize(size_px, size_px))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter)
    painter.end()
    return picture

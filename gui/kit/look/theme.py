"""Themes: a palette's colours (of `stylesheet`) for Qt, and the font size.

A `Theme` is a value; `ThemeBox` has the current one and its change signal. gui/app.py creates the
only box.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from awase.gui.kit.look.stylesheet import PALETTES, Chip, Colours, stylesheet

DEFAULT_POINT_SIZE: Final = 10
SYSTEM_PALETTE: Final = "system"
STYLE: Final = "fusion"
HAS_STYLE: Final = "has_style"  # property of an application with this style
_FALLBACK_FAMILIES: Final = ("Noto Sans", "Noto Sans CJK JP", "Yu Gothic UI", "IPAexGothic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The look of the window."""

    name: str  # id of its palette in `PALETTES`
    colours: Colours
    # Size of the ordinary text, in points; every other size follows from it.
    point_size: int = DEFAULT_POINT_SIZE
    language: str = "en"

    @classmethod
    def named(
        cls, name: str, point_size: int = DEFAULT_POINT_SIZE, language: str = "en"
    ) -> "Theme":
        """Returns the theme with the palette `name`; `system` follows the desktop."""
        actual = _system_palette_name() if name == SYSTEM_PALETTE else name
        colours = PALETTES[actual]
        return cls(name=actual, colours=colours, point_size=point_size, language=language)

    def colour(self, role: str) -> QColor:
        return QColor(getattr(self.colours, role))

    def rank_chip(self, position: int) -> Chip:
        """Returns the chip of the rank at `position`, 0 the most important."""
        chips = self.colours.ranks
        return chips[min(position, len(chips) - 1)]

    def bar(self, index: int) -> QColor:
        """Returns the colour of the system at `index`; they repeat."""
        return QColor(self.colours.bars[index % len(self.colours.bars)])

    def palette(self) -> QPalette:
        palette = QPalette()
        for role, name in _QT_ROLES.items():
            palette.setColor(role, self.colour(name))
        for role in _TEXT_ROLES:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("muted"))
        for role, factor in _SHADES.items():
            palette.setColor(role, self.colour("raised").darker(factor))
        return palette

    def font(self, family_of: QFont | None = None) -> QFont:
        """Returns the font of ordinary text, in the desktop's family where it has one."""
        font = QFont(family_of) if family_of is not None else QFont()
        families = [*font.families(), *_FALLBACK_FAMILIES]
        if self.language != "ja":
            # A desktop may name no family but "Sans Serif"; Qt would pass over it to a Japanese
            # one, in which quotes and dots are as wide as a character.
            families = [QFontInfo(font).family(), *families]
        font.setFamilies(list(dict.fromkeys(families)))
        font.setPointSize(self.point_size)
        return font


_QT_ROLES: Final = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "alternate",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.ToolTipBase: "base",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "accent_text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "link",
    QPalette.ColorRole.LinkVisited: "link",
    QPalette.ColorRole.Light: "base",
    QPalette.ColorRole.Midlight: "raised",
    QPalette.ColorRole.Mid: "line",
}
_TEXT_ROLES: Final = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)
_SHADES: Final = {QPalette.ColorRole.Dark: 150, QPalette.ColorRole.Shadow: 250}


class ThemeBox(QObject):
    """The current theme, applied to the application."""

    changing = Signal()  # before the application's theme changes
    changed = Signal(object)  # the new `Theme`; emitted after the application has it

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._system_font = QGuiApplication.font()
        self.is_changing = False  # During a change of looks, when measuring is in vain.

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self.expect()
            self._theme = theme
            self.apply()
            self.is_changing = False
            self.changed.emit(theme)

    def expect(self) -> None:
        """Announces a change of theme."""
        self.is_changing = True
        self.changing.emit()

    def tell(self, theme: Theme) -> None:
        self.is_changing = False
        if theme != self._theme:
            self._theme = theme
            self.changed.emit(theme)

    def apply(self) -> None:
        font = self._theme.font(self._system_font)
        em_px = QFontMetrics(font).height()
        sheet = stylesheet(self._theme.colours, em_px, self._theme.point_size)
        app = QApplication.instance()
        if not isinstance(app, QApplication) or (app.styleSheet(), app.font()) == (sheet, font):
            return  # unchanged; Qt would polish every widget anew
        before = app.font()
        # Without a sheet Qt inherits fonts and colours once, with one it queries each widget.
        app.setStyleSheet("")
        # Querying the style creates its Python class, which takes longer than all of this.
        if not app.property(HAS_STYLE) and app.style().name() != STYLE:
            QApplication.setStyle(STYLE)
        QApplication.setFont(font)
        QApplication.setPalette(self._theme.palette())
        app.setStyleSheet(sheet)
        if font != before:
            own_style = Qt.WidgetAttribute.WA_SetStyle
            renew_fonts(one for one in app.allWidgets() if not one.testAttribute(own_style))


def renew_fonts(widgets: Iterable[QWidget]) -> None:
    """Resets the fonts of widgets that kept one after their style sheet was removed."""
    new = _letters(QApplication.font())
    for widget in widgets:
        is_own = widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        if not is_own and _letters(widget.font()) != new:
            widget.setFont(QFont())
            if widget.property("look"):  # resetting the font lost the sheet's
                widget.style().polish(widget)


def _letters(font: QFont) -> tuple[list[str], int]:
    return font.families(), font.pointSize()


def _system_palette_name() -> str:
    hints = QGuiApplication.styleHints()
    if hints is not None and hints.colorScheme() is Qt.ColorScheme.Dark:
        return "dark"
    return "light"


_SIZES_PX = (16, 24, 32, 48, 64)
# What of the 24 × 24 of the files holds lines; the margin would make them small in a row.
_DRAWN = QRectF(1.75, 1.75, 20.5, 20.5)


def icon(name: str, theme: Theme, *, role: str = "text") -> QIcon:
    """Returns the icon `resources/icons/<name>.svg`, drawn in the theme's colour `role`."""
    return QIcon(_drawn(name, getattr(theme.colours, role), theme.colours.muted))


@lru_cache(maxsize=256)  # opening a corpus requests some thirty, a change of settings again
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


_OF_SCREEN: Final = 0.94  # maximal share of the screen: the frame must be visible


def screen_room(widget: QWidget) -> QSize:
    # Not `QWidget.screen`: Shiboken makes its result a child of the widget. If Python's collector
    # reaches the screen first, it deletes the screen itself, and the next hidden window crashes.
    shown = widget.window() if widget.isVisible() else widget.parentWidget()
    screen = None
    if shown is not None:
        screen = QGuiApplication.screenAt(shown.window().geometry().center())
    return (screen or QGuiApplication.primaryScreen()).availableSize() * _OF_SCREEN

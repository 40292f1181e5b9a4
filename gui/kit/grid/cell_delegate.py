"""Draws a cell of a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.look.palettes import contrast_ratio
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.texts.direction import is_right_to_left

_Index = QModelIndex | QPersistentModelIndex


class CellDelegate(QStyledItemDelegate):
    """Paints a cell by text direction; the focused one has a frame."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, option.palette.text().color())

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class ShadeDelegate(CellDelegate):
    """Draws a cell's shade, and a frame around the current cell."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        shade = index.data(GridRole.SHADE)
        if shade is None:
            super().paint(painter, option, index)
            return
        theme = self._themes.theme
        back = shade_colour(theme, float(shade))
        painter.fillRect(option.rect.adjusted(0, 0, -1, -1), back)
        cell = QStyleOptionViewItem(option)
        cell.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        cell.palette.setColor(QPalette.ColorRole.Text, ink_on(theme, back))
        super().paint(painter, cell, index)  # Qt writes all numbers of a row on one line
        if option.state & QStyle.StateFlag.State_Selected:
            frame_cell(painter, option, theme.colour("text"))


def shade_colour(theme: Theme, share: float) -> QColor:
    """Returns the colour of `share`, 0..1, from the background to the accent."""
    low, high = theme.colour("base"), theme.colour("accent")
    part = 0.06 + 0.94 * min(1.0, max(0.0, share))
    return QColor.fromRgbF(
        low.redF() + (high.redF() - low.redF()) * part,
        low.greenF() + (high.greenF() - low.greenF()) * part,
        low.blueF() + (high.blueF() - low.blueF()) * part,
    )


def ink_on(theme: Theme, back: QColor) -> QColor:
    """Returns a readable text colour on `back`: the theme's, or black or white."""
    # On shades between background and accent no colour of the theme is readable, but one of these
    # is.
    inks = [theme.colour("text"), theme.colour("base"), theme.colour("accent_text")]
    inks += [QColor("black"), QColor("white")]
    return max(inks, key=lambda ink: contrast_ratio(ink.name(), back.name()))


def frame_cell(painter: QPainter, option: QStyleOptionViewItem, colour: QColor) -> None:
    """Paints a frame around the current cell of a selected row."""
    width = max(2.0, option.fontMetrics.height() / 8)
    painter.save()
    painter.setPen(QPen(colour, width))
    half = width / 2
    painter.drawRect(QRectF(option.rect).adjusted(half, half, -half - 1, -half - 1))
    painter.restore()

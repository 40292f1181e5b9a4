"""Cells of the heat map: the fuller, the darker; the number always stands in it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from awase.gui.kit.grid.cell_delegate import CellDelegate, frame_cell
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.look.palettes import contrast_ratio
from awase.gui.kit.look.theme import Theme, ThemeBox


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
    """Returns the text colour that can be read on `back`: one of the theme's, or black or white.

    Between the background and the accent there are shades on which no colour of the theme stands
    out, but on every shade one of these two does.
    """
    inks = [theme.colour("text"), theme.colour("base"), theme.colour("accent_text")]
    inks += [QColor("black"), QColor("white")]
    return max(inks, key=lambda ink: contrast_ratio(ink.name(), back.name()))

"""Draws a cell of a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from awase.gui.kit.texts.direction import is_right_to_left

_Index = QModelIndex | QPersistentModelIndex


def frame_cell(painter: QPainter, option: QStyleOptionViewItem, colour: QColor) -> None:
    """Draws a frame around a cell, which tells it from the others of a chosen row."""
    width = max(2.0, option.fontMetrics.height() / 8)
    painter.save()
    painter.setPen(QPen(colour, width))
    half = width / 2
    painter.drawRect(QRectF(option.rect).adjusted(half, half, -half - 1, -half - 1))
    painter.restore()


class CellDelegate(QStyledItemDelegate):
    """Draws a cell, from the side at which its text begins; the one with the keyboard framed."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, option.palette.text().color())

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft

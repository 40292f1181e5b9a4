"""Rows of tables and lists that are as high as their texts, wrapped."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)


class WrappingDelegate(QStyledItemDelegate):
    """Makes rows high enough: Qt forgets the style sheet's padding where it wraps text."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        view, line_px = self._view, option.fontMetrics.height()
        width, least = view.viewport().width(), line_px
        if isinstance(view, QTableView):
            width = least = view.columnWidth(index.column())
        space = QRect(0, 0, max(line_px, width - line_px * 5 // 4), 0)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        text = option.fontMetrics.boundingRect(space, flags, str(index.data()))
        # A list is as wide as its widest row: asked for less, it is never scrolled to the side.
        return QSize(least, text.height() + max(line_px // 2, self._padding_px(option)))

    def _padding_px(self, option: QStyleOptionViewItem) -> int:
        """Returns what the style sheet keeps above and below a text: more with small letters."""
        tall = QStyleOptionViewItem(option)
        tall.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        tall.rect = QRect(0, 0, option.fontMetrics.height() * 9, option.fontMetrics.height() * 9)
        part = QStyle.SubElement.SE_ItemViewItemText
        text = self._view.style().subElementRect(part, tall, self._view)
        return tall.rect.height() - text.height()

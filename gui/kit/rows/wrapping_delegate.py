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
    """Adds the style sheet's padding to wrapped rows, which Qt omits."""

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
        around = self._around_text(option)
        space = QRect(0, 0, max(line_px, width - around.width()), 0)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        text = option.fontMetrics.boundingRect(space, flags, str(index.data()))
        # A list is as wide as its widest row: asked for less, it is never scrolled to the side.
        return QSize(least, text.height() + max(line_px // 2, around.height()))

    def _around_text(self, option: QStyleOptionViewItem) -> QSize:
        """Returns the padding around a text."""
        # Larger for small letters; a pixel too little would break an extra line.
        large, view, style = QStyleOptionViewItem(option), self._view, self._view.style()
        large.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        large.rect = QRect(0, 0, option.fontMetrics.height() * 9, option.fontMetrics.height() * 9)
        text = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, large, view)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, large, view) + 1
        return large.rect.size() - text.size() + QSize(2 * margin, 0)

"""A number over a thin bar of its size."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from awase.gui.kit.grid.cell_delegate import frame_cell
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.scores.table.model import ScoreRole


class ScoreDelegate(QStyledItemDelegate):
    """Draws scores."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        theme = self._themes.theme
        if index.data(ScoreRole.BEGINS_GROUP):
            painter.fillRect(
                option.rect.adjusted(0, 0, 1 - option.rect.width(), 0), theme.colour("line")
            )
        share = index.data(GridRole.SHADE)
        if share is not None:
            self._paint_bar(painter, option, index, float(share))
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, theme.colour("text"))

    def _paint_bar(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        share: float,
    ) -> None:
        theme = self._themes.theme
        thickness = max(2.0, option.fontMetrics.height() * 0.16)
        margin = option.fontMetrics.height() * 0.4
        track = QRectF(option.rect).adjusted(margin, 0, -margin, -2)
        track.setTop(track.bottom() - thickness)
        painter.fillRect(track, theme.colour("gutter"))
        bar = QRectF(track)
        bar.setWidth(track.width() * min(1.0, max(0.0, share)))
        painter.fillRect(bar, theme.bar(0))
        bounds = index.data(ScoreRole.INTERVAL)
        if bounds is not None:
            low, high = (track.left() + track.width() * min(1.0, max(0.0, x)) for x in bounds)
            middle = track.center().y()
            painter.setPen(theme.colour("text"))
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, track.top() - 1), QPointF(end, track.bottom() + 1))

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        line_px = option.fontMetrics.height()
        return QSize(size.width() + line_px, round(line_px * 1.9))

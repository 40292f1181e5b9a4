"""Rows of the palette: title, context and key."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from awase.gui.frame.command_palette.model import PaletteRole
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.rows.painting import Scale, chip_width, draw_chip, smaller
from awase.gui.kit.rows.row_delegate import Index


class PaletteDelegate(QStyledItemDelegate):
    """Paints a command on one line."""

    def __init__(self, themes: ThemeBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._themes = themes
        self._widget = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, round(Scale.of(self._widget.font()).line * 1.9))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        theme, font = self._themes.theme, self._widget.font()
        scale, rect = Scale.of(font), QRectF(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, theme.colour("accent_soft" if is_current else "base"))
        if is_current:
            bar = QRectF(rect.left(), rect.top(), scale.bar, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        inner = rect.adjusted(scale.pad * 2, 0, -scale.pad * 2, 0)
        inner.setRight(self._paint_key(painter, inner, index) - scale.gap)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        metrics = QFontMetricsF(font)
        centred = Qt.AlignmentFlag.AlignVCenter
        title = index.data(Qt.ItemDataRole.DisplayRole)
        elide = Qt.TextElideMode.ElideRight
        painter.drawText(inner, centred, metrics.elidedText(title, elide, inner.width()))
        self._paint_group(
            painter, inner.adjusted(metrics.horizontalAdvance(title) + scale.line, 0, 0, 0), index
        )
        painter.restore()

    def _paint_group(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        small = smaller(self._widget.font(), 0.92)
        metrics = QFontMetricsF(small)
        if rect.width() < metrics.horizontalAdvance("…") * 3:
            return
        painter.setFont(small)
        painter.setPen(self._themes.theme.colour("muted"))
        text = metrics.elidedText(
            index.data(PaletteRole.GROUP), Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_key(self, painter: QPainter, rect: QRectF, index: Index) -> float:
        """Paints the key at the right edge and returns its left."""
        keys = index.data(PaletteRole.KEYS)
        if not keys:
            return rect.right()
        small = smaller(self._widget.font(), 0.92)
        width, height = chip_width(keys, small), QFontMetricsF(small).height() * 1.2
        chip = QRectF(rect.right() - width, rect.center().y() - height / 2, width, height)
        painter.setFont(small)
        theme = self._themes.theme
        draw_chip(
            painter, chip, keys, back=theme.colour("raised"), ink=theme.colour("text"),
            border=theme.colour("line"),
        )  # fmt: skip
        return chip.left()

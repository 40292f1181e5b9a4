"""Common delegate of the panes' rows: background, current mark, separator."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.rows.painting import Scale
from awase.gui.kit.rows.wrapped_text import WrappedText

Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Paints a row edge to edge; subclasses define height and content."""

    # Hidden rows count as a line high: while a page is built, all its heights are requested for
    # widths that it will never have. The view checks `has_guessed` when shown.

    def __init__(
        self, themes: ThemeBox, view: QAbstractItemView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent or view)
        self._themes = themes
        self._view = view
        self._texts = WrappedText()
        self._has_guessed = False
        self._height_by_row: dict[int, int] = {}

    def has_guessed(self) -> bool:
        """Returns whether heights were guessed since the last call."""
        has_guessed, self._has_guessed = self._has_guessed, False
        return has_guessed

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        if not self._view.isVisible():
            self._has_guessed = True
            return QSize(width, round(Scale.of(self._view.font()).line))
        row = index.row()
        if not (self._themes.is_changing and row in self._height_by_row):
            height = self.row_height(index, self._view.font(), float(width))
            self._height_by_row[row] = round(height)
        return QSize(width, self._height_by_row[row])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        rect = QRectF(option.rect)
        self._paint_ground(painter, option, rect, index)
        self.paint_row(painter, rect, index, self._view.font())
        painter.restore()

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        """Returns the row's height."""
        raise NotImplementedError

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        """Paints the row's contents."""
        raise NotImplementedError

    def is_marked(self, index: Index) -> bool:
        """Returns whether the row is the current one of its pane."""
        current = self._view.currentIndex()
        return bool(current.isValid() and current == index)

    def colour(self, role: str) -> QColor:
        """Returns a colour of the theme."""
        return self._themes.theme.colour(role)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRectF, index: Index
    ) -> None:
        marked = self.is_marked(index)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = "accent_soft" if marked else ("alternate" if hovered else "base")
        painter.fillRect(rect, self.colour(ground))
        line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(line, self.colour("line"))
        if marked:
            bar = Scale.of(self._view.font()).bar
            colour = self.colour("accent" if self._view.hasFocus() else "muted")
            painter.fillRect(QRectF(rect.left(), rect.top(), bar, rect.height() - 1), colour)

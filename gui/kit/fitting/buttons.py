"""Buttons that elide or wrap into a second row."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from awase.gui.kit.look.style_states import NEW_SIZES


class ElidedButton(QPushButton):
    """Elides its text; tooltip or accessible name has the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short, self._is_shortened = "", False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_short(self, text: str) -> None:
        """Sets the text for narrow buttons; empty = the beginning."""
        self._short = text
        self.update()

    def shorten(self, is_short: bool) -> None:
        """Requests the width of the short text only, or of the whole one."""
        if is_short is not self._is_shortened:
            self._is_shortened = is_short
            self.updateGeometry()

    def whole_width(self) -> int:
        """Returns the width that the whole text needs."""
        return super().sizeHint().width()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self._is_shortened and self._short:
            advance = self.fontMetrics().horizontalAdvance
            hint.setWidth(hint.width() - max(0, advance(self.text()) - advance(self._short)))
        return hint

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().height() * 3), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        spare = self.whole_width() - option.fontMetrics.horizontalAdvance(self.text())
        metrics, room = option.fontMetrics, self.width() - spare + 1
        is_whole = metrics.horizontalAdvance(self.text()) <= room
        text = self.text() if is_whole or not self._short else self._short
        option.text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)


class ButtonRows(QWidget):
    """Buttons in a row; where they do not fit, the first has a row of its own."""

    def __init__(self, buttons: Sequence[QPushButton], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons = tuple(buttons)
        for button in self._buttons:
            button.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(self._width(self._buttons), self.heightForWidth(self._width(self._buttons)))

    def minimumSizeHint(self) -> QSize:
        width = max(self._width(row) for row in self._rows(0))
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def heightForWidth(self, width: int) -> int:
        n_rows = len(self._rows(width))
        return n_rows * self._button_height() + (n_rows - 1) * self._gap()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a button has another text
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _place(self) -> None:
        height, gap = self._button_height(), self._gap()
        rows = self._rows(self.width())
        if len(rows) > 1:  # a low pane takes of the gap, never of a button
            gap = max(0, min(gap, (self.height() - height * len(rows)) // (len(rows) - 1)))
        for at, row in enumerate(rows):
            spare = self.width() - self._width(row)
            x = 0
            for place, button in enumerate(row):
                width = button.sizeHint().width() + spare // len(row)
                if place == len(row) - 1:
                    width = self.width() - x
                button.setGeometry(QRect(x, at * (height + gap), width, height))
                x += width + gap

    def _rows(self, width: int) -> list[Sequence[QPushButton]]:
        if self._width(self._buttons) <= width:
            return [self._buttons]
        return [self._buttons[:1], self._buttons[1:]]

    def _width(self, buttons: Sequence[QPushButton]) -> int:
        widths = sum(button.sizeHint().width() for button in buttons)
        return widths + self._gap() * (len(buttons) - 1)

    def _button_height(self) -> int:
        return max(button.sizeHint().height() for button in self._buttons)

    def _gap(self) -> int:
        return self.fontMetrics().height() // 3

"""Widgets that give way where letters are large: a label that is cut, buttons on a second row."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)


class ElidedLabel(QLabel):
    """Shows as much of its text as there is room for; when some lacks, the tool tip has it."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tell_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_whole()

    def _tell_whole(self) -> None:
        """Keeps the tool tip: not only where the label is painted, or it tells an old text."""
        text = self.text()
        tip = text if self._elided() != text else ""
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _elided(self) -> str:
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self._elided()
        self._tell_whole()  # the font may be another one
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        painter.setPen(option.palette.color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), self.alignment(), text)


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
        return QSize(width, self._button_height())

    def heightForWidth(self, width: int) -> int:
        n_rows = len(self._rows(width))
        return n_rows * self._button_height() + (n_rows - 1) * self._gap()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a button has another text
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _place(self) -> None:
        height, gap = self._button_height(), self._gap()
        for at, row in enumerate(self._rows(self.width())):
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


class ElidedComboBox(QComboBox):
    """A combo box that ends what it has no room for with …, so that a number is never cut."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        room = field.width() - self.fontMetrics().averageCharWidth()
        shown = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        option.currentText = shown
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

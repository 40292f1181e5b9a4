"""Line edits and combo boxes that elide, with the whole text in the tooltip."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QMargins, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStylePainter,
    QToolTip,
    QWidget,
)

from awase.gui.kit.texts.direction import is_right_to_left

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object

_RIM_PX: Final = 8  # more than the rim of what has the keyboard is ever wide, above and below


class TellsAll(Base):
    """Mixin for eliding widgets: the tooltip has the whole text before its own."""

    def cut_text(self) -> str:
        """Returns the whole text if elided, else empty."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.cut_text()
            if text:
                told = "\n".join(filter(None, (text, self.toolTip())))
                QToolTip.showText(event.globalPos(), told, self)
                return True
        return super().event(event)


class ElidedLine(TellsAll, QLineEdit):
    """Elides its text unless focused; Qt would cut a letter."""

    def __init__(
        self, text: str = "", elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(text)
        self._elide = elide

    def cut_text(self) -> str:
        text = self.displayText()
        return "" if self._elided(self._option()) == text else text

    def paintEvent(self, event: QPaintEvent) -> None:
        option, text = self._option(), self.displayText()
        shown = self._elided(option)
        if shown == text or self.hasFocus() or self.hasSelectedText():
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        if is_right_to_left(text):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        alignment = self.alignment() | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._room(option), alignment, shown)

    def _option(self) -> QStyleOptionFrame:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        return option

    def _elided(self, option: QStyleOptionFrame) -> str:
        room = self._room(option).width()
        return option.fontMetrics.elidedText(self.displayText(), self._elide, room)

    def _room(self, option: QStyleOptionFrame) -> QRect:
        """Returns Qt's text rectangle: two pixels less on either side."""
        element = QStyle.SubElement.SE_LineEditContents
        field = self.style().subElementRect(element, option, self)
        return field.marginsRemoved(self.textMargins()).adjusted(2, 0, -2, 0)


class ElidedComboBox(TellsAll, QComboBox):
    """A combo box that elides, so that a number is never cut."""

    # Qt's size hint is that of the ink, which cuts the last letter's edge, and that of the choices
    # when first shown, in the language of that moment.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def sizeHint(self) -> QSize:
        spare = self.fontMetrics().height()
        return super().sizeHint().grownBy(QMargins(0, 0, spare, 0))

    def minimumSizeHint(self) -> QSize:
        spare = self.fontMetrics().height()
        return super().minimumSizeHint().grownBy(QMargins(0, 0, spare, 0))

    def showPopup(self) -> None:
        """Shows all choices where the screen has room.

        WORKAROUND (until Qt measures both alike, which 6.11 does not): the height is computed with
        the padding of a focused box, the margins with that of an unfocused one. For want of some
        pixels the last choice would be behind an arrow.
        """
        super().showPopup()
        # All asked of the box: of what is asked of another, Shiboken lets go together with that.
        view, within = self.view(), self.findChildren(QFrame)
        popup = next((one for one in within if _is_qts(one, "QComboBoxPrivateContainer")), None)
        if popup is None or not popup.isVisible():
            return  # there is nothing to choose
        _laid_out(popup)
        parts = self.findChildren(QWidget)
        arrows = [
            one for one in parts if _is_qts(one, "QComboBoxPrivateScroller") and one.isVisible()
        ]
        rows = (self.model().index(row, self.modelColumn()) for row in range(self.count()))
        height = sum(view.visualRect(row).height() for row in rows)
        lacking = height - view.viewport().height() - sum(one.height() for one in arrows)
        if arrows and lacking <= 2 * _RIM_PX:  # more lacks where the screen is too low
            for arrow in arrows:
                arrow.hide()
            popup.resize(popup.width(), popup.height() + max(0, lacking))
            _laid_out(popup)

    def cut_text(self) -> str:
        option = self._option()
        return "" if self._elided(option) == option.currentText else option.currentText

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self._elided(option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() < 0 and self.placeholderText():
            option.currentText = self.placeholderText()
            option.palette.setBrush(QPalette.ColorRole.ButtonText, option.palette.placeholderText())
        return option

    def _elided(self, option: QStyleOptionComboBox) -> str:
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        room = field.width() - 2  # Fusion begins a pixel inside, and ends so
        return option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


def _is_qts(widget: QWidget, kind: str) -> bool:
    """Returns whether a widget is of a private Qt class."""
    return widget.metaObject().className() == kind


def _laid_out(window: QWidget) -> None:
    """Lays a window out now, not with the next event."""
    layout = window.layout()
    if layout is not None:
        layout.activate()

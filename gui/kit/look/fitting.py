"""Widgets that elide, fold or wrap where they lack room."""

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMargins, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStylePainter,
    QToolTip,
    QWidget,
)

from awase.gui.kit.commands import Base
from awase.gui.kit.i18n import is_right_to_left
from awase.gui.kit.look.flow import FollowsWidth

_RIM_PX: Final = 8  # more than the rim of what has the keyboard is ever wide, above and below


class FullTextToolTip(Base):
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


class ElidedLine(FullTextToolTip, QLineEdit):
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


class ElidedComboBox(FullTextToolTip, QComboBox):
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
        # All through the box: Shiboken would release another parent's results with it.
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
    return widget.metaObject().className() == kind


def _laid_out(window: QWidget) -> None:
    """Lays a window out now, not with the next event."""
    layout = window.layout()
    if layout is not None:
        layout.activate()


class ElidedButton(QPushButton):
    """Elides its text; tooltip or accessible name has the rest."""

    def __init__(self) -> None:
        super().__init__()
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


class ButtonRows(FollowsWidth, QWidget):
    """Buttons in a row; where they do not fit, the first has a row of its own."""

    def __init__(self, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
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
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a button has another text
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _place(self) -> None:
        height, gap = self._button_height(), self._gap()
        rows = self._rows(self.width())
        if len(rows) > 1:  # a low pane shrinks gaps, never a button
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


_BREAK: Final = "\u200b"
_NUMBER_CUT: Final = re.compile(r"\d[\d.,]*…$")  # what is left of a number reads as another one
_FEWEST_LETTERS: Final = 3
_PART_END: Final = re.compile(r"[|/+,](?=\S)")


class ElidedLabel(FullTextToolTip, QLabel):
    """Elides its text."""

    def cut_text(self) -> str:
        return "" if self._elided() == self.text() else self.text()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _elided(self) -> str:
        return self._fitting(self.text())

    def _fitting(self, text: str) -> str:
        """Returns the part that fits, without cutting numbers or leaving a single letter."""
        room = self.contentsRect().width()
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        if shown == text:
            return text
        shown = _NUMBER_CUT.sub("…", shown)
        return shown if len(shown) > _FEWEST_LETTERS else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self._elided()
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        painter.setPen(option.palette.color(self.foregroundRole()))
        if is_right_to_left(text):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(self.contentsRect(), self.alignment(), text)


class FoldedLabel(ElidedLabel):
    """Shows its whole text, or one line when folded; breaks signatures where their parts end."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        super().setText(_PART_END.sub(rf"\g<0>{_BREAK}", text))

    def text(self) -> str:
        return super().text().replace(_BREAK, "")

    def fold(self, is_folded: bool) -> None:
        self.setWordWrap(not is_folded)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self.wordWrap() else QSize(hint.width(), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(super().minimumSizeHint().height(), self.sizeHint().height()))

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(width) if self.wordWrap() else self.sizeHint().height()

    def _elided(self) -> str:
        if self.wordWrap():
            return self.text()
        return self._fitting(" ".join(self.text().split("\n")))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wordWrap():
            QLabel.paintEvent(self, event)
        else:
            super().paintEvent(event)


def unbroken(words: str) -> str:
    """Replaces blanks and hyphens by non-breaking ones."""
    return words.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "-\N{WORD JOINER}")


class TextEditor(QPlainTextEdit):
    """Aligns all lines by the direction of the text."""

    # Qt detects each line's direction but left-aligns all; only a common side can be set.

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.textChanged.connect(self._set_side)
        self._set_side()

    def _set_side(self) -> None:
        is_so = is_right_to_left(self.toPlainText())
        side = Qt.AlignmentFlag.AlignRight if is_so else Qt.AlignmentFlag.AlignLeft
        option = self.document().defaultTextOption()
        if option.alignment() != side:
            option.setAlignment(side)
            self.document().setDefaultTextOption(option)

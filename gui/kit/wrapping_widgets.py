"""Widgets that give way where letters are large: a text that is cut, buttons on a second row."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QMargins, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
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

from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.texts.direction import is_right_to_left

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object

_BREAK: Final = "\u200b"
_NUMBER_CUT: Final = re.compile(r"\d[\d.,]*…$")
"""What is left of a number reads as another one."""
_FEWEST_LETTERS: Final = 3
_RIM_PX: Final = 8
"""More than the rim of what has the keyboard is ever wide, above and below."""
_PART_END: Final = re.compile(r"[|/+,](?=\S)")


class TellsAll(Base):
    """Mixed into what ends its text with …: the tool tip has all of it, above what it is for."""

    def cut_text(self) -> str:
        """Returns all of the text where some of it lacks room; empty where none does."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.cut_text()
            if text:
                told = "\n".join(filter(None, (text, self.toolTip())))
                QToolTip.showText(event.globalPos(), told, self)
                return True
        return super().event(event)


class ElidedLabel(QLabel):
    """Shows as much of its text as there is room for; when some lacks, the tool tip has it."""

    about = ""
    """What the tool tip tells in any case."""

    def tell_about(self, text: str) -> None:
        """Says in the tool tip what the text rests on."""
        self.about = text
        self._tell_whole()

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
        tip = "\n".join(filter(None, (text if self._elided() != text else "", self.about)))
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _elided(self) -> str:
        return self._fitting(self.text())

    def _fitting(self, text: str) -> str:
        """Returns as much as there is room for: no beginning of a number, and no letter alone."""
        room = self.contentsRect().width()
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        if shown == text:
            return text
        shown = _NUMBER_CUT.sub("…", shown)
        return shown if len(shown) > _FEWEST_LETTERS else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self._elided()
        self._tell_whole()  # the font may be another one
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        painter.setPen(option.palette.color(self.foregroundRole()))
        if is_right_to_left(text):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(self.contentsRect(), self.alignment(), text)


class FoldedLabel(ElidedLabel):
    """Shows all of its text; where it is folded, one line of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def fold(self, is_folded: bool) -> None:
        """Shows one line, or all of it again."""
        self.setWordWrap(not is_folded)
        self._tell_whole()

    def _elided(self) -> str:
        if self.wordWrap():
            return self.text()
        return self._fitting(" ".join(self.text().split("\n")))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wordWrap():
            QLabel.paintEvent(self, event)
        else:
            super().paintEvent(event)


class ElidedLine(TellsAll, QLineEdit):
    """Ends what it has no room for with … while nobody writes in it; else Qt cuts a letter."""

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
        """Returns where Qt writes: it leaves two pixels at either side."""
        element = QStyle.SubElement.SE_LineEditContents
        field = self.style().subElementRect(element, option, self)
        return field.marginsRemoved(self.textMargins()).adjusted(2, 0, -2, 0)


def unbroken(words: str) -> str:
    """Returns words that a label leaves in one line: blanks and hyphens that do not break."""
    return words.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "-\N{WORD JOINER}")


class BreakableLabel(QLabel):
    """Breaks a long name without spaces, such as a signature, where its parts end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        super().setText(_PART_END.sub(rf"\g<0>{_BREAK}", text))

    def text(self) -> str:
        return super().text().replace(_BREAK, "")


class ElidedButton(QPushButton):
    """Gives way where there is no room, and ends with …; its tool tip or name has the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short, self._is_shortened = "", False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_short(self, text: str) -> None:
        """Takes what is said where there is no room for the whole text; empty = its beginning."""
        self._short = text
        self.update()

    def shorten(self, is_short: bool) -> None:
        """Asks for the room of the short text alone, or again for that of the whole one."""
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


class ElidedComboBox(TellsAll, QComboBox):
    """A combo box that ends what it has no room for with …, so that a number is never cut.

    Qt's asks for the room of the ink alone, and cuts the edge of the last letter; and for that of
    the choices that it had when it was first shown, in the language of that moment.
    """

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
        """Shows the choices: every one of them where the screen has room.

        WORKAROUND (until Qt measures both alike, which 6.11 does not): the height is reckoned with
        the padding of a box that has the keyboard, the margins with that of one that has not. For
        want of some pixels the last choice would be behind an arrow.
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
        """Returns what is drawn, with all of the text."""
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
    """Returns whether a widget is of a class that only Qt itself knows."""
    return widget.metaObject().className() == kind


def _laid_out(window: QWidget) -> None:
    """Gives what is in a window its place now, and not with the next event."""
    layout = window.layout()
    if layout is not None:
        layout.activate()

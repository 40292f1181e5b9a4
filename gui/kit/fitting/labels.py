"""Labels that elide, fold or wrap."""

import re
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyleOption, QWidget

from awase.gui.kit.texts.direction import is_right_to_left

_BREAK: Final = "\u200b"
_NUMBER_CUT: Final = re.compile(r"\d[\d.,]*…$")  # what is left of a number reads as another one
_FEWEST_LETTERS: Final = 3
_PART_END: Final = re.compile(r"[|/+,](?=\S)")


class ElidedLabel(QLabel):
    """Elides its text, with the whole text in the tooltip."""

    about = ""  # what the tool tip tells in any case

    def tell_about(self, text: str) -> None:
        """Sets the tooltip behind the text."""
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
        """Keeps the tooltip current, even while not painted."""
        text = self.text()
        tip = "\n".join(filter(None, (text if self._elided() != text else "", self.about)))
        if tip != self.toolTip():
            self.setToolTip(tip)

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
        self._tell_whole()  # the font may be another one
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        painter.setPen(option.palette.color(self.foregroundRole()))
        if is_right_to_left(text):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(self.contentsRect(), self.alignment(), text)


class _BreaksSignatures(QLabel):
    """Breaks a long name without spaces, such as a signature, where its parts end."""

    def setText(self, text: str) -> None:
        super().setText(_PART_END.sub(rf"\g<0>{_BREAK}", text))

    def text(self) -> str:
        return super().text().replace(_BREAK, "")


class FoldedLabel(_BreaksSignatures, ElidedLabel):
    """Shows its whole text, or one line when folded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def fold(self, is_folded: bool) -> None:
        """Folds to one line, or unfolds."""
        self.setWordWrap(not is_folded)
        self._tell_whole()
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


class BreakableLabel(_BreaksSignatures):
    """Wraps, signatures too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)


def unbroken(words: str) -> str:
    """Replaces blanks and hyphens by non-breaking ones."""
    return words.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "-\N{WORD JOINER}")

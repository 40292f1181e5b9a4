"""A text that is written, several lines of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from awase.gui.kit.texts.direction import is_right_to_left


class TextEditor(QPlainTextEdit):
    """Begins all lines at the side its text begins at.

    Qt finds in which direction a line runs, but leaves each at the left, where one from right to
    left ends; a side can be set for all of them alone.
    """

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

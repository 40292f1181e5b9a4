"""A text that is written, several lines of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from awase.gui.kit.texts.direction import is_right_to_left


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

"""Banner of an empty page: the reason, and commands that help."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from awase.gui.frame.commands import BY_ID
from awase.gui.kit.commands.command import Need
from awase.gui.kit.focus import pressed_by_enter
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.whole_label import WholeLabel
from awase.gui.session.next_steps import NextSteps


class StepsBanner(QFrame):
    """Why the page is empty, and a button for each command that helps."""

    chosen = Signal(str)  # id of a command of the window

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "banner")
        self._text = WholeLabel()
        self._buttons: list[QPushButton] = []
        self._commands: tuple[str, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._text, 1)
        line_px = self.fontMetrics().height()
        self._row.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self._row.setSpacing(line_px // 2)
        follow(self, self._write_titles)
        self.hide()

    def show_first(self, steps: Sequence[NextSteps], *, is_writable: bool) -> None:
        """Shows the first of `steps` with its buttons, or hides."""
        if not steps:
            self.hide()
            return
        first = steps[0]
        bind(self._text, "text", first.message)
        self._commands = tuple(
            name for name in first.commands if is_writable or BY_ID[name].needs is not Need.WRITING
        )
        while len(self._buttons) < len(self._commands):
            button, at = QPushButton(), len(self._buttons)
            pressed_by_enter(button)
            button.clicked.connect(lambda _=False, at=at: self.chosen.emit(self._commands[at]))
            self._buttons.append(button)
            self._row.addWidget(button)
        for at, button in enumerate(self._buttons):
            button.setVisible(at < len(self._commands))
        self._write_titles()
        self.show()

    def _write_titles(self) -> None:
        for button, name in zip(self._buttons, self._commands, strict=False):
            button.setText(BY_ID[name].name)

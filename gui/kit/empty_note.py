"""Empty states: the reason, and buttons that help."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from awase.gui.kit.focus import pressed_by_enter
from awase.gui.kit.texts.binding import bind

# What a button says, as an English message, and what it does.
Step = tuple[str, Callable[[], object]]


class EmptyLabel(QLabel):
    """A centred text, usable as a page of a stack.

    WORKAROUND: a stack focuses a page without other focusable widgets. A focused label makes a
    control of its text, as a child, which the next plain text deletes: during a language change Qt
    is notifying every child, and goes on to the deleted one. No end.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("look", "muted")

    def focusInEvent(self, event: QFocusEvent) -> None:
        QWidget.focusInEvent(self, event)


class EmptyNote(QWidget):
    """A text in the middle with buttons below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = EmptyLabel()
        self._buttons: list[QPushButton] = []
        self._steps: tuple[Step, ...] = ()
        line_px = self.fontMetrics().height()
        self._row = QHBoxLayout()
        self._row.setSpacing(line_px // 2)
        self._row.addStretch(1)
        self._row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(line_px)
        layout.addStretch(1)
        layout.addWidget(self.label)
        layout.addLayout(self._row)
        layout.addStretch(1)

    def offer(self, *steps: Step) -> None:
        """Sets the offered steps."""
        self._steps = steps
        while len(self._buttons) < len(steps):
            button, at = QPushButton(), len(self._buttons)
            pressed_by_enter(button)
            button.clicked.connect(lambda _=False, at=at: self._steps[at][1]())
            self._buttons.append(button)
            self._row.insertWidget(self._row.count() - 1, button)
        for at, button in enumerate(self._buttons):
            button.setVisible(at < len(steps))
        for button, (message, _) in zip(self._buttons, steps, strict=False):
            bind(button, "text", message)

    def has_keyboard(self) -> bool:
        """Returns whether one of the buttons has it."""
        return any(button.hasFocus() for button in self._buttons)

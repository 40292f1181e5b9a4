"""Notices beside the pages, and empty states."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from awase.core.errors import FieldValue
from awase.gui.kit.commands import pressed_by_enter
from awase.gui.kit.i18n import mark
from awase.gui.kit.jobs.waiting import ProgressBar
from awase.gui.kit.look.theme import Theme, ThemeBox, pixmap
from awase.gui.kit.texts import Message, announce, bind

# A button's English message and its action.
Step = tuple[str, Callable[[], object]]


class EmptyLabel(QLabel):
    """A centred text, usable as a page of a stack.

    WORKAROUND: a stack focuses a page without other focusable widgets. A focused label makes a
    control of its text, as a child, which the next plain text deletes: during a language change Qt
    is notifying every child, and goes on to the deleted one. No end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("look", "muted")

    def focusInEvent(self, event: QFocusEvent) -> None:
        QWidget.focusInEvent(self, event)


class EmptyNote(QWidget):
    """A text in the middle with buttons below it."""

    def __init__(self) -> None:
        super().__init__()
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
        return any(button.hasFocus() for button in self._buttons)


class WholeLabel(QLabel):
    """Wraps, with a minimum height for all lines: in a splitter, Qt would cut the last ones."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class Banner(QFrame):
    """A banner with an icon and one button."""

    chosen = Signal()

    def __init__(self, themes: ThemeBox, *, icon: str = "lock") -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self._icon_name = icon
        self._icon = QLabel()
        self._text = WholeLabel()
        self._button = QPushButton()
        pressed_by_enter(self._button)
        self._button.clicked.connect(self.chosen)
        layout = QHBoxLayout(self)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._button)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        layout.setSpacing(line_px // 2)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        self.hide()

    def show_message(self, message: Message, action: str, **fields: FieldValue) -> None:
        """Shows a message and what the button does; both follow the window's language."""
        bind(self._text, "text", message, **fields)
        bind(self._button, "text", action, **fields)
        self.show()
        announce(self, self._text.text())

    def _on_theme_changed(self, theme: Theme) -> None:
        side = round(self.fontMetrics().height() * 1.2)
        self._icon.setPixmap(pixmap(self._icon_name, theme, side, self.devicePixelRatioF()))


class LoadingPage(QWidget):
    """Placeholder of the pages while a corpus is opened."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel()
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._bar = ProgressBar()
        self._button = QPushButton()
        pressed_by_enter(self._button)
        self._button.clicked.connect(self.cancelled)
        line_px = self.fontMetrics().height()
        self._bar.setFixedWidth(line_px * 16)
        layout = QVBoxLayout(self)
        layout.setSpacing(line_px)
        layout.addStretch(2)
        for widget in (self._title, self._bar, self._button):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        bind(self._bar, "accessibleName", mark("Progress"))
        bind(self._button, "text", mark("Cancel"))

    def begin(self, name: str) -> None:
        """Shows that `name` is being opened, with indeterminate progress."""
        self._bar.setRange(0, 0)
        bind(self._title, "text", mark("Opening “{name}” …"), name=name)

    def show_progress(self, done: int, total: int) -> None:
        self._bar.show_progress(done, total)

"""Notices: a banner above the pages, and running work."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import FieldValue
from awase.gui.kit.announcing import announce
from awase.gui.kit.focus import pressed_by_enter
from awase.gui.kit.jobs.progress_bar import ProgressBar
from awase.gui.kit.look.icons import pixmap
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.texts.binding import Message, bind
from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.texts.whole_label import WholeLabel


class Banner(QFrame):
    """A banner with an icon and one button."""

    chosen = Signal()

    def __init__(
        self, themes: ThemeBox, parent: QWidget | None = None, *, icon: str = "lock"
    ) -> None:
        super().__init__(parent)
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
        """Shows progress."""
        self._bar.show_progress(done, total)

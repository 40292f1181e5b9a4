"""Rail at the left: a button for each page, global commands at its foot."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QVBoxLayout, QWidget

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.look.icons import icon
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark
from awase.gui.session.pages import Page

_ICON: Final = 1.4
_SMALLEST_ICON: Final = 0.6  # sides of an icon, in heights of a line


class Rail(QWidget):
    """Page switcher; icons shrink when large letters need the height."""

    pageChosen = Signal(str)
    settingsChosen = Signal()

    def __init__(
        self,
        entries: Sequence[Page],
        themes: ThemeBox,
        keys: KeyMap,
        parent: QWidget | None = None,
    ) -> None:
        """Builds a button for each of `entries`, with its key in `keys`."""
        super().__init__(parent)
        self._keys = keys
        self.setProperty("look", "rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._entries = tuple(entries)
        self._themes = themes
        self._group = QButtonGroup(self)
        self._buttons = {entry.id: self._button() for entry in entries}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        for page_id, button in self._buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, page_id=page_id: self.pageChosen.emit(page_id))
            self._group.addButton(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self._settings = self._button()
        self._settings.clicked.connect(self.settingsChosen)
        layout.addWidget(self._settings)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        self._bind_texts()

    def set_page(self, page_id: str) -> None:
        self._buttons[page_id].setChecked(True)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        height = self._height_with(round(self.fontMetrics().height() * _SMALLEST_ICON))
        return QSize(hint.width(), min(hint.height(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_icons()

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _on_theme_changed(self, theme: Theme) -> None:
        for entry in self._entries:
            self._buttons[entry.id].setIcon(icon(entry.icon, theme))
        self._settings.setIcon(icon("settings", theme))
        self._size_icons()
        self._even_out()

    def _size_icons(self) -> None:
        """Sizes the icons to the usual, or to the height that texts leave."""
        line = self.fontMetrics().height()
        smallest, usual = round(line * _SMALLEST_ICON), round(line * _ICON)
        spare = (self.height() - self._height_with(smallest)) // (len(self._buttons) + 1)
        side = max(smallest, min(usual, smallest + spare))
        for button in (*self._buttons.values(), self._settings):
            button.setIconSize(QSize(side, side))

    def _height_with(self, side: int) -> int:
        """Returns the total height of the buttons with icons of this side."""
        buttons = (*self._buttons.values(), self._settings)
        return sum(one.sizeHint().height() - one.iconSize().height() + side for one in buttons)

    def _bind_texts(self) -> None:
        bind(self._settings, "text", mark("Settings"))
        bind(self._settings, "toolTip", mark("Settings"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        for entry in self._entries:
            button = self._buttons[entry.id]
            button.setText(entry.name)
            keys = self._keys.text(f"menu:page:{entry.id}")
            button.setToolTip(f"{entry.name} ({keys})" if keys else entry.name)
        self._even_out()

    def _even_out(self) -> None:
        buttons = (*self._buttons.values(), self._settings)
        for button in buttons:
            button.setMinimumWidth(0)
        width = max(button.sizeHint().width() for button in buttons)
        for button in buttons:
            button.setMinimumWidth(width)

"""Buttons that run commands of the page and say which key does the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import aside, listed, tr
from awase.gui.pages.annotate.commands import BY_ID

_SIGNS = {"Return": "↵"}


@dataclass(frozen=True, slots=True)
class Controls:
    """The page's commands, and the keys that run them.

    Attributes:
        commands: Command id to what it does.
        keys: The bindings.
    """

    commands: Mapping[str, Callable[[], object]]
    keys: KeyMap

    def button(self, command: str, short: str) -> "CommandButton":
        """Returns a button for `command` with the English text `short` on it."""
        return CommandButton(command, short, self)


class CommandButton(QPushButton):
    """Shows a short title with its key behind it; the tool tip says it in full."""

    def __init__(
        self, command: str, short: str, controls: Controls, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._short = short
        self._keys = controls.keys
        # Enter belongs to “confirm” wherever the keyboard is, so no button may take it by default.
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda _=False: controls.commands[command]())
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        keys = self._keys.texts(self._command)
        title, short = BY_ID[self._command].line, tr(self._short)
        sign = _SIGNS.get(keys[0], keys[0]) if keys else ""
        # A rank's name mostly is its key.
        self.setText(f"{short}  {sign}" if sign not in ("", short) else short)
        self.setToolTip(aside(title, listed(keys)) if keys else title)
        self.setAccessibleName(f"{title} {short}" if short not in title else title)

"""Binding of keys to a page's commands."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from awase.gui.kit.commands.command import Command
from awase.gui.kit.keys.keys import KeyMap

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object


class CommandKeys(Base):
    """Mixed into a page: a key that no widget in it had a use for runs the page's command."""

    _commands: dict[str, Command]
    _key_map: KeyMap
    _scope: str

    def take_commands(self, page_id: str, commands: Iterable[Command], keys: KeyMap) -> None:
        """Binds `keys` to `commands` of the page called `page_id`."""
        self._scope = page_id
        self._commands = {command.id: command for command in commands}
        self._key_map = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._commands.get(self._key_map.command_of(event, self._scope) or "")
        if command is None or command.run is None or command.run(self) is False:
            super().keyPressEvent(event)

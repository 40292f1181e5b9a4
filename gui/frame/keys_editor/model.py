"""Commands and their keys, as rows."""

from typing import Final

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from awase.gui.frame.commands import BY_ID
from awase.gui.frame.pages import PAGES
from awase.gui.kit.commands.command import path_of, plain
from awase.gui.kit.grid.table_model import TableModel
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.keys.keys import scope_of
from awase.gui.kit.texts.i18n import listed, tr

Index = QModelIndex | QPersistentModelIndex
_SHOWN = Qt.ItemDataRole.DisplayRole
CHANGED_COLUMN: Final = 2
"""Says which commands have other keys than those that they came with."""


def name_of(command_id: str) -> str:
    """Returns what a command of the key bindings is called, in the window's language."""
    command = BY_ID[command_id]
    scope = scope_of(command_id)
    if command.menu:
        return path_of(plain(tr(command.menu)), command.name)
    page = next((page for page in PAGES if page.id == scope), None)
    if page is None:  # keys of a part of a page, such as a tab
        return path_of(tr(command.group), command.name) if command.group else command.name
    return command.name if scope == "annotate" else path_of(page.name, command.name)


class KeysModel(TableModel):
    """Shows every command that can have a key; what the user changed says so.

    The tool tip of a cell is its whole text: long names are elided in large letters.
    """

    def __init__(self, bindings: KeyBindings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bindings = bindings
        self._commands = bindings.keys.commands()
        bindings.changed.connect(self.refresh)

    def command(self, row: int) -> str:
        return self._commands[row]

    @property
    def has_changed(self) -> bool:
        """Whether any command has other keys than those that it came with."""
        return any(map(self._bindings.is_own, self._commands))

    def refresh(self) -> None:
        """Shows keys and names as they are now."""
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._commands)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else 3

    def told(self, index: Index, role: int) -> object:
        if role not in (_SHOWN, Qt.ItemDataRole.ToolTipRole):
            return None
        command = self._commands[index.row()]
        match index.column():
            case 0:
                return name_of(command)
            case 1:
                return listed(self._bindings.keys.texts(command))
        return tr("changed") if self._bindings.is_own(command) else ""

    def title(self, column: int) -> str:
        return (tr("Command"), tr("Key"), "")[column]

    def holds_numbers(self, column: int) -> bool:
        return False

"""Model of matching commands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from awase.gui.frame.command_palette.matching import misfit
from awase.gui.kit.texts.i18n import listed

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteCommand:
    """A command that can be run from the palette."""

    id: str
    title: str
    group: str  # where else it is to be found, such as a menu; in the window's language
    keys: str  # the key that does the same; empty when there is none
    names: tuple[str, ...]
    run: Callable[[], object]


class PaletteRole(IntEnum):
    """About a command."""

    GROUP = Qt.ItemDataRole.UserRole + 1
    KEYS = auto()
    COMMAND = auto()


class PaletteModel(QAbstractListModel):
    """Matching commands, recent ones first, then by match cost."""

    def __init__(
        self,
        commands: Sequence[PaletteCommand],
        recent: Sequence[str] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._newness = newness = {command_id: at for at, command_id in enumerate(recent)}
        self._commands = sorted(commands, key=lambda known: newness.get(known.id, len(newness)))
        self._rows = list(self._commands)

    def set_query(self, query: str) -> None:
        """Filters by `query`, ties by length of the name; empty = all."""
        latest = len(self._newness)
        fits = [
            (found, self._newness.get(command.id, latest), len(command.title), at, command)
            for at, command in enumerate(self._commands)
            if (found := misfit(query, command.names)) is not None
        ]
        fits.sort(key=lambda fit: fit[:4] if query.strip() else fit[3])
        self.beginResetModel()
        self._rows = [fit[-1] for fit in fits]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        command = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return command.title
            case PaletteRole.GROUP:
                return command.group
            case PaletteRole.KEYS:
                return command.keys
            case PaletteRole.COMMAND:
                return command
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed(filter(None, (command.title, command.group, command.keys)))
        return None

"""Key bindings: defaults and the user's changes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from awase.gui.kit.keys.keys import KeyMap

Bindings = dict[str, tuple[str, ...]]


class KeyConflict(Exception):
    """A key is taken."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self.command = command


class KeyBindings(QObject):
    """The file of the user's bindings, written on every change."""

    changed = Signal()

    def __init__(self, path: Path, defaults: Bindings, parent: QObject | None = None) -> None:
        """Reads the user's changes of `defaults`."""
        super().__init__(parent)
        self._path = path
        self._defaults = defaults
        self._own: Bindings = {}
        self.keys = KeyMap(defaults)
        for command, keys in _read(path).items():
            self._try(command, keys)

    def is_own(self, command: str) -> bool:
        """Returns whether the user changed the keys of `command`."""
        return command in self._own

    def bind(self, command: str, keys: Sequence[str]) -> None:
        """Replaces the keys of `command`; `KeyConflict` if one is taken."""
        self._check(command, keys)
        own = {**self._own, command: tuple(keys)}
        if own[command] == self._defaults.get(command):
            del own[command]
        self._take(own)
        self._write()

    def restore(self, command: str) -> None:
        """Restores the default keys; `KeyConflict` if one is bound elsewhere."""
        self.bind(command, self._defaults.get(command, ()))

    def restore_all(self) -> None:
        """Restores all default keys."""
        self._take({})
        self._write()

    def _check(self, command: str, keys: Sequence[str]) -> None:
        wanted = KeyMap({command: tuple(keys)})
        for other in self.keys.commands():
            if other != command and wanted.shares_key(self.keys.only(other)):
                raise KeyConflict(other)

    def _try(self, command: str, keys: Sequence[str]) -> None:
        """Applies a binding of the file; invalid ones stay at the default."""
        # A command with default keys gives way: a later version may have come with a key that was
        # free.
        if command not in self._defaults:
            return
        try:
            wanted = KeyMap({command: tuple(keys)})
        except ValueError:
            return
        giving_way: Bindings = {}
        for other in self.keys.commands():
            if other != command and wanted.shares_key(self.keys.only(other)):
                if other in self._own:
                    return
                giving_way[other] = tuple(
                    key
                    for key in self.keys.portable(other)
                    if not wanted.shares_key(KeyMap({other: (key,)}))
                )
        self._take({**self._own, **giving_way, command: tuple(keys)})

    def _take(self, own: Bindings) -> None:
        self._own = own
        self.keys.take({**self._defaults, **own})
        self.changed.emit()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".part")
        partial.write_text(json.dumps(self._own, indent=1, ensure_ascii=False), "utf-8")
        partial.replace(self._path)


def _read(path: Path) -> Mapping[str, Sequence[str]]:
    try:
        stored = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {
        command: tuple(keys)
        for command, keys in stored.items()
        if isinstance(keys, list) and all(isinstance(key, str) for key in keys)
    }

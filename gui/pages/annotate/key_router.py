"""Maps key presses in the panes to commands; `state.annotation_actions` runs them."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from awase.gui.kit.keys.keys import KeyMap


class KeyRouter(QObject):
    """Runs the command of a key that is pressed in one of its widgets."""

    focused = Signal(QWidget)  # one of its widgets took the keyboard
    released = Signal()  # a key is no longer held

    def __init__(
        self, keys: KeyMap, commands: Mapping[str, Callable[[], object]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._keys = keys
        self._commands = commands
        self._n_keys = 0

    def watch(self, widget: QWidget) -> None:
        """Filters the keys of `widget`."""
        widget.installEventFilter(self)

    def take_n_keys(self) -> int:
        """Returns the number of command keys pressed since the last call."""
        taken, self._n_keys = self._n_keys, 0
        return taken

    def run(self, event: QKeyEvent) -> bool:
        """Runs the command of the key; returns whether it has one."""
        command = self._commands.get(self._keys.command_of(event) or "")
        if command is None:
            return False
        self._n_keys += 1
        command()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                # A plain letter must not become the shortcut of something else in the window.
                if self._keys.command_of(event) in self._commands:
                    event.accept()
                    return True
            elif event.type() is QEvent.Type.KeyPress:
                return self.run(event)
            elif event.type() is QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self.released.emit()
        elif event.type() is QEvent.Type.FocusOut:
            self.released.emit()  # whoever has the keyboard now is told when the key is let go
        elif event.type() is QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self.focused.emit(watched)
        return super().eventFilter(watched, event)

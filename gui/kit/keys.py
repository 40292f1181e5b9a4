"""Key bindings: defaults, the user's, and as Markdown."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from awase.gui.kit.i18n import tr
from awase.jobs.files.writing import store_own

# Not by text, so that they work under a Japanese input method, with Caps Lock, on the number pad.


_KEPT: Final = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_ALONE: Final = (
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_unknown,
)
_LAST_SYMBOL: Final = 0x00FF
_ROW_ON_MACOS: Final = bytes((18, 19, 20, 21, 23, 22, 26, 28, 25))
EVERYWHERE: Final = "menu"  # the scope of commands that the window has on every page

# Global commands with the ids that they had on the Annotate page.
_OF_THE_WINDOW: Final = ("undo", "redo", "show-keys", "next-pane", "previous-pane")


def scope_of(command: str) -> str:
    """Returns where a command can be run: a page's id, or `EVERYWHERE`."""
    if command in _OF_THE_WINDOW:
        return EVERYWHERE
    page, colon, _ = command.partition(":")
    return page if colon else "annotate"


class KeyMap:
    """Maps keys to commands and back."""

    def __init__(self, bindings: Mapping[str, tuple[str, ...]]) -> None:
        self.take(bindings)

    def take(self, bindings: Mapping[str, tuple[str, ...]]) -> None:
        """Maps ids to keys, the first displayed; `ValueError` if unknown or bound twice."""
        sequences = {command: tuple(map(_combination, keys)) for command, keys in bindings.items()}
        command_by_key: dict[tuple[str, int], str] = {}
        taken: dict[int, list[tuple[str, str]]] = {}
        for command, combinations in sequences.items():
            scope = scope_of(command)
            for combination in combinations:
                key = combination.toCombined()
                for other_scope, other in taken.setdefault(key, []):
                    if _meet(scope, other_scope):
                        raise ValueError(f"{other} and {command} share a key")
                taken[key].append((scope, command))
                command_by_key[scope, key] = command
        self._sequences = sequences
        self._command_by_key = command_by_key

    def command_of(self, event: QKeyEvent, page: str = "annotate") -> str | None:
        """Returns the command of the event's key on `page`; None = unbound.

        A digit with Shift (and Ctrl) is looked up by its symbol, then as itself.
        """
        for combination in (_combination_of(event), _shifted_digit_of(event)):
            if combination is not None:
                key = combination.toCombined()
                found = self._command_by_key.get((page, key))
                if found := found or self._command_by_key.get((EVERYWHERE, key)):
                    return found
        return None

    def commands(self) -> tuple[str, ...]:
        """Returns every command that can have a key, in the order in which they are explained."""
        return tuple(self._sequences)

    def holders(self, command: str, key: str) -> list[str]:
        """Returns the other commands that have the key where `command` would have it."""
        wanted, scope = _combination(key).toCombined(), scope_of(command)
        return [
            other
            for (other_scope, other_key), other in self._command_by_key.items()
            if other_key == wanted and other != command and _meet(scope, other_scope)
        ]

    def portable(self, command: str) -> tuple[str, ...]:
        return tuple(QKeySequence(one).toString() for one in self._sequences.get(command, ()))

    def texts(self, command: str) -> tuple[str, ...]:
        return tuple(
            QKeySequence(combination).toString(QKeySequence.SequenceFormat.NativeText)
            for combination in self._sequences.get(command, ())
        )

    def text(self, command: str) -> str:
        return next(iter(self.texts(command)), "")


def key_text(event: QKeyEvent) -> str:
    """Returns the pressed key as files spell it; empty for modifiers alone."""
    if event.key() in _ALONE:
        return ""
    return QKeySequence(_combination_of(event)).toString()


def _shifted_digit_of(event: QKeyEvent) -> QKeyCombination | None:
    """Returns Shift (and Ctrl) with a digit of the number row; None = no such key."""
    shift, control = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
    held = event.modifiers() & _KEPT
    is_shift = held in (shift, shift | control)
    number = digit_in_row(event.nativeScanCode(), event.nativeVirtualKey(), sys.platform)
    if not is_shift or not number or not _is_symbol(Qt.Key(event.key())):
        return None
    return QKeyCombination(held, Qt.Key(Qt.Key.Key_0 + number))


def digit_in_row(scan_code: int, virtual_key: int, platform: str) -> int:
    """Returns the digit on a key of the number row; 0 = none of 1 to 9."""
    # Scan codes are those of set 1 on Windows, 8 more under X11 and Wayland.
    if platform == "darwin":
        return _ROW_ON_MACOS.find(virtual_key) + 1 if 0 < virtual_key < 0x100 else 0
    number = scan_code - 1 - (0 if platform == "win32" else 8)
    return number if 1 <= number <= 9 else 0


def _meet(scope: str, other: str) -> bool:
    return scope == other or EVERYWHERE in (scope, other)


def _combination_of(event: QKeyEvent) -> QKeyCombination:
    key, modifiers = Qt.Key(event.key()), event.modifiers() & _KEPT
    if _is_symbol(key):
        # Which symbols need Shift, or Ctrl and Alt as AltGr, depends on the keyboard.
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        if modifiers & both == both:
            modifiers &= ~both
    return QKeyCombination(modifiers, key)


@cache
def _combination(text: str) -> QKeyCombination:
    sequence = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        raise ValueError(f"“{text}” is not a key")
    combination: QKeyCombination = sequence[0]  # type: ignore[index]  # the stubs lack it
    if combination.key() == Qt.Key.Key_unknown:
        raise ValueError(f"“{text}” is not a key")
    return combination


def _is_symbol(key: Qt.Key) -> bool:
    code = key.value
    return 0x21 <= code <= _LAST_SYMBOL and not chr(code).isalnum()


Bindings = dict[str, tuple[str, ...]]


class KeyConflict(Exception):
    """A key is taken."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self.command = command


class KeyBindings(QObject):
    """The file of the user's bindings, written on every change."""

    changed = Signal()

    def __init__(self, path: Path, defaults: Bindings) -> None:
        """Reads the user's changes of `defaults`."""
        super().__init__()
        self._path = path
        self._defaults = defaults
        self._own: Bindings = {}
        self.keys = KeyMap(defaults)
        for command, keys in _read(path).items():
            self._try(command, keys)

    def is_own(self, command: str) -> bool:
        return command in self._own

    def bind(self, command: str, keys: Sequence[str]) -> None:
        """Replaces the keys of `command`; `KeyConflict` if one is taken."""
        for holder in (one for key in keys for one in self.keys.holders(command, key)):
            raise KeyConflict(holder)
        own = {**self._own, command: tuple(keys)}
        if own[command] == self._defaults.get(command):
            del own[command]
        self._take(own)
        store_own(self._path, own)

    def restore(self, command: str) -> None:
        """Restores the default keys; `KeyConflict` if one is bound elsewhere."""
        self.bind(command, self._defaults.get(command, ()))

    def restore_all(self) -> None:
        self._take({})
        store_own(self._path, {})

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
        for holder in {one for key in keys for one in self.keys.holders(command, key)}:
            if holder in self._own:
                return
            left = [one for one in self.keys.portable(holder) if not wanted.holders(holder, one)]
            giving_way[holder] = tuple(left)
        self._take({**self._own, **giving_way, command: tuple(keys)})

    def _take(self, own: Bindings) -> None:
        self._own = own
        self.keys.take({**self._defaults, **own})
        self.changed.emit()


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


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


def key_in_markdown(command: str, keys: KeyMap) -> str:
    """Returns the first key of `command` as Markdown; in words when it has none."""
    text = keys.text(command)
    return f"**{escaped(text)}**" if text else tr("(no key)")


def escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)

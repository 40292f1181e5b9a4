"""Which key does what: the bindings of resources/keys.json, matched by `Qt.Key`.

Matching by key and not by the text it makes keeps the bindings working under a Japanese input
method, with Caps Lock on and on the number pad.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

_KEPT: Final = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_LAST_SYMBOL: Final = 0x00FF


class KeyMap:
    """Looks up the command of a key, and the keys of a command."""

    def __init__(self, bindings: Mapping[str, tuple[str, ...]]) -> None:
        """Takes command id to its keys, as `QKeySequence` spells them; the first one is shown.

        Raises:
            ValueError: A key that does not exist, or one that has two commands.
        """
        self._sequences = MappingProxyType(
            {command: tuple(map(_combination, keys)) for command, keys in bindings.items()}
        )
        self._command_by_key: dict[int, str] = {}
        for command, combinations in self._sequences.items():
            for combination in combinations:
                key = combination.toCombined()
                if key in self._command_by_key:
                    raise ValueError(f"{self._command_by_key[key]} and {command} share a key")
                self._command_by_key[key] = command

    @classmethod
    def default(cls) -> "KeyMap":
        """Returns the bindings that the program comes with."""
        text = files("awase.resources").joinpath("keys.json").read_text("utf-8")
        return cls({command: tuple(keys) for command, keys in json.loads(text).items()})

    def command_of(self, event: QKeyEvent) -> str | None:
        """Returns the command that the event's key is bound to; None when it is free."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & _KEPT
        if _is_symbol(key):
            # Which symbols need Shift, or Ctrl and Alt as AltGr, depends on the keyboard.
            modifiers &= ~Qt.KeyboardModifier.ShiftModifier
            both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            if modifiers & both == both:
                modifiers &= ~both
        return self._command_by_key.get(QKeyCombination(modifiers, key).toCombined())

    def commands(self) -> tuple[str, ...]:
        """Returns every command that has a binding, in the file's order."""
        return tuple(self._sequences)

    def texts(self, command: str) -> tuple[str, ...]:
        """Returns the keys of `command` as the desktop writes them."""
        return tuple(
            QKeySequence(combination).toString(QKeySequence.SequenceFormat.NativeText)
            for combination in self._sequences.get(command, ())
        )

    def text(self, command: str) -> str:
        """Returns the first key of `command`; empty when it has none."""
        return next(iter(self.texts(command)), "")


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

"""Widgets that write their texts anew when the window's language changes."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Widget
else:
    _Widget = object  # Qt allows one of its classes among the bases, and that is the user's


class Retranslated(_Widget):
    """Stands before Qt's class among the bases of a widget with a `_retranslate`."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        """Writes every text in the window's language."""
        raise NotImplementedError

"""Who gets the keyboard when a whole page or pane is given it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


class HandsFocusOn:
    """A container that hands the keyboard on to a part of it.

    It is no focus proxy of Qt's: Tab would go from the container straight to the proxy, past
    everything that stands before that.
    """

    _focused_part: QWidget

    def hand_focus_to(self, part: QWidget) -> None:
        """Gives the keyboard to `part` whenever the container is given it."""
        self._focused_part = part

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Gives the keyboard to the part."""
        self._focused_part.setFocus(reason)

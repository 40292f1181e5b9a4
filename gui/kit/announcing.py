"""Announcements to screen readers: results and errors away from the focus."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QWidget

if TYPE_CHECKING:
    Base = QLabel
else:
    Base = object


def announce(widget: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Announces a text to screen readers without moving the focus.

    Args:
        widget: Source; nothing is announced for a hidden window.
        text: Translated; empty = nothing.
    """
    if not text or not widget.window().isVisible():
        return
    # Nothing is read out before the first paint, which need not wait for these.
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    event = QAccessibleAnnouncementEvent(widget, text)
    kinds = QAccessible.AnnouncementPoliteness
    event.setPoliteness(kinds.Assertive if is_urgent else kinds.Polite)
    QAccessible.updateAccessibility(event)


class ReadOut(Base):
    """Mixin for a label: `setText` is announced, urgently if its look is `danger`."""

    def setText(self, text: str) -> None:
        is_new = text != self.text()
        super().setText(text)
        if is_new:
            announce(self, text, is_urgent=self.property("look") == "danger")


class LiveLabel(ReadOut, QLabel):
    """A label that announces changes of its text."""

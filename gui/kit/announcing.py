"""What screen readers are told that happens away from the keyboard: results, and refusals."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QWidget

if TYPE_CHECKING:
    Base = QLabel
else:
    Base = object


def announce(widget: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Lets a screen reader read a text out; the keyboard stays where it is.

    Args:
        widget: Where the text stands; nothing is read out of a window that is not shown.
        text: In the window's language; an empty one is not read out.
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
    """Mixed into a label: `setText` is read out, at once where the label's look is `danger`."""

    def setText(self, text: str) -> None:
        is_new = text != self.text()
        super().setText(text)
        if is_new:
            announce(self, text, is_urgent=self.property("look") == "danger")


class LiveLabel(ReadOut, QLabel):
    """A text that is read out when it is another one."""

"""Hears what a screen reader is told to read out."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

Heard = list[tuple[str, bool]]
"""Texts, and whether each interrupts what is being read."""


def hearing(patch: pytest.MonkeyPatch) -> Heard:
    """Returns the list that grows by each announcement from now on."""
    heard: Heard = []

    def take(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            urgent = QAccessible.AnnouncementPoliteness.Assertive
            heard.append((event.message(), event.politeness() == urgent))

    patch.setattr(QAccessible, "updateAccessibility", take)
    return heard

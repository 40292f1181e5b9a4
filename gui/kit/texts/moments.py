"""Moments in one style, in every language: `2026-11-23 03:14`."""

from PySide6.QtCore import QDateTime, Qt


def local_time(moment: str) -> str:
    """Returns an ISO 8601 moment, of any offset, as a date and time here."""
    time = QDateTime.fromString(moment, Qt.DateFormat.ISODateWithMs).toLocalTime()
    return time.toString("yyyy-MM-dd HH:mm")

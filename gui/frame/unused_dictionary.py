"""Unloads the Japanese dictionary when unused."""

from typing import Final

from PySide6.QtCore import QObject, QTimer

# So long it stays at least, and twice as long at most; loading it takes a hundredth of that.
LOOKED_AT_MS: Final = 2000


class ForgetsDictionary(QObject):
    """Unloads it after idling: it is a fifth of the window's memory."""

    def __init__(self, parent: QObject | None = None, *, every_ms: int = LOOKED_AT_MS) -> None:
        super().__init__(parent)
        timer = QTimer(self)
        timer.timeout.connect(_look)
        timer.start(every_ms)


def _look() -> None:
    from awase.core.text.japanese import forget_if_unused  # not before the first paint

    forget_if_unused()

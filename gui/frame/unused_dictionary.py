"""The dictionary of Japanese words, which is in memory while words are looked up in it."""

from typing import Final

from PySide6.QtCore import QObject, QTimer

# So long it stays at least, and twice as long at most; loading it takes a hundredth of that.
LOOKED_AT_MS: Final = 2000


class ForgetsDictionary(QObject):
    """Lets it go once no word has been asked for: it is a fifth of what the window takes."""

    def __init__(self, parent: QObject | None = None, *, every_ms: int = LOOKED_AT_MS) -> None:
        super().__init__(parent)
        timer = QTimer(self)
        timer.timeout.connect(_look)
        timer.start(every_ms)


def _look() -> None:
    from awase.core.text.tokens.japanese import forget_if_unused  # not before the first paint

    forget_if_unused()

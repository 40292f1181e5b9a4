"""A bar that says how far something is."""

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressBar(QProgressBar):
    """A bar without words, drawn with the rest of the window.

    Qt's own draws at once whatever it is told, and with it all that waits to be drawn: a job that
    had gone on fifteen times since the last look drew the table behind it as often.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)

    def show_progress(self, done: int, total: int) -> None:
        """Shows that `done` of `total` are done; a total of 0 = it is not known."""
        if (done, total) == (self.value(), self.maximum()):
            return
        self.setUpdatesEnabled(False)
        self.setRange(0, total)
        self.setValue(done)
        self.setUpdatesEnabled(True)

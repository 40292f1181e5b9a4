"""Progress bar."""

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressBar(QProgressBar):
    """A progress bar without text that repaints with the window."""

    # Qt's repaints immediately on every change, with everything pending behind it.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)

    def show_progress(self, done: int, total: int) -> None:
        """Shows progress; a total of 0 = unknown."""
        if (done, total) == (self.value(), self.maximum()):
            return
        self.setUpdatesEnabled(False)
        self.setRange(0, total)
        self.setValue(done)
        self.setUpdatesEnabled(True)

"""Strip of a job: progress, Cancel, and what cancelling means."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from awase.gui.kit.announcing import announce
from awase.gui.kit.jobs.progress_bar import ProgressBar
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.texts.i18n import tr


class JobStrip(QWidget):
    """Hidden while there is no job."""

    againChosen = Signal()  # the user wants the work that was stopped

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self.bar, self.note = ProgressBar(), QLabel()
        self.note.setProperty("look", "warning")
        self.cancel, self.again = QPushButton(), QPushButton()
        self.cancel.clicked.connect(self.stop)
        self.again.clicked.connect(self.againChosen)
        line_px = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, 0, line_px, 0)
        for widget in (self.bar, self.cancel, self.note, self.again):
            layout.addWidget(widget, 2 if widget in (self.bar, self.note) else 0)
        self.bar.setMaximumWidth(line_px * 20)
        layout.addStretch(1)
        self.clear()

    def watch(self, job: Job) -> None:
        """Follows a job until it ends; one watched before is forgotten."""
        self.clear()
        self._job = job
        job.progressed.connect(self._on_progressed)
        job.cancelled.connect(self._on_cancelled)
        job.ended.connect(self._on_ended)

    def clear(self) -> None:
        for widget in (self.bar, self.cancel, self.note, self.again):
            widget.hide()

    def stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def retranslate(self, stopped: str, again: str) -> None:
        """Writes every text in the window's language."""
        self.cancel.setText(tr("Cancel"))
        self.note.setText(stopped)
        self.again.setText(again)

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self.bar.show_progress(done, total)
        self.bar.show()
        self.cancel.show()

    def _on_cancelled(self) -> None:
        announce(self, self.note.text())
        self.note.show()
        self.again.show()

    def _on_ended(self) -> None:
        if self.sender() is self._job:  # not an earlier one, which was dropped
            self._job = None
            if not self.bar.isHidden() and self.note.isHidden():
                announce(self, tr("Done."))
            self.bar.hide()
            self.cancel.hide()

"""A dialog that runs one job at a time, and does not close over it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QWidget

from awase.gui.kit.jobs.running import Job, Jobs, Work
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated


class JobDialog(Retranslated, QDialog):
    """Has a bar and a row of buttons, to be laid out; Close stops the job while there is one."""

    failed = Signal(str, object)
    """Headline and error."""

    def __init__(self, jobs: Jobs, headline: str, parent: QWidget | None = None) -> None:
        """Starts nothing; `headline`, in English, stands over what goes wrong."""
        super().__init__(parent)
        self._jobs, self._headline = jobs, headline
        self._job: Job | None = None
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.rejected.connect(self.reject)

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def _start(self, key: str, work: Work, then: Callable[..., None]) -> None:
        """Starts `work`; `then` gets what it returns."""
        self._job = self._jobs.start(key, work)
        self._job.progressed.connect(self._on_progressed)
        self._job.finished.connect(then)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)
        self._progress.setRange(0, 0)
        self._show_state()

    def _show_state(self) -> None:
        """Shows whether there is a job; subclasses add what they enable."""
        is_idle = self._job is None
        self._progress.setVisible(not is_idle)
        close = self._buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setText(tr("Close") if is_idle else tr("Stop"))

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)

    def _on_failed(self, error: BaseException) -> None:
        self.failed.emit(self._headline, error)

    def _on_ended(self) -> None:
        self._job = None
        self._show_state()

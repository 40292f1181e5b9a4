"""Form dialogs that run one job at a time, and stay open during it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from awase.gui.kit.forms.dialog import FormDialog, Verdict
from awase.gui.kit.forms.parts import Form
from awase.gui.kit.jobs.progress_bar import ProgressBar
from awase.gui.kit.jobs.running import Job, Jobs, Work
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.i18n import mark


class JobDialog(FormDialog):
    """A form dialog with a progress bar; during a job closing cancels that instead."""

    # Only live parts are usable meanwhile.

    failed = Signal(str, object)  # headline and error

    uses_text = True  # whether what is typed has served its purpose once a job is done

    def __init__(
        self, form: Form, jobs: Jobs, headline: str, parent: QWidget | None = None
    ) -> None:
        """`headline`, in English, is above errors."""
        super().__init__(form, parent)
        self.jobs, self._headline = jobs, headline
        self._job: Job | None = None
        self._then: Callable[..., None] = _nothing
        self._focus: QWidget | None = None
        self.progress = ProgressBar()
        self.progress.hide()
        bind(self.progress, "accessibleName", mark("Progress"))
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.indexOf(self.message) + 1, self.progress)

    @property
    def is_busy(self) -> bool:
        """Whether there is a job."""
        return self._job is not None

    def start(self, key: str, work: Work, then: Callable[..., None]) -> None:
        """Starts `work`; `then` receives its result once the dialog is idle."""
        self._told, self._then = Verdict(), then
        job = self._job = self.jobs.start(key, work)
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        job.ended.connect(self._rest)
        self.progress.setRange(0, 0)
        self._focus = self.focusWidget()
        self._show_work()

    def stopped(self) -> None:
        """Called when the job was cancelled."""

    def went_wrong(self, error: BaseException) -> None:
        """Shows the job's error."""
        self.failed.emit(self._headline, error)

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def show_state(self) -> None:
        super().show_state()
        if self._job is not None:
            if self.accept_button is not None:
                self.accept_button.setEnabled(False)
            self.show_message(self._told.text, self._told.look)

    def _show_work(self) -> None:
        self.progress.setVisible(self.is_busy)
        self.fields.set_busy(self.is_busy)
        if self.leave_button is not None:
            bind(self.leave_button, "text", mark("Stop") if self.is_busy else self.form.leave)
        self.show_state()

    def _rest(self) -> None:
        if self._job is not None:
            self._job = None
            self._told = Verdict()
            self._show_work()

    def _on_progressed(self, done: int, total: int, what: str) -> None:
        self.progress.show_progress(done, total)
        self._told = Verdict(what)
        self.show_message(what)

    def _on_finished(self, result: object) -> None:
        self._rest()
        if self.uses_text:
            self.settle()
        self._then(result)
        self.show_state()
        self._give_keyboard_back()

    def _on_failed(self, error: BaseException) -> None:
        self._rest()
        self.went_wrong(error)
        self._give_keyboard_back()

    def _on_cancelled(self) -> None:
        self._rest()
        self.stopped()
        self._give_keyboard_back()

    def _give_keyboard_back(self) -> None:
        """Restores the focus that Qt moved to the cancel button, or focuses the default button."""
        before, self._focus = self._focus, None
        if before is None or not self.isVisible() or self.focusWidget() is not self.leave_button:
            return
        accept = self.accept_button
        if isinstance(before, QPushButton) and accept is not None and accept.isEnabled():
            before = accept
        if before.isEnabled() and before.isVisible():
            before.setFocus()


def _nothing(_result: object) -> None:
    """Ignores a job's result."""

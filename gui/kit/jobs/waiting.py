"""Modal waiting for a job, with progress and Cancel."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar, cast

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget

from awase.core.errors import Cancelled
from awase.core.progress import Reporter
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.texts.i18n import tr

WITHOUT_WORDS_MS: Final = 300  # a dialog that comes and goes within less only flickers

_Result = TypeVar("_Result")


def waited_for(
    jobs: Jobs,
    title: str,
    work: Callable[[Reporter], _Result],
    parent: QWidget,
    *,
    silent_ms: int = WITHOUT_WORDS_MS,
) -> _Result:
    """Runs `work` modally and returns its result or raises its error.

    Input is blocked; after `silent_ms` a dialog shows progress and Cancel.
    """
    waiting = _Waiting(jobs, work)
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        waiting.without_input(silent_ms)
    finally:
        QGuiApplication.restoreOverrideCursor()
    if not waiting.has_ended:
        waiting.with_dialog(title, parent)
    return waiting.result()


class _Waiting(QObject, Generic[_Result]):
    """One job until its end."""

    def __init__(self, jobs: Jobs, work: Callable[[Reporter], _Result]) -> None:
        super().__init__()
        self.has_ended = False
        self._results: list[_Result] = []
        self._error: BaseException = Cancelled()
        self._loop = QEventLoop(self)
        self._job = jobs.start("step", work, is_step=True)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def without_input(self, most_ms: int | None = None) -> None:
        """Blocks input, for at most this long."""
        if most_ms is not None:
            QTimer.singleShot(most_ms, self._loop, self._loop.quit)
        if not self.has_ended:
            self._loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def with_dialog(self, title: str, parent: QWidget) -> None:
        """Waits with a progress dialog."""
        dialog = QProgressDialog(title, tr("Cancel"), 0, 0, parent)
        dialog.setWindowTitle("Awase")
        dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
        dialog.setAutoReset(False)
        dialog.canceled.connect(self._job.cancel)
        dialog.canceled.connect(self._loop.quit)

        def show_progress(done: int, total: int, _what: str) -> None:
            dialog.setMaximum(total)
            dialog.setValue(done)

        self._job.progressed.connect(show_progress)
        dialog.show()
        self._loop.exec()
        self._job.progressed.disconnect(show_progress)
        dialog.close()
        dialog.deleteLater()
        if not self.has_ended:
            self.without_input()  # until it has noticed

    def result(self) -> _Result:
        if self._results:
            return self._results[0]
        raise self._error

    def _on_finished(self, result: object) -> None:
        self._results.append(cast("_Result", result))

    def _on_failed(self, error: BaseException) -> None:
        self._error = error

    def _on_ended(self) -> None:
        self.has_ended = True
        self._loop.quit()

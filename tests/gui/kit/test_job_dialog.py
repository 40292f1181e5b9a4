"""What every dialog with a job does: it stops the job rather than close over it, and says why."""

import threading

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QVBoxLayout

from awase.core.errors import InputError
from awase.gui.kit.jobs.job_dialog import JobDialog


class Dialog(JobDialog):
    def __init__(self, jobs):
        super().__init__(jobs, "It went wrong.")
        self.results = []
        layout = QVBoxLayout(self)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self._show_state()

    def _retranslate(self):
        self._show_state()


@pytest.fixture
def dialog(services, qtbot):
    dialog = Dialog(services.jobs)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def close_text(dialog):
    return dialog._buttons.button(QDialogButtonBox.StandardButton.Close).text()


def test_that_close_stops_the_job_first_and_the_dialog_then(dialog, qtbot) -> None:
    go_on = threading.Event()

    def work(reporter):
        while not go_on.is_set():
            reporter.advance(1, 2)

    dialog._start("work", work, dialog.results.append)
    assert (close_text(dialog), dialog._progress.isVisible()) == ("Stop", True)
    dialog.reject()
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog._job is None)
    go_on.set()
    assert (close_text(dialog), dialog._progress.isVisible()) == ("Close", False)
    assert dialog.results == []
    dialog.reject()
    assert not dialog.isVisible()


def test_that_a_failure_is_told_under_the_headline(dialog, qtbot) -> None:
    def work(_reporter):
        raise InputError.of("No such thing.", "Choose another.")

    with qtbot.waitSignal(dialog.failed) as failed:
        dialog._start("work", work, dialog.results.append)
    assert failed.args[0] == "It went wrong."
    assert "No such thing." in str(failed.args[1])
    qtbot.waitUntil(lambda: dialog._job is None)


def test_that_the_result_arrives(dialog, qtbot) -> None:
    dialog._start("work", lambda _reporter: 3, dialog.results.append)
    qtbot.waitUntil(lambda: dialog._job is None)
    assert dialog.results == [3]

"""Work that the window waits for: it lives, it says how far it is, it can be stopped."""

import threading

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QProgressDialog, QPushButton, QWidget

from awase.core.errors import Cancelled, EnvironmentProblem
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.jobs.waiting import waited_for


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    jobs.stop_all()


@pytest.fixture
def window(qtbot):
    return qtbot.shown(QWidget())


class Gate:
    """Work that goes on when it is let, and reports two steps of four before that."""

    def __init__(self):
        self.opened = threading.Event()

    def work(self, reporter):
        reporter.advance(2, 4, "x")
        while not self.opened.wait(0.001):
            reporter.advance(2, 4, "x")
        return "done"


def once(window, does):
    """Calls `does` with the dialog, again and again until it returns True; returns the timer."""
    timer = QTimer(window)

    def look():
        dialog = window.findChild(QProgressDialog)
        timer.stop()  # keys sent from within let events in
        if dialog is None or not dialog.isVisible() or not does(dialog):
            timer.start(1)

    timer.timeout.connect(look)
    timer.start(1)
    return timer


def test_that_what_work_returns_is_returned(jobs, window):
    assert waited_for(jobs, "x", lambda _reporter: 3, window, silent_ms=60_000) == 3
    assert window.findChild(QProgressDialog) is None


def test_that_what_the_window_waits_for_does_not_wait_for_long_jobs(jobs, window):
    long = Gate()
    for n in range(20):  # more than there are threads for
        jobs.start(f"job {n}", long.work)
    try:
        assert waited_for(jobs, "x", lambda _reporter: 3, window, silent_ms=60_000) == 3
    finally:
        long.opened.set()


def test_that_what_work_raises_is_raised(jobs, window):
    def broken(_reporter):
        raise EnvironmentProblem("The disk is full.")

    with pytest.raises(EnvironmentProblem, match="full"):
        waited_for(jobs, "x", broken, window)


def test_that_long_work_says_what_it_is_and_how_far(jobs, window):
    gate, seen = Gate(), []

    def look(dialog):
        if dialog.value() != 2:
            return False
        seen.append((dialog.labelText(), dialog.maximum(), dialog.isModal()))
        gate.opened.set()
        return True

    once(window, look)
    assert waited_for(jobs, "Undoing", gate.work, window, silent_ms=0) == "done"
    assert seen == [("Undoing", 4, True)]


@pytest.mark.parametrize("way", ["button", "escape"])
def test_that_long_work_can_be_stopped(jobs, window, way):
    gate = Gate()

    def stop(dialog):
        if not dialog.isActiveWindow():
            return False
        if way == "button":
            dialog.findChild(QPushButton).click()
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        return True

    once(window, stop)
    with pytest.raises(Cancelled):
        waited_for(jobs, "x", gate.work, window, silent_ms=0)
    assert not jobs.is_running("step")


def test_that_nothing_can_be_typed_into_the_window_meanwhile(jobs, window):
    gate, field = Gate(), QLineEdit(window)
    field.show()

    def type_there(_dialog):
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
        gate.opened.set()
        return True

    field.setFocus()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_B)
    once(window, type_there)
    waited_for(jobs, "x", gate.work, window, silent_ms=0)
    assert field.text() == "b"


def test_that_work_dropped_at_the_end_of_the_program_counts_as_stopped(jobs, window):
    gate = Gate()

    def drop(_dialog):
        jobs.drop("step")
        return True

    once(window, drop)
    with pytest.raises(Cancelled):
        waited_for(jobs, "x", gate.work, window, silent_ms=0)

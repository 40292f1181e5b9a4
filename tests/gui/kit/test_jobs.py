"""Jobs: results, stopping, waiting and defects."""

import threading

import pytest
from PySide6.QtCore import QObject, Qt, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QProgressDialog, QPushButton, QWidget

from awase.core.errors import Cancelled, CorpusFormatError, EnvironmentProblem, Problem
from awase.gui.kit.defects import problems_of
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.notices import waited_for
from awase.gui.pages.correlations import page as correlations
from awase.gui.pages.correlations.page import CorrelationsPage
from awase.gui.pages.scores import page as scores
from awase.gui.pages.scores.page import ScoresPage
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.stop_all()


def test_that_a_result_comes_back_on_the_gui_thread_and_an_error_as_it_was_raised(jobs, qtbot):
    seen = []
    job = jobs.start("k", lambda _: threading.get_ident())
    job.finished.connect(lambda result: seen.append((result, QThread.currentThread())))
    with qtbot.waitSignal(job.ended):
        pass
    [(worker, thread)] = seen
    assert worker != threading.get_ident()
    assert thread is not None
    assert thread.isMainThread()
    job = jobs.start("k", lambda _: [][0])
    with qtbot.waitSignal(job.failed) as blocker:
        pass
    assert isinstance(blocker.args[0], IndexError)


def test_that_a_cancelled_job_stops_at_its_next_report(jobs, qtbot):
    is_started, may_go_on = threading.Event(), threading.Event()

    def work(reporter):
        is_started.set()
        may_go_on.wait(60)
        reporter.advance(1, 2)
        raise AssertionError

    job = jobs.start("k", work)
    is_started.wait(60)
    job.cancel()
    with qtbot.waitSignal(job.cancelled), qtbot.assertNotEmitted(job.failed):
        may_go_on.set()


def test_that_a_replaced_job_says_nothing_more(jobs, qtbot):
    may_end = {"old": threading.Event(), "new": threading.Event()}
    results = []

    def start(name):
        job = jobs.start("k", lambda _: may_end[name].wait(60) and name)
        job.finished.connect(results.append)
        return job

    first, second = start("old"), start("new")
    with qtbot.waitSignal(first.ended):
        may_end["old"].set()
    assert jobs.running("k") is second
    with qtbot.waitSignal(second.ended):
        may_end["new"].set()
    assert results == ["new"]
    assert not jobs.is_busy


def test_that_the_last_report_is_always_delivered(jobs, qtbot):
    seen = []

    def work(reporter):
        for step in range(1001):
            reporter.advance(step, 1000, "x")

    job = jobs.start("k", work)
    job.progressed.connect(lambda *report: seen.append(report))
    with qtbot.waitSignal(job.ended):
        pass
    assert seen[-1] == (1000, 1000, "x")
    assert len(seen) < 500


def test_that_of_reports_that_wait_the_last_one_is_told_while_work_is_at_it(jobs, qtbot):
    seen, has_reported, may_end = [], threading.Event(), threading.Event()

    def work(reporter):
        for step in range(3):
            reporter.advance(step, 3, str(step))
        has_reported.set()
        may_end.wait(60)

    job = jobs.start("k", work)
    job.progressed.connect(lambda *report: seen.append(report[2]))
    has_reported.wait(60)
    with qtbot.waitSignal(job.progressed):
        pass
    assert seen == ["2"]
    with qtbot.waitSignal(job.ended):
        may_end.set()


def test_that_stopping_everything_waits_for_the_threads(qtbot):
    jobs = Jobs()
    is_started, has_stopped = threading.Event(), threading.Event()

    def work(reporter):
        is_started.set()
        try:
            while True:
                reporter.advance(0, 1)
        except Cancelled:
            has_stopped.set()
            raise

    jobs.start("k", work)
    is_started.wait(60)
    jobs.stop_all()
    assert has_stopped.is_set()


@pytest.mark.slow
def test_that_work_that_no_thread_had_time_for_ends_with_the_others(jobs, qtbot):
    begun, ended = [], []

    def work(reporter):
        begun.append(reporter)
        while True:
            reporter.advance(0, 1)

    for number in range(12):
        job = jobs.start(f"k{number}", work)
        job.ended.connect(lambda number=number: ended.append(number))
    jobs.stop_all()
    qtbot.waitUntil(lambda: not jobs.is_busy)
    assert len(begun) < len(ended) == 12


def test_that_the_works_thread_has_none_of_the_objects_that_are_deleted_here(jobs, qtbot):
    """A signal that is emitted there while its object is deleted here brings the program down."""
    job = jobs.start("k", lambda reporter: isinstance(reporter, QObject))
    with qtbot.waitSignal(job.finished) as blocker:
        pass
    assert blocker.args == [False]


def test_that_what_the_work_holds_is_freed_on_the_gui_thread(jobs, qtbot):
    freed = []

    class Held:
        def __del__(self) -> None:
            freed.append(threading.get_ident())

    for n in range(50):
        held = Held()
        jobs.start(str(n), lambda _, held=held: held is None)
        del held
    qtbot.waitUntil(lambda: len(freed) == 50)
    assert {*freed} == {threading.get_ident()}


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


def test_that_what_work_returns_is_returned_and_does_not_wait_for_long_jobs(jobs, window):
    long = Gate()
    for n in range(20):  # more than there are threads for
        jobs.start(f"job {n}", long.work)
    try:
        assert waited_for(jobs, "x", lambda _reporter: 3, window, silent_ms=60_000) == 3
        assert window.findChild(QProgressDialog) is None
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


@pytest.mark.parametrize("way", ["button", "escape", "end of the program"])
def test_that_long_work_can_be_stopped(jobs, window, way):
    gate = Gate()

    def stop(dialog):
        if not dialog.isActiveWindow():
            return False
        if way == "button":
            dialog.findChild(QPushButton).click()
        elif way != "escape":
            jobs.drop("step")
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        return True

    once(window, stop)
    with pytest.raises(Cancelled):
        waited_for(jobs, "x", gate.work, window, silent_ms=0)
    assert jobs.running("step") is None


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


def test_that_only_what_the_user_can_act_on_is_a_problem():
    assert problems_of(CorpusFormatError.of("Too long.")) == (Problem(what="Too long."),)
    assert problems_of(EnvironmentProblem("The disk is full.")) == (
        Problem(what="The disk is full."),
    )
    assert problems_of(Cancelled()) == ()
    defect = ZeroDivisionError("here")
    with pytest.raises(ZeroDivisionError) as raised:
        problems_of(defect)
    assert raised.value is defect


@pytest.mark.parametrize(
    ("module", "work", "kind"),
    [(correlations, "correlate", CorrelationsPage), (scores, "score", ScoresPage)],
)
def test_that_a_defect_of_a_pages_work_is_reported_with_its_traceback(
    make_corpus, services, qtbot, monkeypatch, module, work, kind
):
    def broken(*_given: object, **_named: object) -> None:
        raise ZeroDivisionError("in the depths")

    monkeypatch.setattr(module, work, broken)
    found: list[str] = []
    services.defects.found.connect(found.append)
    restore = services.defects.install()
    try:
        with CorpusStore.open(make_corpus(), who="1") as store:
            page = qtbot.shown(kind(CorpusSession(store, who="1"), services, None))
            qtbot.waitUntil(lambda: bool(found) and not services.jobs.is_busy)
            page.hide()
            services.jobs.stop_all()
    finally:
        restore()
    (report,) = found
    assert "in the depths" in report
    assert "in broken" in report

import threading

import pytest
from PySide6.QtCore import QObject, QThread

from awase.core.errors import Cancelled
from awase.gui.kit.jobs.running import Jobs


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.stop_all()


def test_that_a_result_comes_back_on_the_gui_thread(jobs, qtbot):
    seen = []
    job = jobs.start("k", lambda _: threading.get_ident())
    job.finished.connect(lambda result: seen.append((result, QThread.currentThread())))
    with qtbot.waitSignal(job.ended):
        pass
    [(worker, thread)] = seen
    assert worker != threading.get_ident()
    assert thread is not None
    assert thread.isMainThread()


def test_that_an_error_comes_back_as_it_was_raised(jobs, qtbot):
    error = ValueError("no")

    def work(_):
        raise error

    job = jobs.start("k", work)
    with qtbot.waitSignal(job.failed) as blocker:
        pass
    assert blocker.args == [error]


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
    may_go_on = threading.Event()
    results = []

    def slow(_):
        may_go_on.wait(60)
        return "old"

    first = jobs.start("k", slow)
    first.finished.connect(results.append)
    second = jobs.start("k", lambda _: "new")
    second.finished.connect(results.append)
    with qtbot.waitSignals([first.ended, second.ended]):
        may_go_on.set()
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


def test_that_work_says_what_takes_it_long_while_it_is_at_it(jobs, qtbot):
    seen, may_end = [], threading.Event()

    def work(reporter):
        reporter.advance(0, 2, "short")
        reporter.advance(1, 2, "long")
        may_end.wait(60)

    job = jobs.start("k", work)
    job.progressed.connect(lambda *report: seen.append(report[2]))
    with qtbot.waitSignal(job.ended):
        qtbot.waitUntil(lambda: "long" in seen)
        may_end.set()
    assert seen[-1] == "long"


def test_that_of_reports_that_wait_the_last_one_is_told(jobs, qtbot):
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

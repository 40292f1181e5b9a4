"""Jobs: results, stopping, waiting, defects, the modules that they load, the heap they share."""

import ctypes
import sys
import threading

import pytest
from PySide6.QtCore import QObject, Qt, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QProgressDialog, QPushButton, QWidget
from tests.programs import ran

from awase.core.errors import Cancelled, CorpusFormatError, EnvironmentProblem, Problem
from awase.gui.frame.commands import MODULES
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


FOUR_THREADS = """
import ctypes, sys, threading
from awase.gui.kit.jobs.running import release_memory
if sys.argv[1] == "given back":
    release_memory()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
all_have = threading.Barrier(4)
def take():
    libc.malloc(1000)
    all_have.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
class Info(ctypes.Structure):
    _fields_ = [(f"field{n}", ctypes.c_size_t) for n in range(10)]
libc.mallinfo2.restype = Info
libc.free(libc.malloc(8 << 20))
before = libc.mallinfo2().field4
libc.malloc(8 << 20)
libc.printf(b"from the system: %d\\n", int(libc.mallinfo2().field4 > before))
libc.fflush(None)
"""


def heaps_and_large_blocks(how: str) -> tuple[int, bool]:
    """Returns how many heaps four threads have, and whether large blocks are apart from them."""
    told = ran(FOUR_THREADS, how).stdout
    return told.count("<heap nr="), "from the system: 1" in told


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="the C library has one heap, or tells of none",
)
def test_that_threads_share_a_heap_and_large_blocks_are_the_systems():
    assert heaps_and_large_blocks("given back") == (1, True)
    # Left alone, threads have heaps of their own. Of a large block nothing can be said then: where
    # something stands behind the heap, it is the system's, too.
    n_heaps, _ = heaps_and_large_blocks("left alone")
    assert n_heaps > 1


_WATCHED = """
import sys, threading
class Watch:
    elsewhere = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            self.elsewhere.append(name)
sys.meta_path.insert(0, Watch())
"""
_OPENING = (
    _WATCHED
    + """
from pathlib import Path
from PySide6.QtCore import QTimer
from awase.gui.app import application, compose
from awase.gui.frame.main_window import MainWindow
folder = Path(sys.argv[1])
app = application()
services = compose(config=folder, data=folder, log=folder)
window = MainWindow(services)
window.show()
window.open_demonstration("en")
def look():
    if window.workspace is not None and not services.jobs.is_busy:
        app.quit()
looks = QTimer(interval=20)
looks.timeout.connect(look)
looks.start()
app.exec()
window.close()
print(*Watch.elsewhere)
print(*sys.modules)
"""
)
_ONE_BY_ONE = """
import sys
from importlib import import_module
import awase.gui.app, awase.gui.frame.main_window
from awase.gui.frame.commands import MODULES
from awase.gui.kit.jobs.running import _with_needs
names = [*_with_needs(("awase.gui.frame.workspace", *MODULES))]
for name in names:
    if not name.startswith("awase.gui."):
        import_module(name)
n_loaded = 0
for name in names:
    if name.startswith("awase.gui.") and name not in sys.modules:
        before = set(sys.modules)
        module = import_module(name)
        new = {one for one in set(sys.modules) - before if one.startswith("awase.")}
        # A folder comes with the first module in it.
        unasked = {one for one in new - {name} if not hasattr(sys.modules[one], "__path__")}
        assert not unasked, (name, unasked)
        n_loaded += 1
print(n_loaded)
"""


@pytest.mark.slow
def test_that_jobs_load_nothing_that_makes_classes_of_qts(tmp_path):
    """A class that is made beside an event brings the program down, once in a hundred starts."""
    elsewhere, loaded = (line.split() for line in ran(_OPENING, tmp_path).stdout.splitlines())
    assert [name for name in elsewhere if name.startswith(("awase.gui", "PySide6"))] == []
    assert "awase.core.metrics.registry" in elsewhere  # so the watch is on
    assert {"awase.gui.frame.workspace", *MODULES} <= set(loaded)


@pytest.mark.slow
def test_that_a_turn_loads_one_module_of_the_window_and_none_beside_it():
    assert int(ran(_ONE_BY_ONE).stdout) > 60


def test_that_a_module_that_is_not_there_ends_the_job_that_asked(services, qtbot):
    failed: list[BaseException] = []
    modules = services.jobs.modules
    job = services.jobs.start("k", lambda it: modules.load(["awase.gui.kit.nothing"], it))
    job.failed.connect(failed.append)
    qtbot.waitUntil(lambda: bool(failed))
    assert isinstance(failed[0], ModuleNotFoundError)
    job = services.jobs.start("k", lambda it: modules.load(MODULES[:1], it))  # the next one goes on
    with qtbot.waitSignal(job.finished):
        pass


def test_that_a_job_that_is_stopped_does_not_wait_for_the_window(services):
    """Whoever stops all jobs stands on the window's thread, which then loads nothing."""
    seen: list[BaseException] = []

    def work(reporter) -> None:
        try:
            services.jobs.modules.load(["awase.gui.frame.workspace"], reporter)
        except Cancelled as error:
            seen.append(error)

    services.jobs.start("k", work)
    services.jobs.stop_all()
    assert len(seen) == 1

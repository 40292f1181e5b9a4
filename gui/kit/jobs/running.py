"""Jobs: work longer than a frame, off the GUI thread.

A job is a plain callable that gets a `Reporter` and returns a value. It touches no widget. Its
result or error is a signal on the GUI thread; a replaced job emits nothing more.
"""

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from types import CodeType
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QGuiApplication

from awase.core.errors import Cancelled, Reporter, gc_paused

_Letter = TypeVar("_Letter")


class _Bell(QObject):
    rung = Signal()


@cache
def _bell() -> _Bell:
    return _Bell()


class Mailbox(Generic[_Letter]):
    """Thread-safe queue, read on the GUI thread on `arrived`; connect queued.

    An object that emits a signal on one thread while another deletes it crashes the program, and
    windows and jobs are deleted at any time. So threads get a mailbox; the emitter is one object
    for all of them, with the process's lifetime.
    """

    def __init__(self) -> None:
        self._letters: SimpleQueue[_Letter] = SimpleQueue()
        # Emitted without arguments when any mailbox received something.
        self.arrived = _bell().rung

    def put(self, letter: _Letter) -> None:
        # The reader must be the last to hold it and free it: it is released here before the signal.
        self._letters.put(letter)
        del letter
        self.arrived.emit()

    def letters(self) -> Iterator[_Letter]:
        """Takes all letters, in order."""
        while True:
            try:
                yield self._letters.get_nowait()
            except Empty:
                return


_OURS: Final = "awase."
_WINDOW: Final = "awase.gui."
_ROOT: Final = Path(__file__).parents[3]
_S_BETWEEN_LOOKS: Final = 0.05


@dataclass(slots=True)
class _Request:
    names: Iterator[str]  # the window's modules that are still to be loaded, the next one first
    # Set when all are imported, or one fails.
    is_done: Event = field(default_factory=Event)
    error: BaseException | None = None


class WindowModules(QObject):
    """Imports modules for jobs; lives on the window's thread."""

    # Until Python 3.12, PySide keeps its classes in one table, which Qt reads without the GIL while
    # it delivers an event. A class created by another thread moves that table: a crash, in one of a
    # hundred starts of a busy machine. So modules of the window, which alone create such classes,
    # are imported on its thread, one a turn; everything else they need, which takes longer, on the
    # job's.

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._requests: Mailbox[_Request] = Mailbox()
        self._requests.arrived.connect(self._on_request, Qt.ConnectionType.QueuedConnection)
        self._current: list[_Request] = []
        self._turns = QTimer(self)  # rings at once
        self._turns.timeout.connect(self._on_turn)

    def load(self, names: Sequence[str], reporter: Reporter) -> None:
        """Imports modules of the window and waits; called by a job. `ImportError` as usual."""
        own: list[str] = []
        for name in _with_needs(names):
            reporter.advance(0, 0)
            if name.startswith(_WINDOW):
                own.append(name)
            else:
                import_module(name)
        request = _Request(iter(own))
        self._requests.put(request)
        while not request.is_done.wait(_S_BETWEEN_LOOKS):
            reporter.advance(0, 0)
        if request.error is not None:
            raise request.error

    @Slot()
    def _on_request(self) -> None:
        self._current += self._requests.letters()
        if self._current:
            self._turns.start()

    @Slot()
    def _on_turn(self) -> None:
        request = self._current[0]
        try:
            name = next(request.names, None)
            if name is not None:
                import_module(name)
                return
        except BaseException as error:
            request.error = error
        request.is_done.set()
        del self._current[0]
        if not self._current:
            self._turns.stop()


def _with_needs(names: Sequence[str]) -> Iterator[str]:
    """Yields modules of the window after their dependencies on import."""
    # Loaded ones are skipped. Of other modules only those that a window's module imports are
    # included: they bring the rest.
    known = set(sys.modules)

    def walk(name: str) -> Iterator[str]:
        known.add(name)
        if name.startswith(_WINDOW):
            for need in _named_in(_code_of(name)):
                if need not in known:
                    yield from walk(need)
        yield name

    for name in names:
        if name not in known:
            yield from walk(name)


def _code_of(name: str) -> CodeType | None:
    """Returns the code of one of our modules without running it; None = no file."""
    place = _ROOT.joinpath(*name.split(".")[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return SourceFileLoader(name, str(file)).get_code(name)
    return None


def _named_in(code: CodeType | None) -> Iterator[str]:
    """Yields our modules that the code imports when run, without type-checking imports."""
    import dis  # no first paint needs it

    is_asked, end = False, 0
    for step in dis.get_instructions(code) if code is not None else ():
        if step.offset < end:
            continue
        if step.argval == "TYPE_CHECKING" and step.opname.startswith("LOAD"):
            is_asked = True
        elif is_asked and "JUMP" in step.opname and "FALSE" in step.opname:
            is_asked, end = False, step.argval
        elif step.opname == "IMPORT_NAME" and step.argval.startswith(_OURS):
            yield step.argval


_MS_BETWEEN_LOOKS = 30
_N_THREADS = 4
_N_STEPS = 2

Work = Callable[[Reporter], object]


def _ignore(_what: object) -> None:
    """Has no use for the end of a job."""


def once(parent: QObject, pause_ms: int, act: Callable[[], object] | SignalInstance) -> QTimer:
    """Returns a timer that acts a pause after the last time that it was started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(pause_ms)
    timer.timeout.connect(act)
    return timer


class Job(QObject):
    """A running job, on the GUI thread.

    Signals (all on the thread that created the job):
        progressed(done, total, what): At most thirty times a second.
        finished(result): The callable returned.
        failed(error): The callable raised; the error may be a defect.
        cancelled(): `cancel` stopped it.
        ended(): After any of the three, or when a dropped job has stopped; the last signal.
    """

    progressed = Signal(int, int, str)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.stop = threading.Event()  # Set to stop the work.
        self._is_stale = False
        self._told: _Report | None = None

    def cancel(self) -> None:
        """Requests the work to stop at its next report; it ends with `cancelled`."""
        self.stop.set()

    def drop(self) -> None:
        """Requests the work to stop, with `ended` as the only signal."""
        self._is_stale = True
        self.stop.set()

    def tell(self, report: "_Report | None") -> None:
        if report is not None and report is not self._told and not self.stop.is_set():
            self._told = report
            self.progressed.emit(report.done, report.total, report.what)

    def end(self, outcome: "_Outcome") -> None:
        if not self._is_stale:
            if outcome.error is None:
                self.finished.emit(outcome.result)
            elif isinstance(outcome.error, Cancelled):
                self.cancelled.emit()
            else:
                self.failed.emit(outcome.error)
        self.ended.emit()
        # What is connected to it refers to it: it would wait for the collector.
        self.deleteLater()


@dataclass(frozen=True, slots=True)
class _Report:
    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    result: object = None
    error: BaseException | None = None


_News = tuple[int, _Outcome]


@dataclass(slots=True, kw_only=True)
class _Task:
    """The work on its thread: refers to no Qt object, and releases the callable first."""

    n: int
    work: Work | None
    stop: threading.Event  # set when the work is to stop
    news: Mailbox[_News]  # where its end is reported, with `n`
    report: _Report | None = None

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports where the work is; called by the work, on its own thread."""
        if self.stop.is_set():
            raise Cancelled
        self.report = _Report(done, total, what)

    def run(self) -> None:
        self.news.put((self.n, self._outcome()))

    def note_end(self, future: "Future[None]") -> None:
        """Reports the end of work that no thread started before shutdown."""
        if future.cancelled():
            self.work = None
            self.news.put((self.n, _Outcome(error=Cancelled())))

    def _outcome(self) -> _Outcome:
        work, self.work = self.work, None
        assert work is not None
        try:
            return _Outcome(result=work(self))
        except BaseException as error:
            return _Outcome(error=error)


class Jobs(QObject):
    """Starts jobs; one under the same key replaces the one before it."""

    def __init__(self) -> None:
        super().__init__()
        self.modules = WindowModules(self)
        self._pool = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="awase-job")
        # Work that the window waits for must not queue behind long jobs.
        self._steps = ThreadPoolExecutor(_N_STEPS, thread_name_prefix="awase-step")
        self._current: dict[str, Job] = {}
        # By number; the work is referenced here while it runs, to be freed on this thread.
        self._alive: dict[int, tuple[Job, Work, _Task]] = {}
        self._numbers = count()
        self._news: Mailbox[_News] = Mailbox()
        self._news.arrived.connect(self._on_news, Qt.ConnectionType.QueuedConnection)
        # Polls work that reports and then takes long.
        self._looks = QTimer(self)
        self._looks.setInterval(_MS_BETWEEN_LOOKS)
        self._looks.timeout.connect(self._on_looks_timeout)

    def start(
        self,
        key: str,
        work: Work,
        finished: Callable[..., object] | SignalInstance = _ignore,
        failed: Callable[..., object] | SignalInstance = _ignore,
        *,
        is_step: bool = False,
    ) -> Job:
        """Starts `work`; connect to the job before returning to the event loop.

        The window is blocked until the end of a step, so that no other job may delay it.
        """
        self.drop(key)
        job = Job()
        job.finished.connect(finished)
        job.failed.connect(failed)
        self._current[key] = job
        n = next(self._numbers)
        task = _Task(n=n, work=work, stop=job.stop, news=self._news)
        self._alive[n] = job, work, task
        job.ended.connect(lambda: self._forget(key, n))
        if not self._looks.isActive():
            self._looks.start()
        pool = self._steps if is_step else self._pool
        pool.submit(task.run).add_done_callback(task.note_end)
        return job

    def drop(self, key: str) -> None:
        """Cancels the work under `key`, if any, silently."""
        job = self._current.pop(key, None)
        if job is not None:
            job.drop()

    def drop_all(self) -> None:
        for key in tuple(self._current):
            self.drop(key)

    def stop_all(self) -> None:
        self.drop_all()
        for pool in (self._pool, self._steps):
            pool.shutdown(wait=True, cancel_futures=True)

    @property
    def is_busy(self) -> bool:
        return bool(self._alive)

    def running(self, key: str) -> Job | None:
        return self._current.get(key)

    @Slot()
    def _on_news(self) -> None:
        for n, outcome in self._news.letters():
            if n in self._alive:
                job, _, task = self._alive[n]
                job.tell(task.report)
                job.end(outcome)

    @Slot()
    def _on_looks_timeout(self) -> None:
        for job, _, task in tuple(self._alive.values()):
            job.tell(task.report)
        self._on_news()  # does not depend on a single signal

    def _forget(self, key: str, n: int) -> None:
        job, *_ = self._alive.pop(n)
        if self._current.get(key) is job:
            del self._current[key]
        if not self._alive:
            self._looks.stop()


EVERY_MS: Final = 500
# Not while something is being shown; and changes that follow each other need one pass.
LATER_MS: Final = 2000


class SparedRecords(QObject):
    """Exempts loaded records from collection until `end`."""

    # A pass over many takes noticeable time (0.3 s with 1,000 topics), so cyclic garbage waits
    # until the user switches to another program, or for the end.

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waits = self._are_many = False
        self._timer = once(self, LATER_MS, self._spare)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_application_state_changed)

    def note_read(self, *, are_many: bool = False) -> None:
        """Records were read, and are spared in a moment."""
        self._are_many = are_many
        if not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._waits = False
        gc.unfreeze()

    def _spare(self) -> None:
        self._waits = self._are_many
        if self._are_many:
            gc.collect()  # what is new alone
            gc.freeze()
        else:
            spare_records()

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        if self._waits and state != Qt.ApplicationState.ApplicationActive:
            self._waits = False
            spare_records()


class CollectsHere(QObject):
    """Restricts the collector to this thread, for the process's lifetime."""

    # By default it runs on whichever thread allocates, and frees what died in a cycle there: on a
    # job's thread that would be windows, models and timers, while Qt uses others of them here: a
    # crash.

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._n_modules = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(EVERY_MS)

    def _look(self) -> None:
        """Collects due generations; freezes modules, most of what a pass would scan."""
        if len(sys.modules) == self._n_modules:
            collect_if_due()
            return
        self._n_modules = len(sys.modules)
        gc.collect(1)
        gc.freeze()


def collect_if_due() -> None:
    """Collects as many generations as Python's thresholds say are due."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (n, most) in enumerate(counts) if 0 < most < n]
    if due:
        gc.collect(due[-1])


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pauses the collector while records are loaded, and freezes everything at the end."""
    # Otherwise it would scan growing numbers of live objects repeatedly, on the window's thread.
    with gc_paused():
        try:
            yield
        finally:
            gc.freeze()


def spare_records() -> None:
    free_what_died()
    gc.freeze()


def free_what_died() -> None:
    gc.unfreeze()
    gc.collect()


def free_once_deleted() -> None:
    """Lets Qt run deferred deletions, in order, then collects."""
    # For the event loop only: any other caller may be among what is deleted.
    QGuiApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    free_what_died()


# From glibc's malloc.h; other systems have other numbers, or no such function.
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
# glibc's initial threshold; setting it disables its adaptation.
_LARGE_BYTES: Final = 128 << 10


def release_memory() -> None:
    """Uses one malloc arena, and returns large blocks to the system when freed; glibc only."""
    # Contention is low: Python's small objects do not come from malloc. To be called before threads
    # start.
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)

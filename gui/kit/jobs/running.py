"""Jobs: work longer than a frame, off the GUI thread.

A job is a plain callable that gets a `Reporter` and returns a value. It touches no widget. Its
result or error is a signal on the GUI thread; a replaced job emits nothing more.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance, Slot

from awase.core.errors import Cancelled
from awase.core.progress import Reporter
from awase.gui.kit.jobs.window_modules import Mailbox, WindowModules

_MS_BETWEEN_LOOKS = 30
_N_THREADS = 4
_N_STEPS = 2

Work = Callable[[Reporter], object]


def _ignore(_what: object) -> None:
    """Has no use for the end of a job."""


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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
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

    busyChanged = Signal(bool)

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

        Args:
            finished: Receives its result.
            failed: Receives its error.
            is_step: Whether the window is blocked until its end, so that no other job may delay it.
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
        self.busyChanged.emit(True)
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

    def is_running(self, key: str) -> bool:
        return key in self._current

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
            self.busyChanged.emit(False)

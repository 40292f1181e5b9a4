"""Work that takes longer than a frame, off the GUI thread.

A job is a plain callable that gets a `Reporter` and returns a value. It touches no widget. Its
result or error comes back as a signal on the GUI thread; a job that was replaced meanwhile says
nothing more.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject, Qt, Signal, Slot

from awase.core.errors import Cancelled
from awase.core.progress import Reporter

_SECONDS_BETWEEN_REPORTS = 0.03
_N_THREADS = 4

Work = Callable[[Reporter], object]


class Job(QObject):
    """A piece of work under way, as the GUI thread sees it.

    Signals (all on the thread that made the job):
        progressed(done, total, what): Where the work is, at most thirty times a second.
        finished(result): The callable returned.
        failed(error): The callable raised; the error may be a defect.
        cancelled(): The work stopped because `cancel` was called.
        ended(): After any of the three, or when a dropped job has stopped; nothing follows.
    """

    progressed = Signal(int, int, str)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()

    _reported = Signal(int, int, str)
    _settled = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._is_stale = False
        self._last_report_s = 0.0
        # Both are emitted on the work's thread. Bound slots of this object, queued, are what
        # brings them over; a lambda connected directly would run over there.
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)
        self._settled.connect(self._on_settled, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Asks the work to stop at its next report; it ends with `cancelled`."""
        self._stop.set()

    def drop(self) -> None:
        """Asks the work to stop, and says nothing more of it but `ended`."""
        self._is_stale = True
        self._stop.set()

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports where the work is; called by the work, on its own thread."""
        if self._stop.is_set():
            raise Cancelled
        now_s = time.monotonic()
        if done >= total or now_s - self._last_report_s >= _SECONDS_BETWEEN_REPORTS:
            self._last_report_s = now_s
            self._reported.emit(done, total, what)

    def run(self, work: Work) -> None:
        """Does the work on the calling thread."""
        try:
            result = work(self)
        except BaseException as error:
            self._settled.emit(None, error)
        else:
            self._settled.emit(result, None)

    @Slot(int, int, str)
    def _on_reported(self, done: int, total: int, what: str) -> None:
        if not self._stop.is_set():
            self.progressed.emit(done, total, what)

    @Slot(object, object)
    def _on_settled(self, result: object, error: BaseException | None) -> None:
        if not self._is_stale:
            if error is None:
                self.finished.emit(result)
            elif isinstance(error, Cancelled):
                self.cancelled.emit()
            else:
                self.failed.emit(error)
        self.ended.emit()
        # Without this the last reference may die on the work's thread, and the object with it.
        self.deleteLater()


class Jobs(QObject):
    """Starts jobs; one under the same key replaces the one before it."""

    busyChanged = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="awase-job")
        self._current: dict[str, Job] = {}
        self._alive: set[Job] = set()

    def start(self, key: str, work: Work) -> Job:
        """Starts `work`; connect to the job before control returns to the event loop."""
        self.drop(key)
        job = Job()
        self._current[key] = job
        self._alive.add(job)
        job.ended.connect(lambda: self._forget(key, job))
        self._pool.submit(job.run, work)
        self.busyChanged.emit(True)
        return job

    def drop(self, key: str) -> None:
        """Stops the work under `key`, if there is any, and hears nothing more of it."""
        job = self._current.pop(key, None)
        if job is not None:
            job.drop()

    def stop_all(self) -> None:
        """Drops every job and waits until the threads have noticed."""
        for key in tuple(self._current):
            self.drop(key)
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def is_busy(self) -> bool:
        """Whether any work is under way."""
        return bool(self._alive)

    def is_running(self, key: str) -> bool:
        """Returns whether the work under `key` is under way."""
        return key in self._current

    def _forget(self, key: str, job: Job) -> None:
        self._alive.discard(job)
        if self._current.get(key) is job:
            del self._current[key]
        if not self._alive:
            self.busyChanged.emit(False)

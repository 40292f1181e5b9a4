"""Work that takes longer than a frame, off the GUI thread.

A job is a plain callable that gets a `Reporter` and returns a value. It touches no widget. Its
result or error comes back as a signal on the GUI thread; a job that was replaced meanwhile says
nothing more.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QObject, Qt, Signal, Slot

from awase.core.errors import Cancelled
from awase.core.progress import Reporter
from awase.gui.kit.jobs.mailbox import Mailbox

_SECONDS_BETWEEN_REPORTS = 0.03
_N_THREADS = 4
_N_STEPS = 2

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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stop = threading.Event()
        """Set when the work is to stop."""
        self._is_stale = False

    def cancel(self) -> None:
        """Asks the work to stop at its next report; it ends with `cancelled`."""
        self.stop.set()

    def drop(self) -> None:
        """Asks the work to stop, and says nothing more of it but `ended`."""
        self._is_stale = True
        self.stop.set()

    def tell(self, news: "_Report | _Outcome") -> None:
        """Emits what is known of the work; after its outcome the job is gone."""
        if isinstance(news, _Outcome):
            self._end(news)
        elif not self.stop.is_set():
            self.progressed.emit(news.done, news.total, news.what)

    def _end(self, outcome: "_Outcome") -> None:
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


_News = tuple[int, _Report | _Outcome]


@dataclass(slots=True, kw_only=True)
class _Task:
    """The work as its thread sees it: it holds no object of Qt's, and lets go of the work first.

    Attributes:
        n: Which task it is.
        stop: Set when the work is to stop.
        news: Where it is told, with `n`, where the work is and how it ended.
    """

    n: int
    work: Work | None
    stop: threading.Event
    news: Mailbox[_News]
    last_report_s: float = 0.0

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports where the work is; called by the work, on its own thread."""
        if self.stop.is_set():
            raise Cancelled
        now_s = time.monotonic()
        if done >= total or now_s - self.last_report_s >= _SECONDS_BETWEEN_REPORTS:
            self.last_report_s = now_s
            self.news.put((self.n, _Report(done, total, what)))

    def run(self) -> None:
        """Does the work on the calling thread."""
        self.news.put((self.n, self._outcome()))

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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="awase-job")
        # What the window waits for must not wait itself, for jobs that take an hour.
        self._steps = ThreadPoolExecutor(_N_STEPS, thread_name_prefix="awase-step")
        self._current: dict[str, Job] = {}
        self._alive: dict[int, tuple[Job, Work]] = {}
        """By number; the work stays here while its thread has it, to be freed on this one."""
        self._numbers = count()
        self._news: Mailbox[_News] = Mailbox()
        self._news.arrived.connect(self._on_news, Qt.ConnectionType.QueuedConnection)

    def start(self, key: str, work: Work, *, is_step: bool = False) -> Job:
        """Starts `work`; connect to the job before control returns to the event loop.

        Args:
            key: What is dropped for it.
            work: Touches no widget.
            is_step: Whether the window stands still until its end, so that no other job may keep
                it waiting.
        """
        self.drop(key)
        job = Job()
        self._current[key] = job
        n = next(self._numbers)
        self._alive[n] = job, work
        job.ended.connect(lambda: self._forget(key, n))
        task = _Task(n=n, work=work, stop=job.stop, news=self._news)
        (self._steps if is_step else self._pool).submit(task.run)
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
        for pool in (self._pool, self._steps):
            pool.shutdown(wait=True, cancel_futures=True)

    @property
    def is_busy(self) -> bool:
        """Whether any work is under way."""
        return bool(self._alive)

    def is_running(self, key: str) -> bool:
        """Returns whether the work under `key` is under way."""
        return key in self._current

    @Slot()
    def _on_news(self) -> None:
        told: list[_News] = []
        for letter in self._news.letters():
            if isinstance(letter[1], _Report) and told and told[-1][0] == letter[0]:
                told.pop()  # the report before would be shown for no time
            told.append(letter)
        for n, news in told:
            if n in self._alive:
                self._alive[n][0].tell(news)

    def _forget(self, key: str, n: int) -> None:
        job, _ = self._alive.pop(n)
        if self._current.get(key) is job:
            del self._current[key]
        if not self._alive:
            self.busyChanged.emit(False)

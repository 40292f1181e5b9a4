"""h while the annotator works: within the frame where that is possible, else in a thread."""

from collections.abc import Callable
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.solving import IN_PLACE_EFFORT, CoverSession, bounds_after_edit
from awase.core.solvers.cover.waiting import CoverThread, better_of
from awase.core.solvers.effort import Status

QUIET_MS: Final = 150
"""A search only starts when the annotator pauses: the next key would end it at once."""
_OPEN: Final = (Status.FEASIBLE, Status.TIMED_OUT)
_POLL_MS: Final = 40
_MANY_NEEDS: Final = 1_000
"""Of a hard problem of more needs not even the parts are looked at within the frame."""
_DEADLINE_S: Final = 120.0


class Worker(Protocol):
    """Solves one problem at a time beside the window."""

    @property
    def running(self) -> bool:
        """Whether there is more to poll for."""
        ...

    def start(self, problem: CoverProblem, *, deadline_s: float | None = None) -> None:
        """Begins on `problem`, and drops what it was at."""
        ...

    def poll(self) -> MinimalCover | None:
        """Returns the newest answer, None when there are no news."""
        ...

    def cancel(self) -> None:
        """Drops what it is at."""
        ...

    def close(self) -> None:
        """Drops what it is at, and waits until that has ended."""
        ...


class CoverSearch(QObject):
    """Answers at once, with bounds where h takes longer, and again whenever more is known."""

    found = Signal(object)
    """News, as a `MinimalCover`, of the problem asked about last."""

    def __init__(
        self,
        worker_for: Callable[[CoverSession], Worker] = CoverThread,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker_for = worker_for
        self._session = CoverSession()
        self._worker: Worker | None = None
        self._problem: CoverProblem | None = None
        self._known: MinimalCover | None = None
        self._solved: tuple[CoverProblem, MinimalCover] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(QUIET_MS)
        self._pause.timeout.connect(self._on_quiet)
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._on_timeout)

    @property
    def is_searching(self) -> bool:
        """Whether there may be news."""
        return self._pause.isActive() or self._poll.isActive()

    def begin_topic(self) -> None:
        """Forgets what is known of parts of problems: the numbers mean other sentences now."""
        self.drop()
        self._session = CoverSession()
        self._worker = self._solved = None

    def seek(self, problem: CoverProblem) -> MinimalCover:
        """Returns what is known of `problem` at once; drops the one before."""
        self.drop()
        known = self._followed(problem)
        if known is None:
            known = self._session.solve(problem, effort=IN_PLACE_EFFORT)
            self._solved = problem, known
        self._known = known
        if not known.is_final:
            self._problem = problem
            self._pause.start()
        return known

    def _followed(self, problem: CoverProblem) -> MinimalCover | None:
        """Returns what follows from an answer before, where looking again would hold up the key."""
        if self._solved is None or len(problem.needs) <= _MANY_NEEDS:
            return None
        before, known = self._solved
        return bounds_after_edit(before, known, problem) if known.status in _OPEN else None

    def drop(self) -> None:
        """Stops looking: the answer is not wanted any more."""
        self._problem = None
        self._pause.stop()
        self._poll.stop()
        if self._worker is not None and self._worker.running:
            self._worker.cancel()

    def _on_quiet(self) -> None:
        if self._problem is None:
            return
        if self._worker is None:
            self._worker = self._worker_for(self._session)
            self.destroyed.connect(self._worker.close)
        self._worker.start(self._problem, deadline_s=_DEADLINE_S)
        self._poll.start()

    def _on_timeout(self) -> None:
        news = self._worker.poll() if self._worker is not None else None
        if self._worker is None or not self._worker.running:
            self._poll.stop()
        if news is not None and self._problem is not None:
            self._known = news if self._known is None else better_of(self._known, news)
            self._solved = self._problem, self._known
            self.found.emit(self._known)

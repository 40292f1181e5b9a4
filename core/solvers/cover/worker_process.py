"""Minimal covers of hard problems in a process of their own, with bounds while it works.

The SAT solver holds Python's lock for seconds, so a thread would freeze the window. The process is
spawned: it inherits nothing, and a frozen program that uses it must call
`multiprocessing.freeze_support()` first thing in its main module.
"""

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess

from awase.core.solvers.cover.bounds_by_search import solve_reporting_bounds
from awase.core.solvers.cover.cache import CoverSession
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.solving import MAX_COVERS, quick_bounds
from awase.core.solvers.status import Status


class CoverWorker:
    """Solves one problem at a time in a worker process, without ever making the caller wait.

    Usage: `start`, then `poll` until `running` is False. Each `poll` returns the news: FEASIBLE
    with the bounds so far, at last OPTIMAL or INFEASIBLE; TIMED_OUT, with the last bounds, when the
    deadline has ended the process. `cancel` at any time. Nothing is left behind: the process ends
    with its parent, with `cancel`, or with its deadline.
    """

    def __init__(
        self, session: CoverSession | None = None, *, max_covers: int = MAX_COVERS
    ) -> None:
        """Starts nothing.

        Args:
            session: Is taught what the process finds out, so that the next edit of the same problem
                is fast again.
            max_covers: As in `minimal_cover`; the same as the session's.
        """
        self._session = session
        self._max_covers = max_covers
        self._run: _Run | None = None

    @property
    def running(self) -> bool:
        """Whether there is more to poll for."""
        return self._run is not None

    def start(
        self,
        problem: CoverProblem,
        *,
        deadline_s: float | None = None,
        known: MinimalCover | None = None,
    ) -> None:
        """Begins to solve `problem`; whatever was running is cancelled.

        Args:
            problem: What has to be covered.
            deadline_s: Seconds after which the process is ended; None for no limit.
            known: Bounds for an answer TIMED_OUT before there are news; None = they are looked for.

        Raises:
            OSError: The system can start no process.
        """
        self.cancel()
        latest = known or quick_bounds(problem)
        context = multiprocessing.get_context("spawn")
        ours, its_own = context.Pipe()
        process = context.Process(
            target=solve_and_send, args=(self._max_covers, its_own), daemon=True, name="cover"
        )
        process.start()
        its_own.close()
        # A pipe takes no large problem before the process reads it, half a second after its start.
        giving = threading.Thread(target=give, args=(ours, problem), daemon=True)
        giving.start()
        expired = threading.Event()
        deadline = threading.Timer(deadline_s or 0.0, end_at_deadline, (process, expired))
        deadline.daemon = True
        if deadline_s is not None:
            deadline.start()
        self._run = _Run(process, ours, giving, deadline, expired, latest)

    def poll(self, timeout_s: float = 0.0) -> MinimalCover | None:
        """Returns the newest answer, None when there are no news within `timeout_s` seconds.

        Raises:
            RuntimeError: The process ended by itself, without an answer.
        """
        run = self._run
        if run is None or not run.connection.poll(timeout_s):
            return None
        try:
            while run.connection.poll():
                run.latest, parts = run.connection.recv()
                if parts is not None:
                    self.cancel()
                    if self._session is not None:
                        self._session.learn(parts)
                    break
        except (EOFError, OSError):  # Windows raises BrokenPipeError where POSIX has EOFError
            self.cancel()
            if not run.expired.is_set():
                raise RuntimeError("the cover process ended early, without an answer") from None
            return replace(run.latest, status=Status.TIMED_OUT, n_covers=None)
        return run.latest

    def cancel(self) -> None:
        """Ends the process, if one is running, and forgets its answer."""
        run, self._run = self._run, None
        if run is not None:
            run.deadline.cancel()
            run.process.kill()
            run.process.join()
            run.process.close()
            run.giving.join()  # what it gives to has ended
            run.connection.close()


@dataclass(slots=True)
class _Run:
    """One process at work, and the newest it has told."""

    process: BaseProcess
    connection: Connection
    giving: threading.Thread
    deadline: threading.Timer
    expired: threading.Event
    latest: MinimalCover


def give(connection: Connection, problem: CoverProblem) -> None:
    """Sends what is to be settled, in a thread of its own."""
    with suppress(OSError):  # the process has ended, which whoever polls is told
        connection.send(problem)


def end_at_deadline(process: BaseProcess, expired: threading.Event) -> None:
    """Ends a process that may have ended before, and says so."""
    expired.set()
    with suppress(ValueError, AttributeError):  # closed in the meantime, or being closed
        process.kill()


def solve_and_send(max_covers: int, connection: Connection) -> None:
    """Runs in the worker process: solves what it gets, sends (answer, None) or (answer, parts)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        result, parts = solve_reporting_bounds(
            connection.recv(), max_covers, lambda answer: connection.send((answer, None))
        )
        connection.send((result, parts))
    except (EOFError, BrokenPipeError):
        return
    finally:
        connection.close()


def end_with_parent() -> None:
    """Ends this process when the one that began it has ended; runs in a thread of its own."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)

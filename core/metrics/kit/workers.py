"""Parallel map: in process, in a pool of processes, or on another executor.

Processes, as the GIL serialises threads and would block the GUI. They are spawned: a frozen program
must call `multiprocessing.freeze_support()` first thing in its main module.
"""

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from awase.core.errors import EnvironmentProblem, Reporter

if TYPE_CHECKING:  # most work stays in process
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")

# Receives the current item, and may raise to stop; elsewhere it is ignored.
StillWanted = Callable[[str], None]

# Pure; of a module, or a partial of one, with values that can be pickled.
Piece = Callable[[Task, StillWanted], Result]

_SECONDS_BETWEEN_REPORTS: Final = 0.1
_AT_ONCE: Final = 256
# Two processes cost 2.5 s of the processor, with what is sent to and fro, and save half of what is
# left: 5.6 s must be.
_STARTS: Final = 8


class Workers(Protocol):
    """Runs independent tasks."""

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task, still_wanted)` for independent tasks, in order."""
        ...


class Alone:
    """Runs tasks sequentially on the calling thread."""

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        for idx, task in enumerate(tasks):
            yield function(task, _at(reporter, idx, len(tasks)))
            reporter.advance(idx + 1, len(tasks))


ALONE: Final = Alone()


class Elsewhere:
    """Sends every piece to an executor; no more of them at a time than it can be busy with."""

    def __init__(
        self,
        executor: "Executor",
        *,
        check: Callable[[], None] = lambda: None,
        at_once: int = _AT_ONCE,
        takes_back: bool = True,
    ) -> None:
        """Takes an executor.

        Args:
            check: Called now and then; raises when no worker is left.
            at_once: Most pending tasks, so that neither tasks nor results fill the memory.
            takes_back: Whether unwanted tasks are cancelled here, not by whoever shuts the executor
                down.
        """
        self._executor = executor
        self._check = check
        self._at_once = at_once
        self._takes_back = takes_back

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        pickle.dumps(function)  # our mistakes are raised here, not in another process
        sent: deque[Future[Result]] = deque()
        n_given = 0
        left = iter(tasks)  # of tasks that are read in portions each is read once
        try:
            while n_given < len(tasks):
                for task in islice(left, self._at_once - len(sent)):
                    sent.append(self._executor.submit(_unheard, function, task))
                self._wait_for(sent, n_given, len(tasks), reporter)
                while sent and sent[0].done():
                    yield sent.popleft().result()
                    n_given += 1
        finally:
            for future in sent if self._takes_back else ():
                future.cancel()

    def _wait_for(
        self, sent: "Sequence[Future[Result]]", n_given: int, n_tasks: int, reporter: Reporter
    ) -> None:
        """Waits for the first result."""
        from concurrent.futures import FIRST_COMPLETED, wait

        while not sent[0].done():
            self._check()
            wait([one for one in sent if not one.done()], _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
            reporter.advance(n_given + sum(one.done() for one in sent), n_tasks)
        reporter.advance(n_given + sum(one.done() for one in sent), n_tasks)


class Processes:
    """Starts on the calling thread, and moves to processes if much is left.

    So small jobs never pay for starting them, and no estimate is needed.
    """

    def __init__(
        self, n_processes: int, clock: Callable[[], float], patience_s: float = 0.7
    ) -> None:
        """Takes a monotonic clock in seconds.

        Args:
            n_processes: Size of the pool; fewer than two = none.
            patience_s: Seconds in process; several times that must be left to start the pool.
        """
        self._n_processes = n_processes
        self._clock = clock
        self._patience_s = patience_s

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        spent_s, n_done = 0.0, 0
        for n_done, task in enumerate(tasks, 1):
            begin_s = self._clock()
            result = function(task, _at(reporter, n_done - 1, len(tasks)))
            # Only this can others do: to read the tasks, and to use what comes of them, stays here.
            spent_s += self._clock() - begin_s
            yield result
            reporter.advance(n_done, len(tasks))
            if self._is_much_left(spent_s, n_done, len(tasks)):
                break
        if n_done < len(tasks):
            yield from self._mapped_elsewhere(function, tasks[n_done:], n_done, reporter)

    def _is_much_left(self, spent_s: float, n_done: int, n_tasks: int) -> bool:
        left_s = spent_s / n_done * (n_tasks - n_done)
        return (
            self._n_processes > 1
            and n_tasks - n_done > 1
            and spent_s >= self._patience_s
            and left_s >= _STARTS * self._patience_s
        )

    def _mapped_elsewhere(
        self,
        function: Piece[Task, Result],
        tasks: Sequence[Task],
        n_done: int,
        reporter: Reporter,
    ) -> Iterator[Result]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        ends_with_it, held = multiprocessing.Pipe(duplex=False)
        executor = ProcessPoolExecutor(
            min(self._n_processes, len(tasks)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_in_worker,
            initargs=(ends_with_it,),
        )
        shifted = _Shifted(reporter, n_done, n_done + len(tasks))
        try:
            # WORKAROUND: until Python 3.12 the thread of a pool whose processes end fails on tasks
            # that others cancelled, and prints that.
            yield from Elsewhere(executor, takes_back=False).map(function, tasks, shifted)
        except BrokenProcessPool as error:
            raise EnvironmentProblem(
                "A process that worked for Awase was ended by the system.",
                "Often the memory is full: close other programs, or work with one process.",
            ) from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            held.close()  # without waiting for their tasks
            ends_with_it.close()


class _Shifted:
    """Progress offset by finished tasks."""

    def __init__(self, reporter: Reporter, n_before: int, n_all: int) -> None:
        self._reporter = reporter
        self._n_before = n_before
        self._n_all = n_all

    def advance(self, done: int, total: int, what: str = "") -> None:
        self._reporter.advance(self._n_before + done, self._n_all, what)


def _at(reporter: Reporter, n_done: int, n_tasks: int) -> StillWanted:
    def still_wanted(what: str) -> None:
        reporter.advance(n_done, n_tasks, what)

    return still_wanted


def _unheard(function: Piece[Task, Result], task: Task) -> Result:
    return function(task, _nobody_hears)


def _nobody_hears(what: str) -> None:
    """Ignores progress: the caller is in another process."""


def _begin_in_worker(ends_with_it: "Connection") -> None:
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with, args=(ends_with_it,), daemon=True).start()


def _end_with(connection: "Connection") -> None:
    """Exits when the other end of the pipe is closed: the job or its program ended."""
    try:
        connection.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)

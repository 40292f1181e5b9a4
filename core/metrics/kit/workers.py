"""Independent pieces of a family's work, done here or by several processes at once.

Python lets one thread compute at a time, so only processes use more than one core, and leave the
thread that draws a window alone. They are spawned: they inherit nothing, end with the program, and
a frozen program must call `multiprocessing.freeze_support()` first thing in its main module.
"""

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing.connection import wait as wait_for
from typing import Protocol, TypeVar

from awase.core.progress import Reporter

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS_BETWEEN_REPORTS = 0.1


class Workers(Protocol):
    """Does independent pieces of work."""

    def map(
        self, function: Callable[[Task], Result], tasks: Sequence[Task], reporter: Reporter
    ) -> list[Result]:
        """Returns what `function` makes of each task, in their order.

        Args:
            function: Pure; of a module, or a partial of one, with values that can be pickled.
            tasks: Independent of each other.
            reporter: Told of the tasks that are done.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        ...


class Alone:
    """Does one piece after the other on the calling thread."""

    def map(
        self, function: Callable[[Task], Result], tasks: Sequence[Task], reporter: Reporter
    ) -> list[Result]:
        """Returns what `function` makes of each task, in their order."""
        results: list[Result] = []
        for task in tasks:
            results.append(function(task))
            reporter.advance(len(results), len(tasks))
        return results


ALONE = Alone()


class Processes:
    """Begins on the calling thread, and sends what is left to processes when that is much.

    So small work never pays for starting them (about half a second), and nobody has to guess
    beforehand how long a metric takes.
    """

    def __init__(
        self, n_processes: int, clock: Callable[[], float], patience_s: float = 0.7
    ) -> None:
        """Starts nothing.

        Args:
            n_processes: How many at once; fewer than two = none.
            clock: Returns seconds from any moment on.
            patience_s: How long to go on alone, and how much must then be left for processes.
        """
        self._n_processes = n_processes
        self._clock = clock
        self._patience_s = patience_s

    def map(
        self, function: Callable[[Task], Result], tasks: Sequence[Task], reporter: Reporter
    ) -> list[Result]:
        """Returns what `function` makes of each task, in their order."""
        begin_s = self._clock()
        results: list[Result] = []
        for task in tasks:
            if results and self._is_much_left(self._clock() - begin_s, len(results), len(tasks)):
                break
            results.append(function(task))
            reporter.advance(len(results), len(tasks))
        rest = tasks[len(results) :]
        if not rest:
            return results
        return results + self._mapped_elsewhere(function, rest, len(results), reporter)

    def _is_much_left(self, spent_s: float, n_done: int, n_tasks: int) -> bool:
        left_s = spent_s / n_done * (n_tasks - n_done)
        return (
            self._n_processes > 1
            and n_tasks - n_done > 1
            and spent_s >= self._patience_s
            and left_s >= self._patience_s
        )

    def _mapped_elsewhere(
        self,
        function: Callable[[Task], Result],
        tasks: Sequence[Task],
        n_done: int,
        reporter: Reporter,
    ) -> list[Result]:
        pickle.dumps(function)  # a mistake of ours is told here and not in another process
        executor = ProcessPoolExecutor(
            min(self._n_processes, len(tasks)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_in_worker,
        )
        try:
            futures = [executor.submit(function, task) for task in tasks]
            waiting: set[Future[Result]] = set(futures)
            while waiting:
                _, waiting = wait(waiting, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
                done = n_done + len(futures) - len(waiting)
                reporter.advance(done, n_done + len(futures))
            return [future.result() for future in futures]
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _begin_in_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)

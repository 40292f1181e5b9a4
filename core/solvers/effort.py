"""How far a solver got, and limits on its work that read no clock.

The same call with the same limit always ends in the same place.
"""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum


class Status(Enum):
    """How far an answer is known to be the best one.

    The values are stored in databases and exports, and never change.
    """

    OPTIMAL = "optimal"  # the answer is proved best, and everything asked about it is known

    # The answer satisfies every constraint; bounds say how far from the best it can be.
    FEASIBLE = "feasible"

    # Nothing satisfies the constraints; the result names those in conflict.
    INFEASIBLE = "infeasible"

    # Time ran out first; like FEASIBLE, but nobody is working on it any more.
    TIMED_OUT = "timed out"


class EffortSpent(Exception):
    """The work was stopped by its limit; never leaves `awase.core.solvers`."""


class Effort:
    """Steps that a solver may still take; one step costs about a microsecond.

    Attributes:
        left: Steps left; infinite when there is no limit.
        is_stoppable: Whether another thread may stop the work.
    """

    is_stoppable = False

    def __init__(self, steps: float | None = None) -> None:
        self.left = math.inf if steps is None else steps

    def spend(self, steps: float) -> None:
        """Takes `steps` off.

        Raises:
            EffortSpent: They were more than what was left.
        """
        self.left -= steps
        if self.left < 0:
            raise EffortSpent

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs."""
        yield


class StoppableEffort(Effort):
    """No limit, until another thread stops the work."""

    is_stoppable = True

    def __init__(self) -> None:
        super().__init__()
        self._is_stopped = False
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None

    def spend(self, steps: float) -> None:
        """Only looks whether the work goes on.

        Raises:
            EffortSpent: It was stopped.
        """
        if self._is_stopped:
            raise EffortSpent

    def stop(self) -> None:
        """Ends the work soon: what it spends next is too much."""
        with self._lock:
            self._is_stopped = True
            if self._interrupt is not None:
                self._interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs, and at no other time."""
        with self._lock:
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = None

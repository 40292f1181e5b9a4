"""Status of solvers, and deterministic limits on work that read no clock."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum


class Status(Enum):
    """Whether an answer is optimal; the values are stored in databases and never change."""

    OPTIMAL = "optimal"  # proved best, with complete details

    # Satisfies every constraint; bounds limit its distance from the best.
    FEASIBLE = "feasible"

    # Nothing satisfies the constraints; the result names those in conflict.
    INFEASIBLE = "infeasible"

    # Time ran out; like FEASIBLE, without a running search.
    TIMED_OUT = "timed out"


class EffortSpent(Exception):
    """The effort limit was reached; never leaves `awase.core.solvers`."""


class Effort:
    """Budget of steps, of about a microsecond each.

    Attributes:
        left: Remaining steps; infinite without a limit.
        is_stoppable: Whether another thread may stop the work.
    """

    is_stoppable = False

    def __init__(self, steps: float | None = None) -> None:
        self.left = math.inf if steps is None else steps

    def spend(self, steps: float) -> None:
        """Subtracts `steps`; `EffortSpent` if they exceed the rest."""
        self.left -= steps
        if self.left < 0:
            raise EffortSpent

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs."""
        yield


class StoppableEffort(Effort):
    """Unlimited until another thread stops it."""

    is_stoppable = True

    def __init__(self) -> None:
        super().__init__()
        self._is_stopped = False
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None

    def spend(self, steps: float) -> None:
        """Raises `EffortSpent` if stopped."""
        if self._is_stopped:
            raise EffortSpent

    def stop(self) -> None:
        """Requests the work to stop."""
        with self._lock:
            self._is_stopped = True
            if self._interrupt is not None:
                self._interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs."""
        with self._lock:
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = None

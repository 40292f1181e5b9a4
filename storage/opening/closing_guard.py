"""Keeps a corpus from being closed under the hands of a thread that is using it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident


class ClosingGuard:
    """Lets threads in until it is closed; closing waits until the others have left."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._inside: Counter[int] = Counter()
        self._is_closed = False

    @contextmanager
    def passage(self) -> Iterator[None]:
        """Counts the thread as inside.

        Raises:
            RuntimeError: The gate is closed.
        """
        me = get_ident()
        with self._condition:
            if self._is_closed and not self._inside[me]:
                raise RuntimeError("a closed corpus is not used again")
            self._inside[me] += 1
        try:
            yield
        finally:
            with self._condition:
                self._inside[me] -= 1
                self._condition.notify_all()

    def close(self) -> bool:
        """Closes the gate, waits for the other threads, and returns whether it was still open."""
        me = get_ident()
        with self._condition:
            was_open, self._is_closed = not self._is_closed, True
            self._condition.wait_for(
                lambda: not any(n for thread, n in self._inside.items() if thread != me)
            )
            return was_open

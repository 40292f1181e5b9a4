"""Messages from other threads to the GUI thread."""

from collections.abc import Iterator
from functools import cache
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

_Letter = TypeVar("_Letter")


class _Bell(QObject):
    rung = Signal()


@cache
def _bell() -> _Bell:
    return _Bell()


class Mailbox(Generic[_Letter]):
    """Thread-safe queue, read on the GUI thread on `arrived`; connect queued.

    An object that emits a signal on one thread while another deletes it crashes the program, and
    windows and jobs are deleted at any time. So threads get a mailbox; the emitter is one object
    for all of them, with the process's lifetime.
    """

    def __init__(self) -> None:
        self._letters: SimpleQueue[_Letter] = SimpleQueue()
        # Emitted without arguments when any mailbox received something.
        self.arrived = _bell().rung

    def put(self, letter: _Letter) -> None:
        """Appends a letter."""
        # The reader must be the last to hold it and free it: it is released here before the signal.
        self._letters.put(letter)
        del letter
        self.arrived.emit()

    def letters(self) -> Iterator[_Letter]:
        """Takes all letters, in order."""
        while True:
            try:
                yield self._letters.get_nowait()
            except Empty:
                return

"""What other threads have to tell the window's thread."""

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
    """Is filled on any thread, and emptied on the window's when `arrived` is emitted there.

    An object that emits a signal on one thread while another deletes it brings the program down,
    and windows and jobs are deleted at any time. So their threads are given a mailbox; what emits
    is one bell for all of them, which stays as long as the process. Connect to it queued.
    """

    def __init__(self) -> None:
        self._letters: SimpleQueue[_Letter] = SimpleQueue()
        self.arrived = _bell().rung
        """Emitted without arguments when something was put in, here or into another mailbox."""

    def put(self, letter: _Letter) -> None:
        """Puts something in.

        Whoever holds it last frees it, which is to be the reader: it is let go of before the bell.
        """
        self._letters.put(letter)
        del letter
        self.arrived.emit()

    def letters(self) -> Iterator[_Letter]:
        """Takes out what there is, in the order in which it came."""
        while True:
            try:
                yield self._letters.get_nowait()
            except Empty:
                return

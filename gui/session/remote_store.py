"""Proxy of a store on a server that keeps the GUI responsive.

A server may take seconds, or time out. Calls from the GUI thread run on a worker while the window
repaints; key presses and clicks are queued until the result, so that nothing is done twice.
"""

from collections.abc import Callable
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from awase.core.progress import Reporter, Silent
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.storage.store import CorpusStore

_AT_ONCE_S: Final = 0.03  # what nobody notices; a loop of events costs more than most answers take

_Answer = TypeVar("_Answer")


def store_for_window(store: "CorpusStore") -> "CorpusStore":
    """Returns a file's store itself, a server's in a `RemoteStore`."""
    return cast("CorpusStore", RemoteStore(store)) if is_url(store.location) else store


class RemoteStore:
    """Proxy for slow methods of a store; other attributes are delegated."""

    def __init__(self, store: "CorpusStore") -> None:
        self._store = store

    def __getattr__(self, name: str) -> object:
        value = getattr(self._store, name)
        if not callable(value):
            return value
        return lambda *args, **kwargs: answered(lambda: value(*args, **kwargs))


def answered(work: Callable[[], _Answer]) -> _Answer:
    """Runs `work` on a worker thread and returns its result, while the window repaints."""
    if current_thread() is not main_thread() or QGuiApplication.instance() is None:
        return work()
    asked = _Asked(work)
    asked.start()
    return asked.result()


class Waits(Protocol):
    """Runs work with a title and progress."""

    def __call__(self, title: str, work: Callable[[Reporter], _Answer]) -> _Answer:
        """Returns the result of the work, or raises its error or `Cancelled`."""


def wait_silently(title: str, work: Callable[[Reporter], _Answer]) -> _Answer:
    """Runs the work without progress."""
    del title
    return answered(lambda: work(Silent()))


class _Ended(QObject):
    ended = Signal()


class _Asked(Thread, Generic[_Answer]):
    """A task on a worker thread."""

    def __init__(self, work: Callable[[], _Answer]) -> None:
        super().__init__(name="distant store", daemon=True)
        self._work = work
        self._told = _Ended()
        self._answer: list[_Answer] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._answer.append(self._work())
        except BaseException as error:
            self._error = error
        self._told.ended.emit()

    def result(self) -> _Answer:
        """Blocks until the result or error."""
        loop = QEventLoop()
        self._told.ended.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
        self.join(_AT_ONCE_S)
        if self.is_alive():
            QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
            try:
                while self.is_alive():
                    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
                    self.join()  # its last line may still be running
            finally:
                QGuiApplication.restoreOverrideCursor()
        if self._error is not None:
            raise self._error
        return self._answer[0]

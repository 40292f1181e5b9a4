"""Loading of modules for the window, in short turns on its thread.

Until Python 3.12, PySide keeps its classes in one table, which Qt reads without the GIL while it
delivers an event. A class created by another thread moves that table: a crash, in one of a hundred
starts of a busy machine. So modules of the window, which alone create such classes, are imported on
its thread, one a turn; everything else they need, which takes longer, on the job's.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from types import CodeType
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from awase.core.progress import Reporter

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


_OURS: Final = "awase."
_WINDOW: Final = "awase.gui."
_ROOT: Final = Path(__file__).parents[3]
_S_BETWEEN_LOOKS: Final = 0.05


@dataclass(slots=True)
class _Request:
    names: Iterator[str]  # the window's modules that are still to be loaded, the next one first
    # Set when all are imported, or one fails.
    is_done: Event = field(default_factory=Event)
    error: BaseException | None = None


class WindowModules(QObject):
    """Imports modules for jobs; lives on the window's thread."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._requests: Mailbox[_Request] = Mailbox()
        self._requests.arrived.connect(self._on_request, Qt.ConnectionType.QueuedConnection)
        self._current: list[_Request] = []
        self._turns = QTimer(self)  # rings at once
        self._turns.timeout.connect(self._on_turn)

    def load(self, names: Sequence[str], reporter: Reporter) -> None:
        """Imports modules of the window and waits; called by a job. `ImportError` as usual."""
        own: list[str] = []
        for name in _with_needs(names):
            reporter.advance(0, 0)
            if name.startswith(_WINDOW):
                own.append(name)
            else:
                import_module(name)
        request = _Request(iter(own))
        self._requests.put(request)
        while not request.is_done.wait(_S_BETWEEN_LOOKS):
            reporter.advance(0, 0)
        if request.error is not None:
            raise request.error

    @Slot()
    def _on_request(self) -> None:
        self._current += self._requests.letters()
        if self._current:
            self._turns.start()

    @Slot()
    def _on_turn(self) -> None:
        request = self._current[0]
        try:
            name = next(request.names, None)
            if name is not None:
                import_module(name)
                return
        except BaseException as error:
            request.error = error
        request.is_done.set()
        del self._current[0]
        if not self._current:
            self._turns.stop()


def _with_needs(names: Sequence[str]) -> Iterator[str]:
    """Yields modules of the window after their dependencies on import."""
    # Loaded ones are skipped. Of other modules only those that a window's module imports are
    # included: they bring the rest.
    known = set(sys.modules)

    def walk(name: str) -> Iterator[str]:
        known.add(name)
        if name.startswith(_WINDOW):
            for need in _named_in(_code_of(name)):
                if need not in known:
                    yield from walk(need)
        yield name

    for name in names:
        if name not in known:
            yield from walk(name)


def _code_of(name: str) -> CodeType | None:
    """Returns the code of one of our modules without running it; None = no file."""
    place = _ROOT.joinpath(*name.split(".")[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return SourceFileLoader(name, str(file)).get_code(name)
    return None


def _named_in(code: CodeType | None) -> Iterator[str]:
    """Yields our modules that the code imports when run, without type-checking imports."""
    import dis  # no first paint needs it

    is_asked, end = False, 0
    for step in dis.get_instructions(code) if code is not None else ():
        if step.offset < end:
            continue
        if step.argval == "TYPE_CHECKING" and step.opname.startswith("LOAD"):
            is_asked = True
        elif is_asked and "JUMP" in step.opname and "FALSE" in step.opname:
            is_asked, end = False, step.argval
        elif step.opname == "IMPORT_NAME" and step.argval.startswith(_OURS):
            yield step.argval

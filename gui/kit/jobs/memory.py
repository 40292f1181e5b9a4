"""Memory of the window: where Python collects garbage, and what glibc gives back."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from awase.core.cycle_search import gc_paused

EVERY_MS: Final = 500
LATER_MS: Final = 2000
"""Not while something is being shown; and changes that follow each other need one pass."""


class SparedRecords(QObject):
    """Spares what is in memory when records have been read, from then on until `end`.

    What refers to itself in a circle and dies later is freed with the next records where those are
    few. A pass over many takes as long as a person notices (0.3 s with 1,000 topics), so it waits
    until the program's windows are left for another's, or for the end.
    """

    def __init__(self, parent: QObject | None = None, *, later_ms: int = LATER_MS) -> None:
        super().__init__(parent)
        self._waits = self._are_many = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(later_ms)
        self._timer.timeout.connect(self._spare)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_application_state_changed)

    def take_note(self, *, are_many: bool = False) -> None:
        """Records were read, and are spared in a moment."""
        self._are_many = are_many
        if not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Lets the collector see everything again; called when the corpus is closed."""
        self._timer.stop()
        self._waits = False
        gc.unfreeze()

    def _spare(self) -> None:
        self._waits = self._are_many
        if self._are_many:
            gc.collect()  # what is new alone
            gc.freeze()
        else:
            spare_records()

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        if self._waits and state != Qt.ApplicationState.ApplicationActive:
            self._waits = False
            spare_records()


class CollectsHere(QObject):
    """Lets the collector run on this thread alone, as long as the process lives.

    By itself it runs on whichever thread makes the object that is one too many. What died in a
    circle is freed there: on a job's thread that would be windows, models and timers, while Qt is
    at work with others of them on this one, and the program crashes.
    """

    def __init__(self, parent: QObject | None = None, *, every_ms: int = EVERY_MS) -> None:
        super().__init__(parent)
        gc.disable()
        self._n_modules = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(every_ms)

    def _look(self) -> None:
        """Collects what is due; spares modules, which stay, and are most of what a pass walks."""
        if len(sys.modules) == self._n_modules:
            collect_if_due()
            return
        self._n_modules = len(sys.modules)
        gc.collect(1)
        gc.freeze()


def collect_if_due() -> None:
    """Collects as many generations as Python's thresholds say are due."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (n, most) in enumerate(counts) if 0 < most < n]
    if due:
        gc.collect(due[-1])


@contextmanager
def undisturbed() -> Iterator[None]:
    """Lets records be read without the collector, and spares them and all there is, at the end.

    While many objects come to stay, it would walk all of them again and again, and whoever waits
    for the window's thread waits for each pass. What was read is not collected, only spared.
    """
    with gc_paused():
        try:
            yield
        finally:
            gc.freeze()


def spare_records() -> None:
    """Frees what can be freed, and spares the rest."""
    free_what_died()
    gc.freeze()


def free_what_died() -> None:
    """Frees what can be freed, what was spared when it died, too."""
    gc.unfreeze()
    gc.collect()


def free_once_deleted() -> None:
    """Lets Qt delete what it is to delete, in its order, and then frees what can be freed.

    To be called by the event loop alone: whoever else asks may be among what is deleted.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    free_what_died()


# From glibc's malloc.h; other systems have other numbers, or no such function.
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_LARGE_BYTES: Final = 128 << 10
"""What glibc begins with, before it learns from what is freed; naming it keeps it from learning."""


def give_memory_back() -> None:
    """Lets threads take memory from one heap, and large blocks be the system's again when freed.

    Threads wait for each other there, shortly: Python's small objects come from elsewhere. To be
    called before threads begin; does nothing where the C library is not glibc.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)

"""Memory of the window: garbage collection, and glibc's heaps."""

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
# Not while something is being shown; and changes that follow each other need one pass.
LATER_MS: Final = 2000


class SparedRecords(QObject):
    """Exempts loaded records from collection until `end`."""

    # A pass over many takes noticeable time (0.3 s with 1,000 topics), so cyclic garbage waits
    # until the user switches to another program, or for the end.

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
    """Restricts the collector to this thread, for the process's lifetime."""

    # By default it runs on whichever thread allocates, and frees what died in a cycle there: on a
    # job's thread that would be windows, models and timers, while Qt uses others of them here: a
    # crash.

    def __init__(self, parent: QObject | None = None, *, every_ms: int = EVERY_MS) -> None:
        super().__init__(parent)
        gc.disable()
        self._n_modules = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(every_ms)

    def _look(self) -> None:
        """Collects due generations; freezes modules, most of what a pass would scan."""
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
    """Pauses the collector while records are loaded, and freezes everything at the end."""
    # Otherwise it would scan growing numbers of live objects repeatedly, on the window's thread.
    with gc_paused():
        try:
            yield
        finally:
            gc.freeze()


def spare_records() -> None:
    free_what_died()
    gc.freeze()


def free_what_died() -> None:
    gc.unfreeze()
    gc.collect()


def free_once_deleted() -> None:
    """Lets Qt run deferred deletions, in order, then collects."""
    # For the event loop only: any other caller may be among what is deleted.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    free_what_died()


# From glibc's malloc.h; other systems have other numbers, or no such function.
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
# glibc's initial threshold; setting it disables its adaptation.
_LARGE_BYTES: Final = 128 << 10


def give_memory_back() -> None:
    """Uses one malloc arena, and returns large blocks to the system when freed; glibc only."""
    # Contention is low: Python's small objects do not come from malloc. To be called before threads
    # start.
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)

"""Python's search for reference cycles, which many records at once need not wait for."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Final

_NEW_OBJECTS: Final = 100_000


def search_seldom() -> None:
    """Lets Python look for reference cycles seldom, and not once more when the program ends.

    For a program of one command: records hold no cycles, and what the process leaves behind is the
    system's to take back. Looking took a tenth of the time of scoring 57,450 pairs.
    """
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Turns Python's search for reference cycles off within the block.

    Records and scores hold no cycles; to look for some among ever more of them, again and again,
    took a fifth of the time of reading a corpus, and a tenth of that of scoring its extracts. What
    was made within the block counts as old afterwards where the search is to be seldom.

    On other threads than the main one nothing is done: the search is one for all of them, and a
    thread that turned it on again would do so for whoever turned it off meanwhile, as the window
    does for good.
    """
    is_ours = gc.isenabled() and current_thread() is main_thread()
    if is_ours:
        gc.disable()
    try:
        yield
    finally:
        if is_ours:
            _count_all_as_old()
            gc.enable()


def _count_all_as_old() -> None:
    """Spares the next search, which is for new objects, all that were made since the last one.

    That search alone took a tenth of the time from files to a table. Nothing is done where somebody
    keeps objects out of every search for good, as that would end; to ask for those takes long
    where they are many, so it is asked last.
    """
    if gc.get_threshold()[0] == _NEW_OBJECTS and gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()

"""Python's search for reference cycles, which many records at once need not wait for."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def without_cycle_search() -> Iterator[None]:
    """Turns Python's search for reference cycles off within the block.

    Records and scores hold no cycles; to look for some among ever more of them, again and again,
    took a fifth of the time of reading a corpus, and a tenth of that of scoring its extracts.

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
            gc.enable()

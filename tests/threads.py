from collections.abc import Iterable
from threading import Thread


def run_all(threads: Iterable[Thread]) -> None:
    """Lets them run at the same time until all have ended."""
    begun = [*threads]
    for thread in begun:
        thread.start()
    for thread in begun:
        thread.join()

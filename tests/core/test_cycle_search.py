import gc
from threading import Event, Thread

from awase.core.cycle_search import without_cycle_search


def test_that_the_search_is_off_within_and_on_afterwards() -> None:
    was_on = gc.isenabled()
    gc.enable()
    with without_cycle_search():
        assert not gc.isenabled()
    assert gc.isenabled()
    if not was_on:
        gc.disable()


def test_that_another_thread_does_not_turn_on_what_was_turned_off_meanwhile() -> None:
    was_on, is_within, may_leave = gc.isenabled(), Event(), Event()

    def read() -> None:
        with without_cycle_search():
            is_within.set()
            may_leave.wait(60)

    gc.enable()
    reading = Thread(target=read)
    reading.start()
    is_within.wait(60)
    gc.disable()
    may_leave.set()
    reading.join()
    assert not gc.isenabled()
    if was_on:
        gc.enable()

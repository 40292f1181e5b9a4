import atexit
import gc
from collections.abc import Iterable, Iterator
from threading import Event, Thread

import pytest

from awase.core.errors import gc_paused, search_seldom


def test_that_the_search_is_off_within_and_on_afterwards():
    was_on = gc.isenabled()
    gc.enable()
    with gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    if not was_on:
        gc.disable()


def test_that_another_thread_does_not_turn_on_what_was_turned_off_meanwhile():
    was_on, is_within, may_leave = gc.isenabled(), Event(), Event()

    def read() -> None:
        with gc_paused():
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


@pytest.fixture
def of_one_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The search is as in a program of one command, and for all; afterwards it is as it was."""
    was_on, was_frozen = gc.isenabled(), gc.get_freeze_count() > 0
    thresholds = gc.get_threshold()
    monkeypatch.setattr(atexit, "register", lambda _: None)
    search_seldom()
    gc.enable()
    gc.unfreeze()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    if was_frozen:
        gc.freeze()
    if not was_on:
        gc.disable()


@pytest.mark.slow
@pytest.mark.usefixtures("of_one_command")
def test_that_the_next_search_for_new_objects_passes_over_what_was_made_within():
    with gc_paused():
        made = [[1]]
    assert not _is_among(made, generations=(0, 1))
    assert _is_among(made, generations=(2,))


@pytest.mark.slow
@pytest.mark.usefixtures("of_one_command")
def test_that_what_is_kept_out_of_every_search_stays_out():
    gc.freeze()
    with gc_paused():
        pass
    assert gc.get_freeze_count() > 0


def _is_among(sought: object, *, generations: Iterable[int]) -> bool:
    return any(one is sought for number in generations for one in gc.get_objects(number))

"""Work shared out to processes: the same results, progress, cancelling; only when it is much."""

import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest
from tests.building import topic
from tests.in_part import in_part
from tests.reporters import Heard

from awase.core.errors import Cancelled, Silent
from awase.core.metrics.kit.supplies import Alone, Elsewhere, Processes, StillWanted, Supplies


class Clock:
    """A second passes with each look."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 1.0
        return self.now_s


def square(task: int, _still_wanted: StillWanted) -> int:
    return task * task


def failing(task: int, _still_wanted: StillWanted) -> int:
    raise ValueError(task)


def test_that_processes_return_what_one_alone_does_in_order():
    heard = Heard()
    made = [*Processes(2, Clock(), patience_s=1.0).map(square, range(9), heard)]
    assert made == [*Alone().map(square, range(9), Silent())]
    assert heard.steps[0] == (1, 9)
    assert heard.steps[-1] == (9, 9)


def test_that_small_work_starts_no_process(monkeypatch):
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", None)
    squares = [n * n for n in range(9)]
    assert [*Processes(2, lambda: 0.0).map(square, range(9), Silent())] == squares
    assert [*Processes(1, Clock()).map(square, range(9), Silent())] == squares


def test_that_reading_the_tasks_and_using_what_comes_of_them_starts_no_process(monkeypatch):
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", None)
    clock = Clock()

    class Slow(list):
        def __iter__(self):
            return (clock() and one for one in super().__iter__())

    def at_once(task: int, still_wanted: StillWanted) -> int:
        clock.now_s -= 1.0  # which the next look takes
        return task

    for made in Processes(2, clock, patience_s=1.0).map(at_once, Slow(range(9)), Silent()):
        clock.now_s += made


def test_that_an_executor_is_sent_tasks_that_are_read_once():
    begun: list[object] = []

    class Read(list):
        def __iter__(self):
            begun.append(self)
            return super().__iter__()

        def __getitem__(self, at):
            raise AssertionError("a part is read anew")

    with ThreadPoolExecutor(1) as executor:
        made = [*Elsewhere(executor, at_once=3).map(square, Read(range(20)), Silent())]
    assert made == [n * n for n in range(20)]
    assert len(begun) == 1


@pytest.mark.parametrize("workers", in_part([Alone(), Processes(2, Clock(), patience_s=1.0)]))
def test_that_work_is_cancelled(workers):
    with pytest.raises(Cancelled):
        list(workers.map(square, range(5), Heard(at=1)))


def test_that_a_cancelled_pool_is_left_behind_at_once():
    heard = Heard(at=2)
    with pytest.raises(Cancelled):
        list(Processes(2, Clock(), patience_s=1.0).map(square, range(5), heard))
    assert len(heard.steps) >= 2


def test_that_an_error_in_a_process_comes_back():
    with pytest.raises(AttributeError):
        list(Processes(2, Clock(), patience_s=1.0).map(lambda n, _: n, range(9), Silent()))


def test_that_an_executor_gets_no_more_than_it_can_be_busy_with():
    sent: list[int] = []

    class Here(Executor):
        def submit(self, function, /, *args):
            sent.append(args[0])
            future = Future()
            future.set_result(function(*args))
            return future

    squares = Elsewhere(Here(), at_once=3).map(square, range(9), Silent())
    assert next(squares) == 0
    assert sent == [0, 1, 2]
    assert [*squares] == [n * n for n in range(1, 9)]
    assert sent == [*range(9)]


def test_that_what_an_executor_has_not_begun_is_called_off_when_the_work_is_stopped():
    with ThreadPoolExecutor(1) as executor:
        executor.submit(LET_GO.wait, 60)
        pieces = Elsewhere(executor).map(noted, range(5), Heard(at=0))
        with pytest.raises(Cancelled):
            next(pieces)
        LET_GO.set()
    assert NOTED == []


LET_GO = threading.Event()
NOTED: list[int] = []


def noted(task: int, _still_wanted: StillWanted) -> int:
    NOTED.append(task)
    return task


@pytest.mark.parametrize("takes_back", [True, False])
def test_that_pieces_may_be_left_to_whoever_ends_the_executor(takes_back):
    sent: list[Future] = []

    class Idle(Executor):
        def submit(self, *_piece):
            sent.append(Future())
            return sent[-1]

    with pytest.raises(Cancelled):
        [*Elsewhere(Idle(), takes_back=takes_back).map(square, range(5), Heard(at=0))]
    assert {one.cancelled() for one in sent} == {takes_back}


def test_that_each_topics_supplies_are_all_but_the_parses_of_others():
    given = {"parse_model": "m", "oracles": {"key": object()}, "edus": object()}
    whole = Supplies(parses={"1.": "one", "2.": "two"}, time_limit_s=7.0, **given)
    first, second = whole.shares([topic("t", docs=["2."]), topic("u", docs=["3."])])
    digest = whole.parse_label.removeprefix("m@")
    for share, parses in ((first, {"2.": "two"}), (second, {})):
        assert share == Supplies(
            parses=parses, parse_digest=share.parse_digest, time_limit_s=7.0, **given
        )
        assert share.parse_digest[: len(digest)] == digest

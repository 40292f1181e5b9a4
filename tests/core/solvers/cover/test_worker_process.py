import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from tests.benchmarks.cover_instances import KINDS
from tests.core.solvers.cover.cover_cases import TABLE_1, problem
from tests.in_part import in_part

from awase.core.solvers.cover.bounds_by_search import solve_reporting_bounds
from awase.core.solvers.cover.cache import CoverSession
from awase.core.solvers.cover.solving import assemble, minimal_cover
from awase.core.solvers.cover.worker_process import (
    CoverWorker,
    end_at_deadline,
    end_with_parent,
    solve_and_send,
)
from awase.core.solvers.status import Status

ENDLESS = KINDS["shared"](random.Random(1), 10)
PATIENCE_S = 120.0


def last_answer(worker: CoverWorker):
    news = None
    while worker.running:
        answer = worker.poll(PATIENCE_S)
        assert answer is not None
        news = answer
    return news


@pytest.fixture
def processes():
    """Returns what returns the processes that were begun since; others end when they like."""
    before = {one.pid for one in multiprocessing.active_children()}
    return lambda: [one for one in multiprocessing.active_children() if one.pid not in before]


@pytest.fixture
def worker(processes):
    worker = CoverWorker()
    yield worker
    worker.cancel()
    gc.collect()
    assert processes() == []


@pytest.mark.slow
def test_that_the_worker_gives_the_answer_of_a_solve_in_place(worker):
    worker.start(TABLE_1)
    assert last_answer(worker) == minimal_cover(TABLE_1)
    assert worker.poll() is None


@pytest.mark.slow
def test_that_a_conflict_comes_back_too(worker):
    worker.start(problem([{1}], []))
    assert last_answer(worker).conflict == (1,)


def test_that_the_session_learns_what_the_worker_found():
    session = CoverSession()
    worker = CoverWorker(session)
    one = KINDS["shared"](random.Random(3), 1)
    assert session.solve(one, effort=0).status is Status.FEASIBLE
    worker.start(one)
    assert last_answer(worker) == session.solve(one, effort=0)
    assert session.solve(one, effort=0).status is Status.OPTIMAL


@pytest.mark.slow
def test_that_bounds_are_told_and_the_deadline_ends_the_process(worker, processes):
    worker.start(ENDLESS, deadline_s=2.0)
    told = []
    while worker.running:
        answer = worker.poll(PATIENCE_S)
        assert answer is not None
        told.append(answer)
    assert told[-1].status is Status.TIMED_OUT
    assert told[-1].h is None
    assert told[-1].lower < told[-1].upper
    lowers = [answer.lower for answer in told]
    assert lowers == sorted(lowers)
    assert processes() == []


def test_that_a_start_waits_neither_for_bounds_nor_for_the_process_to_read(worker, monkeypatch):
    def looked_for(_):
        raise AssertionError("bounds are looked for")

    monkeypatch.setattr("awase.core.solvers.cover.worker_process.quick_bounds", looked_for)
    monkeypatch.setattr("awase.core.solvers.cover.worker_process.give", lambda *_: reading.wait())
    reading = threading.Event()
    worker.start(TABLE_1, known=minimal_cover(TABLE_1))
    reading.set()
    worker.cancel()


def test_that_cancel_ends_the_process_at_once_and_another_can_start(worker, processes):
    worker.start(ENDLESS)
    assert worker.running
    worker.cancel()
    assert not worker.running
    assert worker.poll() is None
    assert processes() == []
    worker.start(TABLE_1)
    assert last_answer(worker).h == 6


@pytest.mark.slow
def test_that_a_new_start_replaces_the_old_one(worker):
    worker.start(ENDLESS)
    worker.start(TABLE_1)
    assert last_answer(worker).h == 6


@pytest.mark.slow
def test_that_a_process_killed_from_outside_is_an_error(worker, processes):
    worker.start(ENDLESS)
    worker.poll(PATIENCE_S)
    (process,) = processes()
    os.kill(process.pid, signal.SIGTERM)
    with pytest.raises(RuntimeError, match="ended early"):
        last_answer(worker)
    assert not worker.running


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="asks POSIX whether a process is alive")
def test_that_the_process_ends_with_its_parent():
    path = [part for part in sys.path if part]
    code = (
        f"import sys, os, multiprocessing; sys.path[:0] = {path!r}\n"
        "from tests.core.solvers.cover.test_worker_process import ENDLESS, CoverWorker\n"
        "worker = CoverWorker(); worker.start(ENDLESS); worker.poll(30)\n"
        "print(multiprocessing.active_children()[0].pid, flush=True); os._exit(0)\n"
    )
    parent = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    pid = int(parent.stdout)
    subprocess.run(["timeout", "120", "tail", f"--pid={pid}", "-f", "/dev/null"], check=True)


@pytest.mark.parametrize("kind", KINDS)
def test_that_solving_with_news_ends_in_the_same_answer(kind):
    one = KINDS[kind](random.Random(7), 1)
    told = []
    result, _ = solve_reporting_bounds(one, 1000, told.append)
    full = minimal_cover(one)
    assert result == full
    for news in told:
        assert news.status is Status.FEASIBLE
        assert news.lower <= full.h <= news.upper


def test_that_the_whole_is_put_together_only_when_a_bound_has_moved(monkeypatch):
    n_made = []

    def counted(*arguments):
        n_made.append(arguments)
        return assemble(*arguments)

    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.assemble", counted)
    told = []
    result, parts = solve_reporting_bounds(KINDS["realistic"](random.Random(2), 10), 1, told.append)
    assert result.status is Status.OPTIMAL
    assert len(n_made) <= len(told) + 2 < len(parts)


@pytest.mark.parametrize(("large", "easy"), in_part([(300, 0), (300, 200), (3, 200)], first=2))
def test_that_bounds_by_search_go_to_highs_or_maxsat_with_growing_bounds(monkeypatch, large, easy):
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.LARGE_COMPONENT", large)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.EASY", easy)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.SOON", 0)
    one = KINDS["uniform"](random.Random(1), 1)
    told = []
    result, _ = solve_reporting_bounds(one, 1000, told.append)
    full = minimal_cover(one)
    assert (result.h, result.in_every, result.in_none) == (full.h, full.in_every, full.in_none)
    assert all(news.lower <= full.h <= news.upper for news in told)
    assert [news.lower for news in told] == sorted(news.lower for news in told)
    assert [news.upper for news in told] == sorted([news.upper for news in told], reverse=True)
    assert told


def test_that_maxsat_finishes_a_large_component_when_it_is_done_soon(monkeypatch):
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.LARGE_COMPONENT", 3)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.EASY", 0)
    one = KINDS["uniform"](random.Random(7), 1)
    assert solve_reporting_bounds(one, 1000, lambda news: None)[0] == minimal_cover(one)


def test_that_the_process_sends_news_and_at_last_the_answer(monkeypatch):
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.EASY", 0)
    monkeypatch.setattr("signal.signal", lambda *args: None)
    one = KINDS["shared"](random.Random(3), 1)
    receiving, sending = multiprocessing.Pipe()
    receiving.send(one)
    solve_and_send(1000, sending)
    sent = []
    assert sending.closed
    while receiving.poll():
        with suppress(EOFError):
            sent.append(receiving.recv())
            continue
        break
    assert [parts for _, parts in sent[:-1]] == [None] * (len(sent) - 1)
    assert sent[-1][0] == minimal_cover(one)
    receiving.close()


def test_that_the_process_ends_quietly_when_nobody_listens(monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *args: None)
    receiving, sending = multiprocessing.Pipe()
    receiving.send(TABLE_1)
    receiving.close()
    solve_and_send(1000, sending)
    assert sending.closed


def test_that_the_process_waits_for_the_end_of_its_parent(monkeypatch):
    receiving, sending = multiprocessing.Pipe(duplex=False)
    sending.close()
    codes = []
    parent = type("Parent", (), {"sentinel": receiving})()
    monkeypatch.setattr("multiprocessing.parent_process", lambda: parent)
    monkeypatch.setattr("os._exit", codes.append)
    end_with_parent()
    assert codes == [1]
    receiving.close()


def test_that_a_deadline_that_comes_too_late_is_harmless():
    closed = multiprocessing.get_context("spawn").Process()
    closed.close()
    half_closed = multiprocessing.get_context("spawn").Process()  # it has no more to be killed
    for process in (closed, half_closed):
        expired = threading.Event()
        end_at_deadline(process, expired)
        assert expired.is_set()

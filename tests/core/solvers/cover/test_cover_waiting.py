"""Waiting for a proved answer, here or beside a thread that searches, and ceasing to wait."""

import random
import threading

import pytest
from tests.benchmarks.cover_instances import KINDS, steiner
from tests.core.solvers.cover.cover_cases import TABLE_1, problem
from tests.in_part import in_part
from tests.oracles.cover_verification import verify

from awase.core.errors import Cancelled
from awase.core.solvers.cover import CoverProblem, MinimalCover
from awase.core.solvers.cover_solving import CoverSession, minimal_cover
from awase.core.solvers.cover_waiting import CoverThread, wait_for_cover
from awase.core.solvers.effort import Status

ENDLESS = KINDS["shared"](random.Random(1), 10)
PATIENCE_S = 120.0


def ignored(_answer: MinimalCover) -> None:
    pass


def answers_of(search: CoverThread) -> list[MinimalCover]:
    answers = []
    while search.running:
        answer = search.poll(PATIENCE_S)
        assert answer is not None
        answers.append(answer)
    return answers


@pytest.fixture
def search():
    search = CoverThread()
    yield search
    search.close()


@pytest.fixture
def nothing_is_easy(monkeypatch):
    monkeypatch.setattr("awase.core.solvers.cover_waiting.EASY", 0)


def test_that_an_easy_problem_is_answered_whole_and_at_once():
    news: list[MinimalCover] = []
    assert wait_for_cover(TABLE_1, news.append) == minimal_cover(TABLE_1)
    assert news == []


def test_that_the_size_alone_is_proved_too(nothing_is_easy):
    for one in (TABLE_1, KINDS["shared"](random.Random(3), 1)):
        answer = wait_for_cover(one, ignored, size_only=True)
        assert answer.lower == answer.h == minimal_cover(one).h


def test_that_an_infeasible_problem_is_told_as_such():
    one = CoverProblem(needs=((frozenset({1}),), (frozenset({2}),)), forbidden=frozenset({2}))
    assert wait_for_cover(one, ignored).status is Status.INFEASIBLE


@pytest.mark.parametrize("kind", in_part(KINDS, first=2))
def test_that_a_thread_ends_in_the_answer_of_a_solve_in_place(nothing_is_easy, kind):
    one = KINDS[kind](random.Random(7), 1)
    news: list[MinimalCover] = []
    full = minimal_cover(one)
    assert wait_for_cover(one, news.append) == full
    assert all(known.lower <= full.h <= known.upper for known in news)


@pytest.mark.slow
def test_that_27_points_count_as_many_covers_as_the_cap_beside_a_thread():
    answer = wait_for_cover(steiner(27), ignored)
    assert (answer.status, answer.h) == (Status.OPTIMAL, 18)
    assert (answer.n_covers, answer.n_covers_exact, answer.is_final) == (1000, False, True)


@pytest.mark.slow
def test_that_waiting_ends_when_the_listener_has_had_enough():
    def enough(_answer: MinimalCover) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        wait_for_cover(ENDLESS, enough)


def test_that_a_conflict_comes_back_too(search):
    search.start(problem([{1}], []))
    assert answers_of(search)[-1].conflict == (1,)
    assert search.poll() is None


def test_that_the_session_learns_what_the_thread_found():
    session = CoverSession()
    search = CoverThread(session)
    one = KINDS["shared"](random.Random(3), 1)
    assert session.solve(one, effort=0).status is Status.FEASIBLE
    search.start(one)
    assert answers_of(search)[-1] == session.solve(one, effort=0) == minimal_cover(one)


def test_that_the_session_learns_nothing_that_was_cut_short():
    session = CoverSession()
    search = CoverThread(session)
    search.start(ENDLESS, deadline_s=0.0)
    assert answers_of(search)[-1].status is Status.TIMED_OUT
    assert session.n_components == 0


@pytest.mark.slow
def test_that_bounds_grow_until_the_deadline(search):
    search.start(ENDLESS, deadline_s=0.5)
    answers = answers_of(search)
    assert answers[-1].status is Status.TIMED_OUT
    assert answers[-1].h is None
    bounds = [(one.lower, -one.upper) for one in answers]
    assert bounds == sorted(bounds)
    assert verify(ENDLESS, answers[-1]) == ()


def test_that_cancel_forgets_the_answer_and_another_can_start(search):
    search.start(ENDLESS)
    assert search.running
    search.cancel()
    assert not search.running
    assert search.poll() is None
    search.start(ENDLESS)
    search.start(TABLE_1)
    assert answers_of(search)[-1].h == 6


def test_that_closing_leaves_no_thread_behind(search):
    before = {*threading.enumerate()}
    search.start(ENDLESS, deadline_s=60.0)
    search.close()
    assert {*threading.enumerate()} <= before


def test_that_a_defect_in_the_thread_is_raised_where_the_answer_is_waited_for(search, monkeypatch):
    def fail(_):
        raise ZeroDivisionError

    monkeypatch.setattr("awase.core.solvers.cover_waiting.presolve", fail)
    search.start(TABLE_1)
    with pytest.raises(RuntimeError, match="failed") as raised:
        answers_of(search)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert not search.running


@pytest.mark.slow
def test_that_ten_seconds_bound_81_points_as_promised(search):
    search.start(steiner(81), deadline_s=10.0)
    answer = answers_of(search)[-1]
    assert 55 <= answer.lower <= 61 <= answer.upper <= 65

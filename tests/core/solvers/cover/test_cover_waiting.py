"""Waiting for a proved answer, in this process or in a worker, and ceasing to wait."""

import random

import pytest

from awase.core.errors import Cancelled
from awase.core.solvers.cover.interruptible import wait_for_cover
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.solving import minimal_cover
from awase.core.solvers.status import Status

EASY = CoverProblem(
    needs=(
        (frozenset({1}), frozenset({10, 11})),
        (frozenset({3, 5, 6}),),
        (frozenset({21, 23}), frozenset({1, 30, 60})),
    )
)


def hard_problem(n_needs: int, n_items: int) -> CoverProblem:
    generator = random.Random(5)
    items = range(n_items)
    return CoverProblem(
        needs=tuple(
            tuple(frozenset(generator.sample(items, generator.randint(2, 4))) for _ in range(5))
            for _ in range(n_needs)
        )
    )


def ignored(_answer: MinimalCover) -> None:
    pass


def test_that_an_easy_problem_is_answered_whole_and_at_once():
    told: list[MinimalCover] = []
    assert wait_for_cover(EASY, told.append) == minimal_cover(EASY)
    assert told == []


def test_that_the_size_alone_is_proved_too():
    answer = wait_for_cover(EASY, ignored, size_only=True)
    assert (answer.h, answer.lower) == (6, 6)


def test_that_an_infeasible_problem_is_told_as_such():
    problem = CoverProblem(needs=((frozenset({1}),), (frozenset({2}),)), forbidden=frozenset({2}))
    assert wait_for_cover(problem, ignored).status is Status.INFEASIBLE


@pytest.mark.parametrize(
    ("n_needs", "n_items"),
    [(12, 36), pytest.param(20, 60, marks=pytest.mark.slow)],
)
def test_that_a_hard_problem_is_proved_elsewhere_and_its_bounds_are_told(
    n_needs, n_items, monkeypatch
):
    monkeypatch.setattr("awase.core.solvers.cover.interruptible.EASY", 0)
    problem = hard_problem(n_needs, n_items)
    told: list[MinimalCover] = []
    answer = wait_for_cover(problem, told.append)
    assert answer.status is Status.OPTIMAL
    assert answer.h == minimal_cover(problem, engine="maxsat", max_covers=1).h
    assert told
    assert all(one.lower <= answer.h <= one.upper for one in told)


def test_that_waiting_ends_when_the_listener_has_had_enough():
    def enough(_answer: MinimalCover) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        wait_for_cover(hard_problem(400, 900), enough)

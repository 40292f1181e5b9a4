"""Smaller covers of a component by solving parts of a known one anew."""

import random
import threading

import pytest
from tests.benchmarks.cover_instances import KINDS, crossing, steiner
from tests.in_part import in_part

from awase.core.solvers.cover.bounds_by_search import solve_reporting_bounds
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.component import unsolved
from awase.core.solvers.cover.presolve import Component, mask_need, presolve, without_implied
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.smaller_covers import CoverImprover
from awase.core.solvers.cover.solving import minimal_cover

FEW_ROUNDS = 30


def largest_part(problem: CoverProblem) -> Component:
    presolved = presolve([mask_need(need) for need in problem.needs])
    parts = [part for whole in presolved.components for part in without_implied(whole)]
    return max(parts, key=len)


def is_cover(cover: int, component: Component) -> bool:
    return all(any(mask & cover == mask for mask in need) for need in component)


PROBLEMS = [
    *in_part(
        (kind(random.Random(seed), 1) for seed in range(3) for kind in KINDS.values()), first=1
    ),
    steiner(27),
    pytest.param(crossing(random.Random(1), 40, 200, 10), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_that_every_cover_told_is_one_and_smaller_than_those_before(problem):
    component = largest_part(problem)
    start = bounds_of(component).cover
    told = [start]
    best = CoverImprover(component, start).improve(told.append, most_idle_rounds=FEW_ROUNDS)
    assert best == told[-1]
    assert all(is_cover(cover, component) for cover in told)
    sizes = [cover.bit_count() for cover in told]
    assert sizes == sorted({*sizes}, reverse=True)
    again = CoverImprover(component, start).improve(lambda _: None, most_idle_rounds=FEW_ROUNDS)
    assert again == best


@pytest.mark.parametrize(("n", "h"), in_part([(27, 18), (81, 61)]))
def test_that_minimal_covers_of_steiner_systems_are_met(n, h):
    component = largest_part(steiner(n))
    start = bounds_of(component).cover
    assert start.bit_count() > h
    improver = CoverImprover(component, start)
    found: list[int] = []
    improver.improve(found.append, lambda: improver.best.bit_count() > h)
    assert found[-1].bit_count() == h


@pytest.mark.slow
def test_that_it_never_ends_below_the_size_of_a_minimal_cover():
    for seed in range(2):
        problem = KINDS["shared"](random.Random(seed), 1)
        component = largest_part(problem)
        needs = tuple(
            tuple(frozenset(i for i in range(mask.bit_length()) if mask >> i & 1) for mask in need)
            for need in component
        )
        h = minimal_cover(CoverProblem(needs=needs), max_covers=1).h
        improver = CoverImprover(component, bounds_of(component).cover)
        assert improver.improve(lambda _: None, most_idle_rounds=200).bit_count() == h


def test_that_it_ends_when_it_is_not_wanted_any_more():
    component = largest_part(steiner(27))
    start = bounds_of(component).cover
    assert CoverImprover(component, start).improve(lambda _: None, lambda: False) == start


@pytest.mark.slow
def test_that_smaller_covers_are_told_while_the_lower_bound_grows(monkeypatch):
    met = threading.Event()

    def solve_meanwhile(_leaf, bounds, _max_covers, _tell):
        met.wait()
        return unsolved(bounds, 27)

    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.HEAD_START_S", 0)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.EASY", 0)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.by_maxsat", solve_meanwhile)
    uppers: list[int] = []

    def take(answer: MinimalCover) -> None:
        uppers.append(answer.upper)
        if answer.upper == 61:
            met.set()

    result, _ = solve_reporting_bounds(steiner(81), 1000, take)
    assert (result.lower, result.upper) == (27, 61)
    assert uppers == sorted(uppers, reverse=True)

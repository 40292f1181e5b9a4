import subprocess
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import law

from awase.core.analysis.grading import PartialCoverProblem, best_partial_cover, satisfied
from awase.core.errors import Cancelled
from awase.core.solvers.cover import Status

ITEMS = st.integers(0, 7)
NEEDS = st.lists(
    st.lists(st.frozensets(ITEMS, min_size=1, max_size=3), min_size=1, max_size=3).map(tuple),
    max_size=5,
)


def problem(needs, most: int, weights=None) -> PartialCoverProblem:
    return PartialCoverProblem(
        needs=tuple(tuple(frozenset(a) for a in need) for need in needs),
        weights=tuple(Fraction(w) for w in weights or [1] * len(needs)),
        most=most,
    )


def by_hand(given: PartialCoverProblem, items) -> Fraction:
    """The textbook's e(i), summed without any shortcut."""
    total = Fraction(0)
    for alternatives, weight in zip(given.needs, given.weights, strict=True):
        best = Fraction(0)
        for alternative in alternatives:
            share = Fraction(sum(1 for item in alternative if item in items), len(alternative))
            best = max(best, share)
        total += weight * best
    return total


@pytest.mark.slow
@law(25, NEEDS, st.integers(0, 5), st.data())
def test_that_no_choice_is_worth_more(needs, most, data):
    weights = [data.draw(st.fractions(0, 3, max_denominator=4)) for _ in needs]
    asked = problem(needs, most, weights)
    found = best_partial_cover(asked)
    everything = sorted({item for need in needs for a in need for item in a})
    best = max(
        by_hand(asked, items)
        for n in range(min(most, len(everything)) + 1)
        for items in combinations(everything, n)
    )
    assert found.value == by_hand(asked, found.items) == best
    assert len(found.items) <= most
    assert found.status is Status.OPTIMAL
    assert found.bound == pytest.approx(float(best))


@in_turn(
    ("needs", "most", "weights", "items", "value"),
    [
        ([[{1, 2}], [{3, 4}], [{1, 2, 5}]], 2, None, {1, 2}, "5/3"),  # a whole one beats halves
        ([[{1}, {1, 2}]], 5, None, {1}, "1"),  # what adds nothing is not held
        ([[{1}], [{2}]], 1, ["1/3", "1/2"], {2}, "1/2"),
        ([], 3, None, set(), "0"),
        ([[{1}]], 0, None, set(), "0"),
    ],
)
def test_that_items_worth_most_are_chosen_and_no_others(needs, most, weights, items, value):
    found = best_partial_cover(problem(needs, most, weights))
    assert (found.items, found.value, found.status) == (items, Fraction(value), Status.OPTIMAL)


def hard() -> PartialCoverProblem:
    rows = [[{i, j, k}] for i in range(16) for j in range(i) for k in range(j)]
    return problem(rows, 6)


@pytest.mark.slow
def test_that_a_search_without_time_ends_with_a_bound():
    asked = hard()
    found = best_partial_cover(asked, timeout_s=0.01)
    assert found.status is Status.TIMED_OUT
    assert found.value == satisfied(asked, found.items)
    assert found.bound >= float(found.value)


@pytest.mark.slow
def test_that_a_search_that_is_cancelled_ends_its_process(monkeypatch):
    processes = []
    popen = subprocess.Popen

    def started(*arguments, **options):
        processes.append(popen(*arguments, **options))
        return processes[-1]

    def cancel():
        raise Cancelled

    monkeypatch.setattr(subprocess, "Popen", started)
    with pytest.raises(Cancelled):
        best_partial_cover(hard(), on_wait=cancel)
    (process,) = processes
    assert process.returncode is not None

"""Problems whose h nobody finds in seconds: Steiner triple systems, and needs that cross."""

import random
from itertools import combinations

import pytest
from tests.benchmarks.cover_instances import crossing, steiner
from tests.in_part import in_part, in_turn
from tests.oracles.cover_verification import verify

from awase.core.solvers.cover import MinimalCover
from awase.core.solvers.cover_solving import minimal_cover
from awase.core.solvers.cover_waiting import better_of, wait_for_cover
from awase.core.solvers.effort import Status

H_OF_STEINER = {9: 5, 27: 18, 81: 61, 243: 198}
"""9 and 27 in Fulkerson et al. (1974), 81 in Mannino and Sassano (1995), 243 in Ostrowski et al.
(2011): the points outside a largest cap of AG(n, 3)."""


@in_turn(("n", "n_triples"), [(9, 12), (15, 35), (27, 117), (45, 330), (81, 1080), (243, 9801)])
def test_that_every_two_points_of_a_steiner_system_are_in_one_triple(n, n_triples):
    pairs = [
        tuple(sorted(pair))
        for need in steiner(n).needs
        for pair in combinations([point for (point,) in need], 2)
    ]
    assert len(pairs) == 3 * n_triples == len({*pairs}) == n * (n - 1) // 2


@pytest.mark.parametrize("n", in_part([9, 27]))
def test_that_small_steiner_systems_are_settled(n):
    answer = minimal_cover(steiner(n))
    assert answer.h == H_OF_STEINER[n]
    assert answer.in_none == answer.in_every == frozenset()
    assert answer.n_covers_exact == (n == 9)


@pytest.mark.slow
def test_that_27_points_have_2106_minimal_covers():
    answer = minimal_cover(steiner(27), max_covers=3_000)
    assert (answer.n_covers, answer.n_covers_exact) == (2106, True)


@pytest.mark.slow
@pytest.mark.parametrize("n", in_part([27, 81, 243], first=2))
def test_that_quick_bounds_hold_the_size_in_between(n):
    answer = minimal_cover(steiner(n), effort=0)
    assert answer.lower <= H_OF_STEINER[n] <= answer.upper
    assert verify(steiner(n), answer) == ()


@pytest.mark.slow
def test_that_waiting_ends_with_the_bounds_when_time_is_over():
    told: list[MinimalCover] = []
    answer = wait_for_cover(steiner(81), told.append, time_limit_s=0.4)
    assert answer.status is Status.TIMED_OUT
    assert answer.h is None
    assert answer.lower < 61 < answer.upper + 1
    assert verify(steiner(81), answer) == ()
    assert told[0] == minimal_cover(steiner(81), effort=50_000)
    bounds = [(one.lower, -one.upper) for one in told]
    assert bounds == sorted(bounds)


@pytest.mark.slow
def test_that_what_was_known_is_kept_where_news_say_less():
    problem = crossing(random.Random(1), 40, 200, 10)
    known, news = minimal_cover(problem, effort=100_000), minimal_cover(problem, effort=0)
    assert known.lower > news.lower
    assert better_of(known, None) == known
    assert better_of(news, known) == known
    assert (better_of(known, news).lower, better_of(known, news).upper) == (
        known.lower,
        known.upper,
    )

import random
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.benchmarks.cover_instances import KINDS, toggled
from tests.core.solvers.cover.cover_cases import needs, problem
from tests.oracles.cover_verification import verify

from awase.core.solvers.cover import CoverProblem, Status
from awase.core.solvers.cover_solving import (
    IN_PLACE_EFFORT,
    CoverSession,
    bounds_after_edit,
    minimal_cover,
    solve_part,
)

ONE, OTHER = (frozenset({1}),), (frozenset({2}),)
edits = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "replace", "forbid"]), st.integers(0, 8), needs),
    max_size=12,
)


def edited(one: CoverProblem, kind: str, place: int, need) -> CoverProblem:
    kept = list(one.needs)
    if kind == "forbid":
        return CoverProblem(needs=one.needs, forbidden=one.forbidden ^ {place})
    if kind == "add":
        kept.insert(place, need)
    elif kept:
        kept[place % len(kept) : place % len(kept) + 1] = [need] if kind == "replace" else []
    return CoverProblem(needs=tuple(kept), forbidden=one.forbidden)


@example(start=[ONE], steps=[("forbid", 1, ONE)] * 2, max_components=100)
@given(start=st.lists(needs, max_size=5), steps=edits, max_components=st.sampled_from([0, 1, 100]))
def test_that_edits_give_what_solving_from_cold_gives(start, steps, max_components):
    session = CoverSession()
    one = CoverProblem(needs=tuple(start))
    with patch("awase.core.solvers.cover_solving.MAX_COMPONENTS", max_components):
        for step in [*steps, ("add", 0, ONE)]:
            assert session.solve(one) == minimal_cover(one)
            assert session.n_components <= max_components
            one = edited(one, *step)


@pytest.mark.slow
def test_that_toggles_at_full_size_give_what_solving_from_cold_gives():
    rng = random.Random(11)
    one = KINDS["realistic"](rng, 1)
    session = CoverSession()
    for _ in range(60):
        assert session.solve(one) == minimal_cover(one)
        one = toggled(one, rng)


def test_that_an_edit_leaves_the_other_components_alone():
    session = CoverSession()
    before = problem([{1}, {2}], [{11}, {12}])
    after = problem([{1}, {2}], [{11}, {12}, {13}])
    session.solve(before)
    session.solve(after)
    assert session.n_components == 3


def test_that_a_component_too_hard_is_tried_again_only_with_more_effort(monkeypatch):
    tries = []

    def counted(*arguments):
        tries.append(arguments)
        return solve_part(*arguments)

    monkeypatch.setattr("awase.core.solvers.cover_solving.solve_part", counted)
    one = KINDS["shared"](random.Random(7), 1)
    session = CoverSession()
    assert session.solve(one, effort=0).status is Status.FEASIBLE
    assert session.solve(one, effort=0).status is Status.FEASIBLE
    assert len(tries) == session.n_components == 1
    assert session.solve(one).status is Status.OPTIMAL
    assert session.solve(one, effort=0).status is Status.OPTIMAL
    assert len(tries) == 2


@pytest.mark.slow
def test_that_a_count_cut_short_is_finished_by_a_call_with_more_effort():
    ring = problem(*([{n}, {(n + 1) % 41}] for n in range(41)))
    session = CoverSession()
    cut = [session.solve(ring, effort=effort) for effort in range(3000, 5000, 100)]
    assert any(one.h == 21 and (one.n_covers or 41) < 41 and not one.is_final for one in cut)
    assert session.solve(ring).n_covers == 41


def test_that_solving_in_place_needs_no_worker_at_realistic_size():
    for seed in range(20):
        one = KINDS["realistic"](random.Random(seed), 1)
        assert CoverSession().solve(one, effort=IN_PLACE_EFFORT).status is Status.OPTIMAL


@example(start=[ONE], steps=[("replace", 0, OTHER), ("forbid", 1, ONE)], effort=None)
@given(start=st.lists(needs, max_size=5), steps=edits, effort=st.sampled_from([0, None]))
def test_that_bounds_after_edits_hold_h_between_them_without_any_search(start, steps, effort):
    before = CoverProblem(needs=tuple(start))
    known = minimal_cover(before, effort=effort)
    one = before
    for step in steps:
        one = edited(one, *step)
        bounds, full = bounds_after_edit(before, known, one), minimal_cover(one)
        if bounds is None:
            is_other = before.forbidden != one.forbidden
            assert is_other or Status.INFEASIBLE in (known.status, full.status)
            continue
        assert verify(one, bounds) == ()
        assert bounds.lower <= full.h <= bounds.upper

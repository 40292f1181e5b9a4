import random
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from tests.benchmarks.cover_instances import KINDS
from tests.core.solvers.cover.cover_cases import (
    MISPRINTED,
    TABLE_1,
    problem,
    problems,
    small_random,
)
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.oracles.cover import brute_force, is_cover
from tests.oracles.cover_verification import verify

from awase.core.solvers.cover import (
    CoverProblem,
    Status,
    bounds_of,
    items_of,
    mask_need,
    mask_of,
    minimal_masks,
    presolve,
    without_implied,
)
from awase.core.solvers.cover_solving import DEFAULT_ENGINE, ENGINES, IN_PLACE_EFFORT, minimal_cover

FAST = [name for name in ENGINES if name != "ilp"]


def same_as_brute_force(one: CoverProblem, engine: str, **options: int) -> None:
    result = minimal_cover(one, engine=engine, **options)
    assert replace(result, certificate=None) == brute_force(one)
    assert verify(one, result) == ()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("n", [100, pytest.param(5_000, marks=pytest.mark.slow)])
def test_that_every_engine_agrees_with_brute_force(engine, n):
    rng = random.Random(n)
    for _ in range(n // 50 if engine == "ilp" else n):
        same_as_brute_force(small_random(rng), engine)


@pytest.mark.parametrize("engine", in_part(FAST))
@law(150, one=problems)
def test_that_engines_agree_with_brute_force_on_odd_instances(engine, one):
    same_as_brute_force(one, engine)


@pytest.mark.slow
@law(150, one=problems)
def test_that_solving_in_place_agrees_with_brute_force_on_small_instances(one):
    same_as_brute_force(one, DEFAULT_ENGINE, effort=IN_PLACE_EFFORT)


@in_turn("engine", ENGINES)
def test_that_table_1_has_two_minimal_covers_of_six(engine):
    result = minimal_cover(TABLE_1, engine=engine)
    assert (result.status, result.h, result.n_covers) == (Status.OPTIMAL, 6, 2)
    assert result.cover == {1, 3, 5, 6, 21, 23}
    assert result.in_every == {1, 3, 5, 6}
    assert result.in_none == {10, 11}


@in_turn("engine", ENGINES)
def test_that_the_misprinted_constraints_have_one_minimal_cover(engine):
    result = minimal_cover(MISPRINTED, engine=engine)
    assert (result.h, result.n_covers) == (6, 1)
    assert result.cover == result.in_every == {1, 3, 5, 6, 30, 60}


@pytest.mark.parametrize("kind", in_part(KINDS))
def test_that_engines_agree_at_full_size(kind):
    for seed in (1, 7):
        one = KINDS[kind](random.Random(seed), 1)
        by_maxsat = minimal_cover(one, engine="maxsat")
        assert minimal_cover(one) == by_maxsat
        assert verify(one, by_maxsat) == ()


@pytest.mark.slow
def test_that_cbc_agrees_at_full_size():
    one = KINDS["realistic"](random.Random(5), 1)
    by_cbc = minimal_cover(one, engine="ilp", max_covers=1)
    fast = minimal_cover(one, max_covers=1)
    assert replace(by_cbc, cover=None) == replace(fast, cover=None)


@in_turn("needs", [((frozenset(),),), ((frozenset({1}), frozenset()),), ((frozenset({-1}),),)])
def test_that_an_empty_alternative_or_a_negative_item_is_refused(needs):
    with pytest.raises(ValueError, match=r"need 0|items"):
        CoverProblem(needs=needs)


def test_that_huge_items_and_unknown_engines_are_refused():
    with pytest.raises(ValueError, match="65535"):
        problem([{65_536}])
    with pytest.raises(ValueError, match="65535"):
        problem([{1}], forbidden=frozenset({65_536}))
    with pytest.raises(ValueError, match="maxsat"):
        minimal_cover(TABLE_1, engine="guess")


@in_turn("wrong", [frozenset(), frozenset({65_536}), frozenset({-1})])
def test_that_a_problem_with_other_needs_is_checked(wrong):
    one = problem([{1}], [{2}, {3}])
    for needs in ((*one.needs, (frozenset({4}),)), (one.needs[1], one.needs[0]), ()):
        assert one.with_needs(needs) == replace(one, needs=needs)
    for needs in ((one.needs[0], (frozenset({4}), wrong)), (*one.needs, (wrong,))):
        with pytest.raises(ValueError, match=r"empty|must lie"):
            one.with_needs(needs)


@pytest.mark.slow
@given(one=problems)
def test_that_repeated_needs_and_alternatives_change_nothing(one):
    doubled = CoverProblem(
        needs=tuple(need + need[:2] for need in one.needs) + one.needs[:3], forbidden=one.forbidden
    )
    once, twice = minimal_cover(one), minimal_cover(doubled)
    assert replace(once, conflict=()) == replace(twice, conflict=())


@pytest.mark.slow
@in_turn("engine", ENGINES)
def test_that_the_count_stops_at_the_cap_and_says_so(engine):
    ring = problem(*([{n}, {(n + 1) % 7}] for n in range(7)))
    true = brute_force(ring).n_covers
    assert true is not None
    assert true > 2
    for cap in (1, 2, true - 1):
        capped = minimal_cover(ring, engine=engine, max_covers=cap)
        assert (capped.status, capped.n_covers) == (Status.OPTIMAL, cap)
        assert not capped.n_covers_exact
    exact = minimal_cover(ring, engine=engine, max_covers=true)
    assert (exact.n_covers, exact.n_covers_exact) == (true, True)
    assert capped.in_every == exact.in_every
    assert capped.in_none == exact.in_none


@pytest.mark.slow
@in_turn("engine", FAST)
def test_that_h_alone_may_be_asked_for(engine):
    rng = random.Random(11)
    for one in [small_random(rng) for _ in range(20)]:
        alone, true = minimal_cover(one, engine=engine, max_covers=0), brute_force(one)
        assert (alone.h, alone.conflict) == (true.h, true.conflict)
        assert alone.in_none <= true.in_none
        assert alone.in_every <= true.in_every
        assert verify(one, alone) == ()


def test_that_counts_multiply_over_independent_parts():
    one = problem(*([{2 * n}, {2 * n + 1}] for n in range(100)))
    result = minimal_cover(one)
    assert (result.h, result.n_covers, result.n_covers_exact) == (100, 2**100, True)


@given(one=problems)
def test_that_quick_bounds_hold_the_true_size_between_them(one):
    true, quick = brute_force(one), minimal_cover(one, effort=0)
    assert verify(one, quick) == ()
    assert quick.conflict == true.conflict
    if true.h is not None:
        assert quick.cover is not None
        assert quick.lower <= true.h <= quick.upper == len(quick.cover)
        assert quick.in_every <= true.in_every
        assert quick.in_none <= true.in_none


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("effort", in_part([300, 0, 2500, 4000, 6000]))
def test_that_spent_effort_leaves_sound_bounds_and_the_same_ones_each_time(kind, effort):
    one = KINDS[kind](random.Random(4), 1)
    partial, full = minimal_cover(one, effort=effort), minimal_cover(one)
    assert verify(one, partial) == ()
    assert partial.lower <= full.h <= partial.upper
    assert partial.in_every <= full.in_every
    assert partial.in_none <= full.in_none
    assert minimal_cover(one, effort=effort) == partial


def test_that_a_hard_instance_ten_times_the_size_is_given_up_with_bounds():
    one = KINDS["shared"](random.Random(1), 10)
    result = minimal_cover(one, effort=IN_PLACE_EFFORT)
    assert result.status is Status.FEASIBLE
    assert is_cover(result.cover, one)
    assert 0 < result.lower < result.upper
    assert result.n_covers is None
    assert result.h is None


def test_that_the_ilp_which_keeps_no_effort_limit_gives_bounds_only():
    one = KINDS["shared"](random.Random(1), 1)
    result = minimal_cover(one, engine="ilp", effort=IN_PLACE_EFFORT)
    assert result.status is Status.FEASIBLE
    assert verify(one, result) == ()


def test_that_the_solvers_are_imported_only_when_they_are_needed():
    code = (
        "import sys; import awase.core.solvers.cover_solving as p;"
        "p.wait_for_cover(p.CoverProblem(needs=((frozenset({1}),),)), print);"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'pysat', 'pulp'}))"
    )
    path = [part for part in sys.path if part]
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"


def test_that_cbc_giving_up_is_a_defect(monkeypatch):
    for status, message in ((Status.INFEASIBLE, "no cover"), (Status.TIMED_OUT, "timed out")):
        monkeypatch.setattr(
            "awase.core.solvers.ilp.Program.maximise", lambda *_, status=status: (status, 0.0)
        )
        with pytest.raises(RuntimeError, match=message):
            minimal_cover(TABLE_1, engine="ilp")


def presolved(one):
    return presolve([mask_need(need, mask_of(one.forbidden)) for need in one.needs])


def test_that_what_holds_another_is_dropped_forced_items_taken_out_and_satisfied_needs_dropped():
    assert minimal_masks([0b111, 0b011, 0b100, 0b011]) == (0b011, 0b100)
    left = presolved(TABLE_1)
    assert items_of(left.forced) == [3, 5, 6]
    assert left.origin.keys() == {need for component in left.components for need in component}
    assert sorted(left.origin.values()) == [0, 2]


def test_that_needs_without_common_items_are_separate_components():
    left = presolved(problem([{1}, {2}], [{2}, {3}], [{4}, {5}], [{5, 6}, {7}]))
    assert sorted(map(len, left.components)) == [2, 2]


def test_that_an_implied_need_is_dropped_and_may_split_a_component():
    left = presolved(problem([{1, 5}, {2, 6}], [{1}, {2}, {5}, {6}, {9}], [{9}, {10}]))
    (component,) = left.components
    assert len(component) == 3
    assert sorted(map(len, without_implied(component))) == [1, 1]


@given(one=problems)
def test_that_components_share_no_item(one):
    left = presolved(one)
    seen = left.forced
    for component in left.components:
        items = 0
        for need in component:
            for mask in need:
                assert mask
                items |= mask
        assert not items & seen
        seen |= items


def test_that_needs_that_ask_for_nothing_new_leave_their_items_to_the_later_ones():
    component = tuple(sorted([(0b001, 0b010), (0b011, 0b100), (0b1000, 0b0100)]))
    bounds = bounds_of(component)
    assert bounds.lower <= bounds.cover.bit_count()
    assert bounds.union == 0b1111

"""The kernel's search for minimal covers finds just those of the search in Python."""

import random
from array import array
from contextlib import nullcontext
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.benchmarks.cover_instances import KINDS, steiner
from tests.core.solvers.cover.cover_cases import problems, small_random
from tests.in_part import in_part
from tests.laws import tries
from tests.oracles.cover_verification import verify

from awase.core.kernel.arrays import passed_numbers
from awase.core.kernel.binding import KernelError, kernel, without_kernel
from awase.core.solvers.cover.bounds_by_search import solve_hard, solve_reporting_bounds
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.cache import CoverSession
from awase.core.solvers.cover.component import Bounds, ComponentCover, unsolved
from awase.core.solvers.cover.engines.compiled import smaller_cover, solve_compiled
from awase.core.solvers.cover.engines.maxsat import solve_by_maxsat
from awase.core.solvers.cover.engines.search import solve_by_search
from awase.core.solvers.cover.presolve import Component, mask_need, presolve, without_implied
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
from awase.core.solvers.cover.sizes import cover_size, easy_size
from awase.core.solvers.cover.solving import minimal_cover
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import mask_of, union_of
from awase.core.solvers.status import Status

pytestmark = pytest.mark.skipif(
    kernel() is None,
    reason="no compiled kernel here: tools/build_kernel.py builds it where cargo is",
)

FIXTURE_KEPT = [HealthCheck.function_scoped_fixture]
"""Hypothesis may keep a fixture from one example to the next."""


def leaves(problem: CoverProblem) -> list[Component]:
    masked = [mask_need(need, mask_of(problem.forbidden)) for need in problem.needs]
    return [leaf for one in presolve(masked).components for leaf in without_implied(one)]


def compiled(
    leaf: Component, bounds: Bounds, effort: Effort, max_covers: int = 1_000
) -> ComponentCover:
    found = solve_compiled(leaf, bounds, effort, max_covers)
    assert found is not None
    return found


def agree(problem: CoverProblem) -> None:
    for leaf in leaves(problem):
        bounds = bounds_of(leaf)
        assert compiled(leaf, bounds, Effort()) == solve_by_search(leaf, bounds, Effort(), 1_000)


@settings(deadline=None, max_examples=tries(150))
@given(problems)
def test_that_the_kernel_and_python_find_the_same_covers(problem: CoverProblem) -> None:
    agree(problem)


@pytest.mark.parametrize("share", in_part([4, 1]))
def test_that_they_do_on_connected_instances_without_forced_items(share: int) -> None:
    rng = random.Random(7)
    for _ in range(400 // share):
        agree(small_random(rng))


@settings(deadline=None, max_examples=tries(100))
@given(problems, st.integers(1, 3))
def test_that_a_low_cap_leaves_all_but_the_number_exact(problem: CoverProblem, cap: int) -> None:
    for leaf in leaves(problem):
        bounds = bounds_of(leaf)
        full, capped = compiled(leaf, bounds, Effort()), compiled(leaf, bounds, Effort(), cap)
        assert capped.n_covers == min(cap, full.n_covers)
        assert capped.n_covers_exact == (full.n_covers <= cap)
        assert replace(capped, n_covers=full.n_covers, n_covers_exact=True) == full


def test_that_what_more_covers_than_are_listed_have_in_common_is_exact() -> None:
    # Each of seven triangles can be covered in three ways.
    needs = [({3 * n + a}, {3 * n + b}) for n in range(7) for a, b in ((0, 1), (0, 2), (1, 2))]
    joined = [({3 * n, 3 * n + 3, 30}, {3 * n + 1, 40}, {3 * n + 2, 30}) for n in range(6)]
    problem = CoverProblem(
        needs=tuple(tuple(map(frozenset, need)) for need in [*needs, *joined, ({30}, {40})])
    )
    (leaf,) = leaves(problem)
    bounds = bounds_of(leaf)
    with_it, slow = (solve(leaf, bounds, Effort(), 2) for solve in (compiled, solve_by_search))
    assert compiled(leaf, bounds, Effort(), 10_000).n_covers > 1_000
    assert not with_it.n_covers_exact
    assert (with_it.lower, with_it.every, with_it.possible) == (
        slow.lower,
        slow.every,
        slow.possible,
    )


@pytest.fixture
def core_at_once(monkeypatch):
    """Lets the kernel seek the core of whatever bounds do not settle."""
    monkeypatch.setattr("awase.core.solvers.cover.engines.compiled.STEPS_BEFORE_CORE", 0)


@settings(deadline=None, max_examples=tries(200), suppress_health_check=FIXTURE_KEPT)
@given(problems)
def test_that_the_core_of_a_part_has_its_h(core_at_once, problem: CoverProblem) -> None:
    agree(problem)


@pytest.mark.parametrize("share", in_part([4, 1]))
def test_that_it_has_on_connected_instances_too(core_at_once, share: int) -> None:
    rng = random.Random(8)
    for _ in range(400 // share):
        agree(small_random(rng))
    for kind in ("uniform", "shared", "realistic"):
        for leaf in leaves(KINDS[kind](random.Random(0), 1)):
            bounds = bounds_of(leaf)
            agree_on_h = {
                compiled(leaf, bounds, Effort(), 0).lower,
                solve_by_maxsat(leaf, bounds, Effort(), 0).lower,
            }
            assert len(agree_on_h) == 1


@pytest.mark.parametrize(
    ("scale", "seed", "h"), [(2, 6, 84), (3, 2, 147), (4, 5, 161), (4, 0, 170)]
)
def test_that_the_core_of_large_parts_is_settled(scale, seed, h):
    # h by CP-SAT.
    problem = KINDS["uniform"](random.Random(seed), scale)
    for leaf in leaves(problem):
        found = compiled(leaf, bounds_of(leaf), Effort(200_000), 0)
        assert found.is_settled(0)
        assert all(any(mask & found.cover == mask for mask in need) for need in leaf)
    assert minimal_cover(problem, max_covers=0).h == h


def test_that_a_part_which_becomes_nothing_when_made_smaller_is_settled() -> None:
    # Edges of a tree: nothing is left of them, while the bound of their shares is still below h.
    rng = random.Random(0)
    above = {n: rng.randrange(max(0, n - 3), n) for n in range(1, 500)}
    free = {*range(500)}
    h = 0
    for n in reversed(above):  # most pairs, which in a tree are as many as the points of all edges
        if {n, above[n]} <= free:
            free -= {n, above[n]}
            h += 1
    needs = [[[n], [one]] for n, one in above.items()]
    assert cover_size(needs) == (h, h)


def test_that_one_cover_is_all_that_is_asked_for_without_a_cap() -> None:
    for leaf in leaves(KINDS["uniform"](random.Random(3), 1)):
        bounds = bounds_of(leaf)
        one, full = compiled(leaf, bounds, Effort(), 0), compiled(leaf, bounds, Effort())
        assert (one.lower, one.cover.bit_count()) == (full.lower, full.lower)
        assert (one.complete, one.every, one.possible) == (False, 0, bounds.union)


@settings(deadline=None, max_examples=tries(15))
@given(st.integers(0, 40), st.integers(0, 400), st.sampled_from(["uniform", "shared"]))
def test_that_few_steps_leave_a_cover_and_bounds_that_hold(
    seed: int, steps: int, kind: str
) -> None:
    for leaf in leaves(KINDS[kind](random.Random(seed % 5), 1)):
        bounds = bounds_of(leaf)
        some, full = compiled(leaf, bounds, Effort(steps)), compiled(leaf, bounds, Effort())
        assert some.lower <= full.lower <= some.cover.bit_count()
        assert all(any(mask & some.cover == mask for mask in need) for need in leaf)
        assert some.every & full.every == some.every
        assert some.possible & full.possible == full.possible
        assert not some.complete or some == full
        assert some == compiled(leaf, bounds, Effort(steps))


def test_that_more_items_than_it_has_bits_for_are_left_to_others() -> None:
    (leaf,) = leaves(CoverProblem(needs=tuple(
        (frozenset({n}), frozenset({n + 1})) for n in range(600)
    )))  # fmt: skip
    found = compiled(leaf, bounds_of(leaf), Effort(), 1)
    assert (found.lower, found.cover.bit_count(), found.complete) == (300, 300, False)


@pytest.mark.parametrize(("scale", "seed", "h"), [(2, 6, 84), (3, 5, 111)])
def test_that_shares_sought_again_where_the_relaxation_is_near_prove_no_other_h(scale, seed, h):
    # h by HiGHS; so many items that the first steps of the search are not enough.
    problem = KINDS["uniform"](random.Random(seed), scale)
    answer = minimal_cover(problem, max_covers=0)
    assert answer.h == h
    assert verify(problem, answer) == ()


def test_that_what_is_not_easy_is_settled_by_it_before_maxsat_is_asked(monkeypatch):
    def asked(*_: object) -> None:
        raise AssertionError("MaxSAT is asked")

    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.EASY", 0)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.by_maxsat", asked)
    one = KINDS["shared"](random.Random(3), 1)
    assert solve_reporting_bounds(one, 1_000, lambda _: None)[0] == minimal_cover(one)


def test_that_h_of_a_large_part_is_told_before_what_minimal_covers_have_in_common() -> None:
    problem, told = KINDS["uniform"](random.Random(3), 1), list[MinimalCover]()
    result, _ = solve_reporting_bounds(problem, 1, told.append)
    assert [(one.h, one.status) for one in told] == [(result.h, Status.FEASIBLE)]
    assert result == minimal_cover(problem, max_covers=1)


@pytest.mark.parametrize(("lacking", "is_asked"), [(1, True), (10, False), (0, False)])
def test_that_maxsat_is_asked_sooner_where_few_cores_are_left(
    monkeypatch: pytest.MonkeyPatch, lacking: int, is_asked: bool
) -> None:
    asked = []

    def ask(leaf: Component, bounds: Bounds, *_: object) -> ComponentCover:
        asked.append(leaf)
        return unsolved(bounds, 0)

    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.STEPS_A_LARGE_PART", 0)
    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.by_maxsat", ask)
    (leaf,) = leaves(KINDS["shared"](random.Random(3), 1))
    bounds = bounds_of(leaf)
    known = replace(compiled(leaf, bounds, Effort(), 0), complete=False)
    solve_hard(leaf, bounds, 1, lambda _: None, replace(known, lower=known.lower - lacking))
    assert bool(asked) == is_asked


def test_that_what_the_kernel_knows_of_a_large_part_whose_bounds_meet_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("another engine is asked")

    monkeypatch.setattr("awase.core.solvers.cover.bounds_by_search.engine_named", asked)
    (leaf,) = leaves(CoverProblem(needs=tuple(
        (frozenset({n}), frozenset({n + 1})) for n in range(299)
    )))  # fmt: skip
    bounds = bounds_of(leaf)
    assert bounds.lower == bounds.cover.bit_count() == 150
    found = solve_hard(leaf, bounds, 1_000, lambda _: None)
    assert (found.complete, found.n_covers) == (True, 151)


def test_that_27_points_of_a_steiner_system_are_settled_by_it() -> None:
    (leaf,) = leaves(steiner(27))
    found = compiled(leaf, bounds_of(leaf), Effort())
    assert (found.lower, found.complete, found.every) == (18, True, 0)
    assert found.possible.bit_count() == 27


@settings(deadline=None, max_examples=tries(100))
@given(problems, st.integers(0, 3))
def test_that_local_search_leaves_a_cover_and_never_a_larger_one(
    problem: CoverProblem, seed: int
) -> None:
    for leaf in leaves(problem):
        cover = bounds_of(leaf).cover
        found = smaller_cover(leaf, cover, 300, seed)
        assert all(any(mask & found == mask for mask in need) for need in leaf)
        assert minimal_size(leaf) <= found.bit_count() <= cover.bit_count()
        assert found == smaller_cover(leaf, cover, 300, seed)


def minimal_size(leaf: Component) -> int:
    return compiled(leaf, bounds_of(leaf), Effort(), 0).lower


@pytest.mark.parametrize(("n", "h"), in_part([(27, 18), (81, 61), (243, 198)]))
def test_that_local_search_meets_minimal_covers_of_steiner_systems(n: int, h: int) -> None:
    (leaf,) = leaves(steiner(n))
    start = bounds_of(leaf).cover
    assert start.bit_count() > h
    assert smaller_cover(leaf, start, 200_000).bit_count() == h


def test_that_without_the_kernel_local_search_leaves_the_cover() -> None:
    (leaf,) = leaves(steiner(27))
    start = bounds_of(leaf).cover
    with without_kernel():
        assert smaller_cover(leaf, start, 1_000) == start


def test_that_local_search_takes_nothing_but_a_cover() -> None:
    (leaf,) = leaves(steiner(9))
    with pytest.raises(KernelError):
        smaller_cover(leaf, 1, 1_000)


@settings(deadline=None, max_examples=tries(150))
@given(problems, st.sampled_from([1, 2, 1_000]))
def test_that_whole_problems_are_answered_alike_certificate_and_all(
    problem: CoverProblem, cap: int
) -> None:
    with_it = minimal_cover(problem, max_covers=cap)
    with without_kernel():
        slow = minimal_cover(problem, max_covers=cap)
    assert replace(with_it, cover=None) == replace(slow, cover=None)
    assert not slow.n_covers_exact or with_it == slow


@pytest.mark.parametrize("kind", in_part(KINDS))
def test_that_they_are_at_full_size(kind: str) -> None:
    for seed in range(3):
        problem = KINDS[kind](random.Random(seed), 1)
        with_it = minimal_cover(problem)
        with without_kernel():
            assert minimal_cover(problem) == with_it


@pytest.mark.slow
def test_that_they_are_at_ten_times_the_size() -> None:
    for seed in range(6):
        problem = KINDS["realistic"](random.Random(seed), 10)
        with_it = minimal_cover(problem)
        with without_kernel():
            assert minimal_cover(problem) == with_it


def test_that_parts_which_the_kernel_leaves_open_are_solved_by_others() -> None:
    chain = tuple((frozenset({n}), frozenset({n + 1})) for n in range(600))
    easy = ((frozenset({700, 701}), frozenset({702, 703})), (frozenset({801}),))
    problem = CoverProblem(needs=(*easy, *chain))
    found = minimal_cover(problem, max_covers=0)
    assert (found.h, found.status, found.n_covers) == (303, Status.FEASIBLE, None)
    assert verify(problem, found) == ()


@settings(deadline=None, max_examples=tries(150))
@given(problems)
def test_that_h_alone_is_the_size_of_a_minimal_cover(problem: CoverProblem) -> None:
    needs = [[[*one] for one in need] for need in problem.needs]
    answer = minimal_cover(replace(problem, forbidden=frozenset()))
    expected = None if answer.h is None else (answer.h, answer.h)
    assert cover_size(needs) == expected
    with without_kernel():
        assert cover_size(needs) == expected


@pytest.mark.parametrize("kind", in_part(KINDS))
def test_that_h_alone_is_found_at_full_size_with_search_or_without(kind: str) -> None:
    for seed in range(5):
        problem = KINDS[kind](random.Random(seed), 1)
        h = minimal_cover(problem).h
        masks = [[mask_of(one) for one in need] for need in problem.needs]
        assert cover_size(problem.needs) == (h, h)
        assert easy_size([(of, union_of(of)) for of in masks]) in (h, None)


def test_that_h_alone_is_found_of_parts_that_the_kernel_leaves_open() -> None:
    # A wheel: bounds do not meet, and there are more items than the kernel has bits for.
    n = 601
    needs = [[[item], [(item + 1) % n]] for item in range(n)]
    assert cover_size(needs) == (301, 301)
    with without_kernel():
        assert cover_size(needs) == (301, 301)


@pytest.mark.parametrize("items", [[], [-1], [65_536], [1 << 70]])
def test_that_h_alone_refuses_what_a_problem_refuses(items: list[int]) -> None:
    needs = [[[0]], [items]]
    with pytest.raises(ValueError, match=r"empty|must lie"):
        cover_size(needs)
    with without_kernel(), pytest.raises(ValueError, match=r"empty|must lie"):
        cover_size(needs)


@pytest.mark.parametrize(
    "numbers",
    [[], [1], [1, 1, 1, 1], [1, 2, 1, 1, 1, 0, 1], [1, 1, 2, 1, 0], [-1, 1, 0], [1, 1, 1, -1]],
)
def test_that_needs_in_one_array_are_refused_where_counts_do_not_fit(numbers: list[int]) -> None:
    library = kernel()
    assert library is not None
    for kind in "Bq":
        fine = array(kind, [1, 1, 1, 1, 0])
        row, width = fine.tobytes(), fine.itemsize
        assert library.cover_size(row, len(row), width, 9, 9, 9) == (1 << 32) + 1
        if kind == "q" or min(numbers, default=0) >= 0:
            broken = array(kind, numbers).tobytes()
            with pytest.raises(KernelError, match="status 1"):
                library.cover_size(broken, len(broken), width, 9, 9, 9)


@pytest.mark.parametrize(("n_bytes", "width"), [(15, 8), (16, 2), (16, 0)])
def test_that_bytes_which_are_no_row_of_numbers_are_refused(n_bytes: int, width: int) -> None:
    library = kernel()
    assert library is not None
    with pytest.raises(KernelError, match="status 1"):
        library.cover_size(bytes(n_bytes), n_bytes, width, 9, 9, 9)


def test_that_h_alone_is_found_of_few_sentences_and_of_many() -> None:
    for first in (0, 255 - 3, 255 - 2, 256, 65_535 - 2):
        needs = [[[first], [first + 1]], [[first + 1], [first + 2]], [[first], [first + 2]]]
        assert cover_size(needs) == (2, 2)


@pytest.mark.parametrize("with_it", [True, False])
def test_that_thousands_of_alternatives_of_one_need_are_settled_directly(
    monkeypatch, with_it: bool
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("MaxSAT is asked")

    monkeypatch.setattr("awase.core.solvers.cover.engines.maxsat.solve_by_maxsat", asked)
    need = tuple(frozenset({n, n + 1, 9_000}) for n in range(1_601))
    problem = CoverProblem(needs=(need, (frozenset({8_000, 8_001}), frozenset({8_002}))))
    with nullcontext() if with_it else without_kernel():
        answers = [
            minimal_cover(problem),
            minimal_cover(problem, max_covers=2_000),
            CoverSession().solve(problem),
        ]
        alone = minimal_cover(problem, max_covers=0)
    for answer, n, exact in zip(answers, (1_000, 1_601, 1_000), (False, True, False), strict=True):
        assert (answer.h, answer.n_covers, answer.n_covers_exact) == (4, n, exact)
        assert answer.cover == frozenset({0, 1, 8_002, 9_000})
        assert answer.in_every == {8_002, 9_000}
        assert answer.in_none == {8_000, 8_001}
    assert (alone.h, verify(problem, alone)) == (4, ())


@pytest.mark.slow
def test_that_45_points_are_settled_without_a_limit() -> None:
    assert minimal_cover(steiner(45), max_covers=0).h == 30


@pytest.mark.parametrize(
    ("items", "alternatives", "needs", "forbidden", "n_items", "limits"),
    [
        ([0, 1], [0, 1, 2], [0, 2], [2], 2, [9, 9, 9]),
        ([0, 2], [0, 1, 2], [0, 2], [0], 2, [9, 9, 9]),
        ([0, -1], [0, 1, 2], [0, 2], [], 2, [9, 9, 9]),
        ([0, 1], [0, 1, 3], [0, 2], [], 2, [9, 9, 9]),
        ([0, 1], [0, 1, 2], [0, 3], [], 2, [9, 9, 9]),
        ([0, 1], [0, 0, 2], [0, 2], [], 2, [9, 9, 9]),
        ([0, 1], [0, 1, 2], [], [], 2, [9, 9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [-1], 2, [9, 9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [], 3, [9, 9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [], 2, [9, 9]),
    ],
)
def test_that_a_problem_that_is_none_is_refused(
    items, alternatives, needs, forbidden, n_items, limits
) -> None:
    library = kernel()
    assert library is not None
    numbers = [array("q", one) for one in (items, alternatives, needs, forbidden)]
    sets, told = array("B", bytes(10)), array("q", bytes(8 * 10))
    with pytest.raises(KernelError):
        library.call(
            "awase_cover", *map(passed_numbers, numbers), n_items, 1,
            *map(passed_numbers, (array("q", limits), sets, told)),
        )  # fmt: skip

"""The kernel's search for minimal covers finds just those of the search in Python."""

import random
from array import array
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.cover_instances import KINDS, steiner
from tests.core.solvers.cover.cover_cases import problems, small_random
from tests.in_part import in_part
from tests.laws import tries

from awase.core.kernel.arrays import passed_numbers
from awase.core.kernel.binding import KernelError, kernel, without_kernel
from awase.core.solvers.cover.bounds_by_search import solve_reporting_bounds
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.component import Bounds, ComponentCover
from awase.core.solvers.cover.engines.compiled import solve_compiled
from awase.core.solvers.cover.engines.search import solve_by_search
from awase.core.solvers.cover.presolve import Component, mask_need, presolve, without_implied
from awase.core.solvers.cover.problem import CoverProblem
from awase.core.solvers.cover.proof import verify
from awase.core.solvers.cover.sizes import cover_size, easy_size
from awase.core.solvers.cover.solving import minimal_cover
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import mask_of, union_of
from awase.core.solvers.status import Status

pytestmark = pytest.mark.skipif(
    kernel() is None,
    reason="no compiled kernel here: tools/build_kernel.py builds it where cargo is",
)


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


def test_that_27_points_of_a_steiner_system_are_settled_by_it() -> None:
    (leaf,) = leaves(steiner(27))
    found = compiled(leaf, bounds_of(leaf), Effort())
    assert (found.lower, found.complete, found.every) == (18, True, 0)
    assert found.possible.bit_count() == 27


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
    fine, told = array("q", [1, 1, 1, 1, 0]), array("q", bytes(24))
    assert library.call("awase_cover_size", passed_numbers(fine), 9, 9, passed_numbers(told))
    assert told.tolist()[:2] == [1, 1]
    broken = array("q", numbers)
    with pytest.raises(KernelError):
        library.call("awase_cover_size", passed_numbers(broken), 9, 9, passed_numbers(told))


@pytest.mark.slow
def test_that_45_points_are_settled_without_a_limit() -> None:
    assert minimal_cover(steiner(45), max_covers=0).h == 30


@pytest.mark.parametrize(
    ("items", "alternatives", "needs", "forbidden", "n_items", "limits"),
    [
        ([0, 1], [0, 1, 2], [0, 2], [2], 2, [9, 9]),
        ([0, 2], [0, 1, 2], [0, 2], [0], 2, [9, 9]),
        ([0, -1], [0, 1, 2], [0, 2], [], 2, [9, 9]),
        ([0, 1], [0, 1, 3], [0, 2], [], 2, [9, 9]),
        ([0, 1], [0, 1, 2], [0, 3], [], 2, [9, 9]),
        ([0, 1], [0, 0, 2], [0, 2], [], 2, [9, 9]),
        ([0, 1], [0, 1, 2], [], [], 2, [9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [-1], 2, [9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [], 3, [9, 9]),
        ([0, 1], [0, 1, 2], [0, 2], [], 2, [9]),
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

"""The kernel's search for minimal covers finds just those of the search in Python."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.cover_instances import KINDS, steiner
from tests.core.solvers.cover.cover_cases import problems, small_random
from tests.in_part import in_part
from tests.laws import tries

from awase.core.kernel.arrays import passed
from awase.core.kernel.binding import KernelError, kernel, without_kernel
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.component import Bounds, ComponentCover
from awase.core.solvers.cover.engines.compiled import solve_compiled
from awase.core.solvers.cover.engines.search import solve_by_search
from awase.core.solvers.cover.presolve import Component, mask_need, presolve, without_implied
from awase.core.solvers.cover.problem import CoverProblem
from awase.core.solvers.cover.solving import minimal_cover
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import mask_of

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


@pytest.mark.parametrize("kind", ["uniform", "shared"])
def test_that_they_do_at_full_size(kind: str) -> None:
    problem = KINDS[kind](random.Random(9), 1)
    with_it = minimal_cover(problem)
    with without_kernel():
        assert minimal_cover(problem) == with_it


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
    assert solve_compiled(leaf, bounds_of(leaf), Effort(), 1) is None


def test_that_27_points_of_a_steiner_system_are_settled_by_it() -> None:
    (leaf,) = leaves(steiner(27))
    found = compiled(leaf, bounds_of(leaf), Effort())
    assert (found.lower, found.complete, found.every) == (18, True, 0)
    assert found.possible.bit_count() == 27


@pytest.mark.parametrize(
    ("items", "alternatives", "needs", "known", "n_items"),
    [
        ([0, 1], [0, 1, 2], [0, 2], [2], 2),
        ([0, 2], [0, 1, 2], [0, 2], [0], 2),
        ([0, -1], [0, 1, 2], [0, 2], [0], 2),
        ([0, 1], [0, 1, 3], [0, 2], [0], 2),
        ([0, 1], [0, 1, 2], [0, 3], [0], 2),
        ([0, 1], [0, 0, 2], [0, 2], [0], 2),
        ([0, 1], [0, 1, 2], [0, 0, 2], [0], 2),
        ([0, 1], [0, 1, 2], [0], [0], 2),
        ([0, 1], [0, 1, 2], [0, 2], [], 2),
        ([0, 1], [0, 1, 2], [0, 2], [0], 3),
    ],
)
def test_that_a_component_that_is_none_is_refused(
    items, alternatives, needs, known, n_items
) -> None:
    library = kernel()
    assert library is not None
    numbers = [np.array(one, np.int64) for one in (items, alternatives, needs, known)]
    sets, told = np.zeros(6, np.uint8), np.zeros(5, np.int64)
    with pytest.raises(KernelError):
        library.call(
            "awase_cover", *(passed(one, "int64") for one in numbers), n_items, 1, 100,
            passed(sets, "uint8"), passed(told, "int64"),
        )  # fmt: skip

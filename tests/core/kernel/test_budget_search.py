"""The kernel's search for oracles finds the sets of the integer program, ties included."""

import random

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.benchmarks.oracle_instances import rouge_2_instance
from tests.in_part import in_turn
from tests.kernels import needs_kernel
from tests.laws import law

from awase.core.kernel.binding import KernelError, kernel, passed
from awase.core.solvers.budget import BudgetProblem, length_of, value_of
from awase.core.solvers.budget_solving import (
    collect_compiled,
    optima_of,
    search_compiled,
    solve_budget,
)
from awase.core.solvers.cover import Status

pytestmark = needs_kernel

MANY = 1 << 40
N_FEATURES = 30
GAINS = st.dictionaries(st.integers(0, N_FEATURES - 1), st.sampled_from([1, 1, 1, 2]), max_size=6)


@st.composite
def larger_problems(draw: st.DrawFn) -> BudgetProblem:
    units = draw(st.lists(st.tuples(st.integers(2, 9), GAINS), min_size=10, max_size=24))
    caps = st.lists(st.sampled_from([1, 1, 2, 3]), min_size=N_FEATURES, max_size=N_FEATURES)
    return BudgetProblem(
        lengths=tuple(length for length, _ in units),
        gains=tuple(gains for _, gains in units),
        caps=tuple(draw(caps)),
        limit=draw(st.integers(5, 30)),
    )


@pytest.mark.slow
@law(15, larger_problems(), st.integers(0, 3_000), st.integers(0, 3_000))
def test_that_what_few_steps_find_is_a_set_with_bounds_that_hold(problem, steps, tie_steps):
    best = solve_budget(problem, engine="ilp")
    found = search_compiled(problem, steps, tie_steps)
    assert found is not None
    value = value_of(problem, found.chosen)
    assert length_of(problem, found.chosen) <= problem.limit
    assert value <= best.value <= found.upper
    assert not found.is_highest or value == best.value == found.upper
    assert not found.is_settled or (found.is_highest and found.chosen == best.chosen)


@pytest.mark.slow
@law(15, larger_problems(), st.sampled_from([1, 3, 20]))
def test_that_all_optimal_sets_are_those_of_the_integer_program(problem, cap):
    answer = solve_budget(problem)
    assert optima_of(problem, answer, max_optima=cap) == optima_of(
        problem, answer, max_optima=cap, engine="ilp"
    )


@pytest.mark.slow
def test_that_no_set_is_listed_twice_where_the_search_is_parted():
    for seed in range(8):
        problem = rouge_2_instance(random.Random(seed), "sentences", 250, 250)
        found = collect_compiled(problem, solve_budget(problem).value, MANY, 1_000)
        assert found is not None
        assert len({*found[0]}) == len(found[0])


def test_that_all_sets_without_the_one_that_is_known_are_a_defect(monkeypatch):
    problem = BudgetProblem(lengths=(1, 1), gains=({0: 1}, {0: 1}), caps=(1,), limit=1)
    answer = solve_budget(problem)
    monkeypatch.setattr(
        "awase.core.solvers.budget_solving.collect_compiled", lambda *_: ([(1,)], True)
    )
    with pytest.raises(RuntimeError, match=r"not among all of them: units \(0,\)"):
        optima_of(problem, answer)


@pytest.mark.slow
def test_that_few_steps_leave_ties_open():
    problem = rouge_2_instance(random.Random(1), "EDUs", 600, 100)
    found = collect_compiled(problem, solve_budget(problem).value, 100, 5)
    assert found is not None
    assert not found[1]


@in_turn("value", [0, -1, 3])
def test_that_ties_of_a_value_that_cannot_be_are_refused(value):
    problem = BudgetProblem(lengths=(1, 2), gains=({0: 1}, {0: 1, 1: 1}), caps=(1, 1), limit=2)
    with pytest.raises(KernelError):
        collect_compiled(problem, value, 9, 9)


@pytest.mark.parametrize(
    ("kind", "n_units", "limit"), [("sentences", 725, 250), ("EDUs", 1500, 250)]
)
@pytest.mark.slow
def test_that_ties_of_long_oracles_are_settled_without_being_asked_to(kind, n_units, limit):
    for seed in (1, 4):
        assert solve_budget(rouge_2_instance(random.Random(seed), kind, n_units, limit)).is_settled


def hard_problem() -> BudgetProblem:
    rng = np.random.default_rng(3)
    gains = [dict.fromkeys(rng.choice(60, 4, replace=False).tolist(), 1) for _ in range(150)]
    return BudgetProblem(
        lengths=tuple(rng.integers(5, 9, 150).tolist()), gains=gains, caps=(1,) * 60, limit=70
    )


def test_that_what_the_kernel_does_not_end_goes_to_the_integer_program():
    problem = hard_problem()
    found = search_compiled(problem, 100, 100)
    assert found is not None
    assert not found.is_highest
    answer = solve_budget(problem, time_limit_s=1e-5)
    assert answer.status is Status.TIMED_OUT
    assert answer.value <= answer.upper


@in_turn(
    ("starts", "features", "counts", "caps", "limit"),
    [
        ([0, 1], [0], [1], [1], 5),
        ([0, 1, 9], [0, 0], [1, 1], [1], 5),
        ([0, 1, 2], [0, 7], [1, 1], [1], 5),
        ([0, 1, 2], [0, -1], [1, 1], [1], 5),
        ([0, 1, 2], [0, 0], [1, 0], [1], 5),
        ([0, 1, 2], [0, 0], [1, 1], [0], 5),
        ([0, 1, 2], [0, 0], [1, 1], [1], -1),
        ([0, 1, 2], [0, 0], [1], [1], 5),
    ],
)
def test_that_a_problem_that_is_none_is_refused(starts, features, counts, caps, limit):
    library = kernel()
    assert library is not None
    arrays = [np.array(one, np.int64) for one in ([2, 2], starts, features, counts, caps)]
    steps, told = np.array([9, 9], np.int64), np.zeros(3, np.int64)
    chosen = np.zeros(2, np.uint8)
    with pytest.raises(KernelError):
        library.call(
            "awase_budget", *(passed(one, "int64") for one in arrays), limit,
            passed(steps, "int64"), passed(chosen, "uint8"), passed(told, "int64"),
        )  # fmt: skip


def test_that_a_table_too_large_is_left_to_python() -> None:
    # Two like features keep 300 units apart, whose table of 100,000 lengths would be too large.
    problem = BudgetProblem(
        lengths=tuple(range(1_000, 1_300)),
        gains=[{unit % 40: 1, 40 + unit % 37: 1} for unit in range(300)],
        caps=(2,) * 77,
        limit=90_000,
    )
    assert search_compiled(problem, 100, 100) is None

"""Budgeted coverage: every engine against every subset, and against each other."""

import math
import random
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.kernels import needs_kernel, without_kernel
from tests.laws import law
from tests.oracles import budget as brute

from awase.core.errors import Cancelled, EnvironmentProblem
from awase.core.solvers import ilp
from awase.core.solvers.budget import (
    RULES,
    BudgetProblem,
    Optima,
    greedy,
    irredundant,
    length_of,
    value_of,
    verified,
)
from awase.core.solvers.budget_solving import ENGINES, optima_of, solve_budget
from awase.core.solvers.cover import Status

N_FEATURES = 6
GAINS = st.dictionaries(st.integers(0, N_FEATURES - 1), st.integers(1, 3), max_size=4)
UNITS = st.lists(st.tuples(st.integers(1, 5), GAINS), max_size=8)


@st.composite
def problems(draw: st.DrawFn) -> BudgetProblem:
    units = draw(UNITS)
    return BudgetProblem(
        lengths=tuple(length for length, _ in units),
        gains=tuple(gains for _, gains in units),
        caps=tuple(draw(st.lists(st.integers(1, 3), min_size=N_FEATURES, max_size=N_FEATURES))),
        limit=draw(st.integers(0, 14)),
    )


def random_problem(rng: random.Random, n_units: int, n_features: int, limit: int) -> BudgetProblem:
    gains = [
        {rng.randrange(n_features): rng.choice((1, 1, 1, 2)) for _ in range(rng.randrange(7))}
        for _ in range(n_units)
    ]
    return BudgetProblem(
        lengths=tuple(rng.randint(3, 30) for _ in range(n_units)),
        gains=tuple(gains),
        caps=tuple(rng.choice((1, 1, 1, 2, 3)) for _ in range(n_features)),
        limit=limit,
    )


PROBLEM = BudgetProblem(lengths=(3, 3), gains=({0: 1}, {1: 1}), caps=(1, 1), limit=3)


BEHIND_GREEDY = BudgetProblem(
    lengths=(3, 5, 3, 5),
    gains=({0: 1, 1: 1}, {2: 1, 3: 1}, {0: 1, 1: 1, 2: 1}, {3: 1}),
    caps=(1,) * 4,
    limit=8,
)
"""Greedy by rate takes (1, 2), as good and as long as (0, 1)."""
ADDS_TO_ITS_LIKE = BudgetProblem(
    lengths=(1, 2, 4, 4, 4),
    gains=({0: 1, 1: 1}, {0: 1, 1: 1}, {0: 2}, {0: 2}, {0: 2}),
    caps=(2, 1),
    limit=4,
)
"""Unit 1 is longer than unit 0 and has nothing else, but feature 0 counts twice."""


@example(replace(PROBLEM, limit=2))  # nothing fits
@example(replace(PROBLEM, gains=({}, {})))
@example(BEHIND_GREEDY)
@example(ADDS_TO_ITS_LIKE)
@law(25, problems())
def test_that_the_best_set_is_that_of_all_subsets(problem):
    expected = brute.best(problem)
    for engine in ENGINES:
        answer = solve_budget(problem, engine=engine)
        assert (answer.status, answer.is_settled) == (Status.OPTIMAL, True)
        assert answer.chosen == expected
        assert (answer.value, answer.upper) == (brute.value(problem, expected),) * 2
    with without_kernel():
        assert solve_budget(problem).chosen == expected


@law(15, problems())
def test_that_all_optimal_sets_without_idle_units_are_found(problem):
    answer = solve_budget(problem)
    in_order = sorted(brute.optima(problem), key=lambda one: (length_of(problem, one), one))
    expected = Optima(sets=tuple(in_order), are_all=True)
    for engine in ENGINES:
        assert optima_of(problem, answer, engine=engine) == expected
    with without_kernel():
        assert optima_of(problem, answer) == expected


@pytest.mark.slow
def test_that_the_cap_is_kept_and_told() -> None:
    # Any 3 of 6 equal units: 20 optimal sets.
    problem = BudgetProblem(
        lengths=(2,) * 6, gains=tuple({f: 1} for f in range(6)), caps=(1,) * 6, limit=6
    )
    answer = solve_budget(problem)
    assert answer.chosen == (0, 1, 2)
    for engine in ENGINES:
        some = optima_of(problem, answer, max_optima=19, engine=engine)
        assert (some.sets, some.are_all) == (((0, 1, 2),), False)
        exactly = optima_of(problem, answer, max_optima=20, engine=engine)
        assert (len(exactly.sets), exactly.are_all) == (20, True)


@pytest.mark.parametrize("engine", ENGINES)
def test_that_many_ties_of_one_length_are_settled_unit_by_unit(engine):
    rng = random.Random(5)
    features = [*range(40)]
    rng.shuffle(features)
    problem = BudgetProblem(
        lengths=(3,) * 40, gains=tuple({f: 1} for f in features), caps=(1,) * 40, limit=59
    )
    answer = solve_budget(problem, engine=engine)
    assert (answer.chosen, answer.is_settled) == ((*range(19),), True)


@law(60, problems())
def test_that_greedy_keeps_the_limit_and_never_beats_the_best(problem):
    best = solve_budget(problem).value
    for rule in RULES:
        chosen = greedy(problem, rule)
        assert length_of(problem, chosen) <= problem.limit
        assert value_of(problem, chosen) <= best
        fitting = [
            unit
            for unit in range(len(problem.lengths))
            if unit not in chosen
            and problem.lengths[unit] <= problem.limit - length_of(problem, chosen)
        ]
        for unit in fitting:  # greedy stops only when nothing that fits adds anything
            assert value_of(problem, [*chosen, unit]) == value_of(problem, chosen)


def test_that_greedy_by_gain_and_by_rate_differ_as_they_should():
    problem = BudgetProblem(
        lengths=(10, 4, 5),
        gains=({0: 1, 1: 1, 2: 1}, {0: 1, 1: 1}, {2: 1, 3: 1}),
        caps=(1,) * 4,
        limit=10,
    )
    assert greedy(problem, "gain") == (0,)
    assert greedy(problem, "rate") == (1, 2)


@law(40, problems(), st.data())
def test_that_reducing_keeps_the_value_and_no_idle_unit(problem, data):
    units = st.lists(st.integers(0, max(0, len(problem.lengths) - 1)), unique=True)
    chosen = data.draw(units) if problem.lengths else []
    kept = irredundant(problem, chosen)
    assert {*kept} <= {*chosen}
    assert brute.value(problem, kept) == brute.value(problem, tuple(chosen))
    for unit in kept:
        rest = tuple(other for other in kept if other != unit)
        assert brute.value(problem, rest) < brute.value(problem, kept)


@in_turn(("chosen", "upper"), [((0, 1), 2), ((0, 0), 1), ((0,), 0)])
def test_that_a_wrong_answer_is_noticed(chosen, upper):
    with pytest.raises(RuntimeError, match="wrong"):
        verified(PROBLEM, Status.TIMED_OUT, chosen, upper)


def test_that_an_unproved_optimum_is_not_called_one():
    with pytest.raises(RuntimeError, match="claims"):
        verified(PROBLEM, Status.OPTIMAL, (0,), 2)
    with pytest.raises(ValueError, match="proved"):
        optima_of(PROBLEM, verified(PROBLEM, Status.TIMED_OUT, (0,), 2))


def test_that_the_integer_program_says_when_it_had_no_time():
    problem = random_problem(random.Random(3), 400, 200, 300)
    answer = solve_budget(problem, engine="ilp", time_limit_s=1e-5)
    assert answer.status is Status.TIMED_OUT
    assert not answer.is_settled
    assert answer.value <= answer.upper


@needs_kernel
@pytest.mark.parametrize("bound", [math.inf, 0.0])
def test_that_the_integer_program_goes_on_from_what_the_kernel_found(monkeypatch, bound):
    problem = random_problem(random.Random(3), 400, 200, 300)
    monkeypatch.setattr(ilp.Program, "maximise", lambda *_: (Status.TIMED_OUT, bound))
    known = solve_budget(problem, time_limit_s=1e-5)
    assert known.value > max(value_of(problem, greedy(problem, rule)) for rule in RULES)
    assert (known.upper > known.value) == (bound > 0)


def test_that_a_better_set_counts_though_it_is_not_proved_and_no_list_of_ties_is_cut_short(
    monkeypatch,
):
    problem = BudgetProblem(
        lengths=(6, 5, 5),
        gains=(dict.fromkeys(range(4), 1), {0: 1, 1: 1, 4: 1}, {2: 1, 3: 1, 5: 1}),
        caps=(1,) * 6,
        limit=10,
    )
    proved, maximise = solve_budget(problem), ilp.Program.maximise
    monkeypatch.setattr(ilp.Program, "maximise", lambda *a: (Status.FEASIBLE, maximise(*a)[1] + 3))
    answer = solve_budget(problem, engine="ilp")
    assert (answer.chosen, answer.status) == ((1, 2), Status.TIMED_OUT)
    assert optima_of(problem, proved, engine="ilp") == Optima(sets=((1, 2),), are_all=False)


def test_that_a_cbc_that_goes_on_for_too_long_is_ended(tmp_path, monkeypatch):
    path = tmp_path / "cbc"
    path.write_text("#!/bin/sh\nexec sleep 100\n")
    path.chmod(0o755)
    program = ilp.Program(time_limit_s=1)
    monkeypatch.setattr(ilp, "cbc_path", lambda: str(path))
    monkeypatch.setattr(ilp, "monotonic", lambda: math.inf)
    assert program.maximise(program.binary() + 0) == (Status.TIMED_OUT, math.inf)


@pytest.mark.slow
def test_that_a_limit_of_time_leaves_a_bound_and_cancelling_leaves_nothing():
    problem = random_problem(random.Random(3), 1_500, 400, 1_000)
    answer = solve_budget(problem, time_limit_s=1e-5)
    assert answer.status is Status.TIMED_OUT
    assert answer.value <= answer.upper
    assert length_of(problem, answer.chosen) <= problem.limit
    n_calls = 0

    def cancel(_value: int, _upper: int) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        solve_budget(problem, on_news=cancel)


@pytest.mark.slow
def test_that_engines_agree():
    rng = random.Random(42)
    for _ in range(500):
        problem = random_problem(rng, rng.randint(5, 120), rng.randint(5, 60), rng.randint(5, 200))
        ours = solve_budget(problem)
        assert ours.is_settled
        assert ours == solve_budget(problem, engine="ilp")


_KILLED = """
import sys
from awase.core.solvers import ilp
ilp.cbc_path = lambda: sys.argv[1]
program = ilp.Program()
program.maximise(program.binary() + 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("setpriv"), reason="only Linux ends CBC with us")
def test_that_cbc_ends_when_whoever_started_it_is_killed(tmp_path):
    cbc, told = tmp_path / "cbc", tmp_path / "pid"
    cbc.write_text(f"#!/bin/sh\necho $$ > {told}.new; mv {told}.new {told}; exec sleep 100\n")
    cbc.chmod(0o755)
    parent = subprocess.Popen([sys.executable, "-c", _KILLED, str(cbc)])
    _until(told.exists)
    parent.kill()
    parent.wait()
    state = Path(f"/proc/{int(told.read_text())}/stat")
    _until(lambda: not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z")


def _until(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("cbc", "told"),
    [
        ("echo no licence", "status 3: no licence"),
        (None, "No such file"),
        ("echo $*", r"-timeMode elapsed -sec \d+\.\d{3} -solve"),
    ],
)
def test_that_a_cbc_that_fails_is_an_error_and_no_late_answer(tmp_path, monkeypatch, cbc, told):
    path = tmp_path / "cbc"
    if cbc is not None:
        path.write_text(f"#!/bin/sh\n{cbc}; exit 3\n")
        path.chmod(0o755)
    monkeypatch.setattr(ilp, "cbc_path", lambda: str(path))
    program = ilp.Program(time_limit_s=100)
    with pytest.raises(EnvironmentProblem, match=told):
        program.maximise(program.binary() + 0)


def test_that_a_program_that_nothing_satisfies_is_told_as_such():
    program = ilp.Program()
    one, other = program.binary(), program.binary()
    program.require(one + other >= 1)
    program.require(one + other <= 0)
    assert program.maximise(one + other)[0] is Status.INFEASIBLE

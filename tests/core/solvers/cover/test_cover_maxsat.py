"""The MaxSAT engine, its library's inner workings, and the certificates that answers carry."""

import gc
import math
import random
import threading
from dataclasses import replace
from importlib.metadata import version
from itertools import combinations

import pytest
from tests.benchmarks.cover_instances import KINDS
from tests.core.solvers.cover.cover_cases import TABLE_1
from tests.in_part import in_turn
from tests.oracles.cover_verification import verify

from awase.core.solvers.cover import (
    Certificate,
    CertificateStep,
    Effort,
    EffortSpent,
    StoppableEffort,
    bounds_of,
    mask_need,
    presolve,
)
from awase.core.solvers.cover_maxsat import LimitedRC2, encode, solve_by_maxsat
from awase.core.solvers.cover_solving import minimal_cover


def test_that_the_readable_certificate_proves_table_1_alone():
    certificate = minimal_cover(TABLE_1).certificate
    assert certificate.lower >= 5
    assert certificate.forced == {3, 5, 6}


@in_turn(
    ("change", "told"),
    [
        ({"forbidden": frozenset({1})}, "forbidden"),
        ({"forbidden": frozenset({3}), "conflict": (1,)}, "there is none"),
        ({"cover": frozenset({1, 3, 5, 6, 21})}, "unmet"),
        ({"upper": 7}, "size"),
        ({"lower": 7}, "above"),
        ({"conflict": (0,)}, "conflict"),
        ({"in_every": frozenset({30})}, "lacks"),
        ({"in_none": frozenset({1})}, "in no minimal"),
        ({"cover": None}, "no cover is given"),
        ({"certificate": Certificate(forced=frozenset({1}), steps=())}, "forced"),
        (
            {
                "certificate": Certificate(
                    forced=frozenset(), steps=(CertificateStep(need=0, n_items=2),)
                )
            },
            "need 0 asks for 1",
        ),
        ({"lower": 1}, "certificate proves more"),
    ],
)
def test_that_a_wrong_answer_is_found_out(change, told):
    other = replace(TABLE_1, forbidden=change.get("forbidden", frozenset()))
    answer = {name: value for name, value in change.items() if name != "forbidden"}
    wrong = verify(other, replace(minimal_cover(TABLE_1), **answer))
    assert any(told in one for one in wrong)


RING = tuple(sorted(((1 << n), (1 << ((n + 1) % 7))) for n in range(7)))
ITEMS = list(range(7))


def test_that_python_sat_is_the_version_whose_internals_are_used():
    assert version("python-sat") == "1.9.dev17"


def test_that_after_compute_the_assumptions_admit_just_the_minimal_covers():
    with LimitedRC2(encode(RING, ITEMS), Effort()) as rc2:
        rc2.compute()
        assert rc2.cost == 4
        assert [rc2.vmap.e2i[v] for v in range(1, 8)] == list(range(1, 8))
        for chosen in combinations(range(1, 8), 4):
            literals = [v if v in chosen else -v for v in range(1, 8)]
            holds = all(n in chosen or (n % 7) + 1 in chosen for n in range(1, 8))
            assert rc2.oracle.solve(assumptions=rc2.sels + rc2.sums + literals) == holds
        for size in (0, 1, 2, 3, 5, 6, 7):
            for chosen in combinations(range(1, 8), size):
                literals = [v if v in chosen else -v for v in range(1, 8)]
                assert not rc2.oracle.solve(assumptions=rc2.sels + rc2.sums + literals)


def test_that_the_lower_bound_grows_core_by_core():
    news = []
    bounds = bounds_of(RING)
    result = solve_by_maxsat(RING, bounds, Effort(), 1000, news.append)
    lowers = [known.lower for known in news]
    assert lowers == sorted(lowers)
    assert lowers[-1] == result.lower == news[-1].cover.bit_count() == 4
    assert result.n_covers == 7
    assert len(news) == result.lower + 1  # a core each, then the cover before the others
    for steps in range(100, 700, 40):
        news.clear()
        stopped = solve_by_maxsat(RING, bounds, Effort(steps), 1000, news.append)
        told = max((known.lower for known in news), default=bounds.lower)
        assert (stopped.lower, stopped.complete) == (told, False)
        assert told <= result.lower


def test_that_every_call_of_the_sat_solver_is_paid_for(monkeypatch):
    calls = []
    effort = Effort(1e9)
    with LimitedRC2(encode(RING, ITEMS), effort) as rc2:
        solve = rc2.oracle.solve_limited
        monkeypatch.setattr(
            rc2.oracle, "solve_limited", lambda *a, **k: calls.append(k) or solve(*a, **k)
        )
        monkeypatch.delattr(type(rc2.oracle), "solve")
        rc2.compute()
    assert len(calls) >= 2
    assert effort.left < 1e9


def test_that_a_sat_solver_that_gives_up_ends_the_search(monkeypatch):
    with LimitedRC2(encode(RING, ITEMS), Effort(1000)) as rc2:
        monkeypatch.setattr(rc2.oracle, "solve_limited", lambda **_: None)
        with pytest.raises(EffortSpent):
            rc2.compute()
        assert rc2.cost == 0


@pytest.mark.parametrize("stops_first", [False, True])
def test_that_another_thread_may_stop_it(stops_first):
    one = KINDS["shared"](random.Random(1), 10)
    leaf = max(presolve([mask_need(need) for need in one.needs]).components, key=len)
    bounds, effort = bounds_of(leaf), StoppableEffort()
    if stops_first:
        effort.stop()
    stopping = threading.Thread(target=effort.stop)
    answer = solve_by_maxsat(leaf, bounds, effort, 1000, lambda _: stopping.start())
    assert (answer.complete, answer.lower > bounds.lower) == (False, False)
    assert stopping.ident is None or not stopping.join()


@pytest.mark.slow
def test_that_a_problem_leaves_no_cycles_behind():
    one = KINDS["shared"](random.Random(7), 1)
    minimal_cover(one, engine="maxsat")
    gc.collect()
    gc.disable()
    try:
        minimal_cover(one, engine="maxsat")
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_that_no_limit_is_no_limit():
    effort = Effort()
    effort.spend(1e12)
    assert math.isinf(effort.left)
    with pytest.raises(EffortSpent):
        Effort(1).spend(2)

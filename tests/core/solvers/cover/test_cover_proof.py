import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.benchmarks.cover_instances import KINDS
from tests.core.solvers.cover.cover_cases import TABLE_1, problem, problems
from tests.in_part import in_turn
from tests.laws import tries
from tests.oracles.cover_proofs import proof_is_valid, refutes
from tests.oracles.cover_verification import at_most, prove, prove_component, verify

from awase.core.solvers.cover import Bounds, Certificate, CertificateStep
from awase.core.solvers.cover_component import unsolved
from awase.core.solvers.cover_solving import minimal_cover


@pytest.mark.slow
@given(one=problems)
@settings(deadline=None, max_examples=tries(60))
def test_that_a_proof_passes_an_independent_checker_and_proves_h(one):
    proof, result = prove(one), minimal_cover(one)
    if result.conflict:
        assert proof is None
    else:
        assert proof.lower == result.h
        assert proof_is_valid(one, proof)


def test_that_full_size_instances_are_proved():
    for kind in ("realistic", "shared"):
        one = KINDS[kind](random.Random(2), 1)
        proof = prove(one)
        assert proof.lower == minimal_cover(one).h
        assert all(part.lines[-1] == "0" for part in proof.components)


def test_that_a_hard_proof_is_given_up():
    assert prove(KINDS["uniform"](random.Random(7), 1), max_conflicts=50) is None


def test_that_the_checker_refuses_a_proof_that_skips_steps():
    clauses = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    assert refutes(clauses, ["1 0", "0"])
    assert not refutes(clauses, ["0"])
    assert not refutes(clauses[:3], ["1 0", "0"])


def test_that_what_was_known_outlives_the_clause_that_it_came_of():
    assert refutes([(1,), (-1, 2), (-2, 3), (-2, -3)], ["d -1 2 0", "0"])
    assert not refutes([(-1, 2), (-2, 3)], ["d -1 2 0", "0"])


def test_that_a_proof_for_a_tighter_bound_than_claimed_is_refused():
    one = problem([{1}, {2}], [{2}, {3}], [{1}, {3}])
    proof = prove(one)
    (part,) = proof.components
    assert proof_is_valid(one, proof)
    stretched = replace(part, bound=part.bound + 1)
    assert not proof_is_valid(one, replace(proof, components=(stretched,)))


@in_turn("bound", range(4))
def test_that_the_counter_admits_just_so_many(bound):
    for bits in range(16):
        units = [(v if bits >> (v - 1) & 1 else -v,) for v in range(1, 5)]
        admitted = not refutes([*at_most(bound, 4, 4), *units], [])
        assert admitted == (bits.bit_count() <= bound)


def test_that_the_readable_certificate_proves_table_1_alone():
    certificate = minimal_cover(TABLE_1).certificate
    assert certificate.lower >= 5
    assert certificate.forced == {3, 5, 6}


@in_turn(
    ("change", "told"),
    [
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
    wrong = verify(TABLE_1, replace(minimal_cover(TABLE_1), **change))
    assert any(told in one for one in wrong)


def test_that_a_forbidden_item_in_a_cover_is_found_out():
    one = replace(TABLE_1, forbidden=frozenset({1}))
    assert any("forbidden" in fault for fault in verify(one, minimal_cover(TABLE_1)))


def test_that_a_cover_given_where_there_is_none_is_found_out():
    one = replace(TABLE_1, forbidden=frozenset({3}))
    result = replace(minimal_cover(TABLE_1), conflict=(1,))
    assert any("there is none" in fault for fault in verify(one, result))


def test_that_no_proof_is_found_for_a_false_claim():
    need = (0b01, 0b10)
    false = unsolved(Bounds(0b11, (), 0b11), 2)
    with pytest.raises(RuntimeError, match="not"):
        prove_component((need,), false, (0,), 100)

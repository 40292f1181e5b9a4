"""Damage, kills and power cuts in small; `make proof-damage` and its like try thousands."""

import os
import random

import pytest

from tests.proofs import damage, kills, power_cuts
from tests.proofs.recorded_disk import NotWatchable, Step, left_by_a_cut

needs_a_library = pytest.mark.skipif(
    os.name != "posix", reason="Python's SQLite is not a library of its own on Windows"
)


def cuts(n_cuts: int, *, n_actions: int) -> int:
    try:
        return power_cuts.run(n_cuts, n_actions=n_actions).total()
    except NotWatchable:
        pytest.skip("Python's SQLite is not a library of its own here")


@pytest.mark.slow
def test_that_damage_at_a_thousand_places_is_refused_named_or_harmless():
    counts = damage.run(1000)
    assert counts.total() == 1000
    assert min(counts["refused"], counts["named"], counts["whole"]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("number", [80, 606, 3201])
def test_that_damage_that_once_went_unseen_is_told(number):
    """A page of an index in the place of another: rows that are there were not found.

    A log that was damaged while work went on. The tables of topics and of the log, exchanged: what
    lacked digests was not looked at.
    """
    (outcome,) = damage.run(1, first=number)
    assert outcome in ("named", "refused") or number == 606


@pytest.mark.slow
def test_that_whatever_is_killed_leaves_what_was_confirmed():
    assert kills.run(100, seed=2).total() == 100


@needs_a_library
@pytest.mark.slow
def test_that_a_power_cut_anywhere_leaves_what_was_confirmed():
    assert cuts(150, n_actions=200) == 150


def test_that_a_proof_can_be_made_again():
    content = bytes(range(256)) * 100
    assert damage.damaged(content, random.Random(7)) == damage.damaged(content, random.Random(7))


BEFORE = {"/f": b"a" * 1024}


def outcomes(*steps: Step) -> set[bytes | None]:
    return {left_by_a_cut(BEFORE, steps, random.Random(n)).get("/f") for n in range(60)}


def write(byte: bytes, offset: int = 0, n_bytes: int = 1024) -> Step:
    return Step(kind="write", path="/f", offset=offset, data=byte * n_bytes)


SYNC = Step(kind="sync", path="/f")


def test_that_what_was_synced_is_there():
    assert outcomes(write(b"b"), SYNC) == {b"b" * 1024}


def test_that_each_sector_of_what_was_not_synced_may_be_lost():
    half = b"a" * 512, b"b" * 512
    assert outcomes(write(b"b")) == {
        half[0] + half[0], half[0] + half[1], half[1] + half[0], half[1] + half[1],
    }  # fmt: skip


def test_that_the_sync_of_one_file_says_nothing_of_another():
    other = Step(kind="sync", path="/g")
    assert len(outcomes(write(b"b"), other)) == 4


def test_that_what_follows_a_sync_may_be_lost_and_what_is_before_it_not():
    assert outcomes(write(b"b"), SYNC, write(b"c", n_bytes=512)) == {
        b"b" * 1024, b"c" * 512 + b"b" * 512,
    }  # fmt: skip


def test_that_a_deletion_may_come_or_not():
    assert outcomes(Step(kind="delete", path="/f")) == {None, b"a" * 1024}


def test_that_a_file_made_anew_and_synced_has_nothing_of_the_old_one():
    assert outcomes(Step(kind="delete", path="/f"), write(b"b", n_bytes=3), SYNC) == {b"bbb"}

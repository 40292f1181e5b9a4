"""Damage, kills and power cuts in small; `make proof-damage` and its like try thousands."""

import os
import random

import pytest

from tests.in_part import in_part
from tests.proofs import damage, kills, power_cuts
from tests.proofs.recorded_disk import NotWatchable

needs_a_library = pytest.mark.skipif(
    os.name != "posix", reason="Python's SQLite is not a library of its own on Windows"
)


def cuts(n_cuts: int, *, n_actions: int) -> int:
    try:
        return power_cuts.run(n_cuts, n_actions=n_actions).total()
    except NotWatchable:
        pytest.skip("Python's SQLite is not a library of its own here")


@pytest.mark.slow
def test_that_damage_is_refused_named_or_harmless():
    counts = damage.run(16)
    assert counts.total() == 16
    assert counts["refused"] > 4


@pytest.mark.slow
def test_that_damage_at_a_thousand_places_is_refused_named_or_harmless():
    counts = damage.run(1000)
    assert counts.total() == 1000
    assert min(counts["refused"], counts["named"], counts["whole"]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("number", in_part([80, 3201]))
def test_that_damage_that_once_went_unseen_is_told(number):
    """A page of an index in the place of another: rows that are there were not found.

    The tables of topics and of the log, exchanged: what lacked digests was not looked at.
    """
    assert damage.run(1, first=number) in ({"named": 1}, {"refused": 1})


@pytest.mark.slow
def test_that_a_damaged_log_is_told_when_work_goes_on():
    assert damage.run(1, first=606).total() == 1


@pytest.mark.slow
def test_that_whatever_is_killed_leaves_what_was_confirmed():
    assert kills.run(len(kills.KILLS)).total() == len(kills.KILLS)


@pytest.mark.slow
def test_that_whatever_is_killed_leaves_what_was_confirmed_a_hundred_times():
    assert kills.run(100, seed=2).total() == 100


@pytest.mark.slow
@needs_a_library
def test_that_a_power_cut_leaves_what_was_confirmed():
    assert cuts(8, n_actions=30) == 8


@needs_a_library
@pytest.mark.slow
def test_that_a_power_cut_anywhere_leaves_what_was_confirmed():
    assert cuts(150, n_actions=200) == 150


def test_that_a_proof_can_be_made_again():
    content = bytes(range(256)) * 100
    assert damage.damaged(content, random.Random(7)) == damage.damaged(content, random.Random(7))

"""What the model of a power cut lets go, and what it must keep."""

import random

from tests.proofs.recorded_disk import Step, left_by_a_cut

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

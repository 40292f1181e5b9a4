"""What is put aside on the disk comes back as it was."""

import errno
from io import BytesIO
from typing import Any

import pytest

from awase.core.errors import EnvironmentProblem
from awase.jobs.files.on_disk import BlocksOnDisk, blocks_on_disk


def test_that_blocks_on_disk_are_what_was_put_there() -> None:
    with blocks_on_disk() as blocks:
        pieces = [b"one", b"", b"three" * 1000]
        for piece in pieces:
            blocks.append(piece)
        assert (len(blocks), blocks[2], blocks[0]) == (3, pieces[2], b"one")
        blocks.append(b"more")
        assert [blocks[at] for at in range(4)] == [*pieces, b"more"]


def test_that_a_full_disk_is_told_when_blocks_are_put_there() -> None:
    class Full(BytesIO):
        def write(self, _block: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(EnvironmentProblem, match=r"cannot be written \(No space left"):
        BlocksOnDisk(Full()).append(b"x")

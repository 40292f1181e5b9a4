"""What is put aside on the disk comes back as it was."""

import errno
import tempfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from awase.core.errors import EnvironmentProblem
from awase.jobs.files.on_disk import BlocksOnDisk, blocks_on_disk, put_aside


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


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Returns every temporary file that is made."""
    made: list[Any] = []
    make = tempfile.TemporaryFile

    def note() -> Any:
        made.append(make())
        return made[-1]

    monkeypatch.setattr("awase.jobs.files.on_disk.tempfile.TemporaryFile", note)
    return made


def test_that_records_that_are_put_aside_are_in_a_file_that_goes_with_them(
    files: list[Any],
) -> None:
    records = [(n, str(n)) for n in range(7)]
    aside = put_aside(iter(records), at_once=3)
    assert (len(aside), aside[1], [*aside], [*aside]) == (7, records[1], records, records)
    (file,) = files
    assert file.tell() > 0
    del aside
    assert file.closed


def test_that_nothing_is_left_of_records_that_were_not_all_made(files: list[Any]) -> None:
    def broken() -> Iterator[int]:
        yield from range(5)
        raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        put_aside(broken(), at_once=2)
    assert [file.closed for file in files] == [True]

"""What is put aside on the disk until it is known whether it is wanted."""

import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from awase.core.packed_sequence import PackedSequence
from awase.jobs.files.writing import not_writable

_Record = TypeVar("_Record")


class BlocksOnDisk:
    """Pieces of bytes in a file, one behind the other; see `PackedSequence`."""

    def __init__(self, file: BinaryIO) -> None:
        """Writes into an empty file."""
        self._file = file
        self._ends = [0]

    def append(self, block: bytes) -> None:
        """Puts a piece behind the others.

        Raises:
            EnvironmentProblem: There is no room.
        """
        try:
            self._file.seek(self._ends[-1])
            self._file.write(block)
            self._file.flush()
        except OSError as error:
            raise not_writable(Path(tempfile.gettempdir()), error) from error
        self._ends.append(self._ends[-1] + len(block))

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: int) -> bytes:
        self._file.seek(self._ends[at])
        return self._file.read(self._ends[at + 1] - self._ends[at])


def unnamed_blocks() -> BlocksOnDisk:
    """Returns an empty file for pieces of bytes, which nobody else sees and which goes when closed.

    Raises:
        EnvironmentProblem: It cannot be made.
    """
    try:
        return BlocksOnDisk(tempfile.TemporaryFile())
    except OSError as error:
        raise not_writable(Path(tempfile.gettempdir()), error) from error


@contextmanager
def blocks_on_disk() -> Iterator[BlocksOnDisk]:
    """Gives what `unnamed_blocks` returns, and closes it afterwards.

    Raises:
        EnvironmentProblem: It cannot be made.
    """
    with closing(unnamed_blocks()) as blocks:
        yield blocks


def put_aside(records: Iterable[_Record], *, at_once: int) -> PackedSequence[_Record]:
    """Returns records of which there may be more than memory holds, the last few in memory.

    The file goes when nobody has them any more.

    Args:
        records: What they consist of can be pickled.
        at_once: How many are packed together.

    Raises:
        EnvironmentProblem: There is no room for them.
    """
    blocks = unnamed_blocks()
    aside = PackedSequence[_Record](at_once=at_once, blocks=blocks)
    weakref.finalize(aside, blocks.close)
    for record in records:
        aside.append(record)
    return aside

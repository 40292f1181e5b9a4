"""Very many records in few bytes, for what is found of a corpus that is larger than the memory."""

import pickle
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol, TypeVar

from awase.core.made_sequence import MadeSequence

_Record = TypeVar("_Record")
_AT_ONCE: Final = 4096


class Blocks(Protocol):
    """Where bytes are kept, one piece behind the other: a list of them is in memory."""

    def append(self, block: bytes, /) -> None: ...  # noqa: D102
    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> bytes: ...


class PackedSequence(MadeSequence[_Record]):
    """A sequence that grows; all but its last records are packed, and unpacked when asked for.

    What is unpacked is equal to what was put in, and not the same object.
    """

    def __init__(
        self,
        records: Iterable[_Record] = (),
        *,
        at_once: int = _AT_ONCE,
        blocks: Blocks | None = None,
    ) -> None:
        """Holds the records.

        Args:
            records: The first ones.
            at_once: How many are packed together.
            blocks: Where they are when they are packed, empty; None = in memory.
        """
        self._at_once = at_once
        self._packed: Blocks = [] if blocks is None else blocks
        self._last: list[_Record] = []
        self._unpacked: tuple[int, list[_Record]] = (-1, [])
        for record in records:
            self.append(record)

    def append(self, record: _Record) -> None:
        """Puts a record behind the others; what it consists of can be pickled."""
        self._last.append(record)
        if len(self._last) == self._at_once:
            self._packed.append(zlib.compress(pickle.dumps(self._last, 5), 1))
            self._last = []

    def __len__(self) -> int:
        return len(self._packed) * self._at_once + len(self._last)

    def __iter__(self) -> Iterator[_Record]:
        for at in range(len(self._packed)):
            yield from self._block(at)
        yield from self._last

    def item(self, at: int) -> _Record:
        """Returns the record at a place."""
        block, within = divmod(at, self._at_once)
        if block == len(self._packed):
            return self._last[within]
        if self._unpacked[0] != block:
            self._unpacked = (block, self._block(block))
        return self._unpacked[1][within]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} records)"

    def _block(self, at: int) -> list[_Record]:
        records: list[_Record] = pickle.loads(zlib.decompress(self._packed[at]))  # made above
        return records


class PackedMapping(Mapping[str, _Record]):
    """Names to records, which are packed; quick for whoever asks in the order of the names."""

    def __init__(self, *, at_once: int = _AT_ONCE) -> None:
        """Holds nothing yet; so many records as `at_once` are packed together."""
        self._places: dict[str, int] = {}
        self._records = PackedSequence[_Record](at_once=at_once)

    def add(self, name: str, record: _Record) -> None:
        """Puts a record behind the others; another of its name is forgotten, and keeps its room."""
        self._places[name] = len(self._records)
        self._records.append(record)

    def __getitem__(self, name: str) -> _Record:
        return self._records[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

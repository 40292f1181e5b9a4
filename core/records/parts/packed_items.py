"""Parts of an edit, packed: what an edit of 100,000 topics holds fits the memory.

They stand where a tuple of parts stands: whoever goes through them need not know.
"""

import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from awase.core.made_sequence import MadeSequence

_Item = TypeVar("_Item")
_Part = TypeVar("_Part")

AT_ONCE: Final = 100
"""So many are packed, and unpacked, together."""


class PackedItems(MadeSequence[_Item]):
    """Items that are held as compressed JSON; a few at a time are records."""

    def __init__(
        self, names: Sequence[str], portions: Sequence[bytes], at_once: int,
        read: Callable[[str], Sequence[_Item]],
    ) -> None:  # fmt: skip
        """Takes what a `Packer` made.

        Args:
            names: Of all items, in their order: the topic that each is about.
            portions: Each of `at_once` of them, but the last: JSON with commas between, packed.
            at_once: How many are packed together.
            read: Returns the items of a JSON list.
        """
        self.names: Final = names
        self._portions = portions
        self._at_once = at_once
        self._read = read
        self._last: tuple[int, Sequence[_Item]] = -1, ()

    def __len__(self) -> int:
        return len(self.names)

    def item(self, at: int) -> _Item:
        """Returns the item at a place."""
        portion, items = self._last
        if portion != at // self._at_once:
            portion = at // self._at_once
            items = self._read(f"[{_unpacked(self._portions[portion])}]")
            self._last = portion, items
        return items[at % self._at_once]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedItems) and self._at_once == other._at_once:
            return self.names == other.names and self._portions == other._portions
        return super().__eq__(other)

    __hash__ = None  # as for every collection that is compared

    def texts(self) -> Iterator[str]:
        """Yields the JSON of the items, with commas between them, a portion at a time."""
        return map(_unpacked, self._portions)


class Packer(Generic[_Item]):
    """Packs items as they come."""

    def __init__(self, read: Callable[[str], Sequence[_Item]]) -> None:
        self._read = read
        self._at_once = AT_ONCE
        self._names: list[str] = []
        self._portions: list[bytes] = []
        self._open: list[str] = []

    def take(self, name: str, text: str) -> None:
        """Takes the JSON of an item, which is about the topic `name`."""
        self._names.append(name)
        self._open.append(text)
        if len(self._open) == self._at_once:
            self._close()

    def packed(self) -> PackedItems[_Item]:
        """Returns what was taken; nothing more is, then."""
        if self._open:
            self._close()
        return PackedItems(self._names, self._portions, self._at_once, self._read)

    def _close(self) -> None:
        self._portions.append(zlib.compress(",".join(self._open).encode("utf-8"), 1))
        self._open.clear()


def _unpacked(portion: bytes) -> str:
    return zlib.decompress(portion).decode("utf-8")


class _ByName(Mapping[str, _Part]):
    """The second half of packed pairs, by what they are about."""

    def __init__(self, items: PackedItems[tuple[Any, _Part]]) -> None:  # Any: nobody asks for it
        self._items = items
        self._at = {name: at for at, name in enumerate(items.names)}

    def __getitem__(self, name: str) -> _Part:
        return self._items[self._at[name]][1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def __contains__(self, name: object) -> bool:
        return name in self._at


def parts_by_name(
    items: Sequence[tuple[Any, _Part]],  # Any: nobody asks for it
    name: Callable[[tuple[Any, _Part]], str],
) -> Mapping[str, _Part]:
    """Returns the second half of pairs by what they are about; packed ones stay packed.

    Args:
        items: The pairs.
        name: Tells what one is about.
    """
    if isinstance(items, PackedItems):
        return _ByName(items)
    return {name(item): item[1] for item in items}


def names_of(items: Sequence[_Item], name: Callable[[_Item], str]) -> Collection[str]:
    """Returns what the items are about, without unpacking any."""
    return items.names if isinstance(items, PackedItems) else [*map(name, items)]

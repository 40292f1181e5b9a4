"""Sequences whose items are made when they are asked for, and stand where a tuple stands."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

_Item = TypeVar("_Item", covariant=True)


class MadeSequence(Sequence[_Item]):
    """A sequence that tells how long it is, and makes the item at a place."""

    @abstractmethod
    def item(self, at: int) -> _Item:
        """Returns what stands at a place, from 0; there is one."""

    @overload
    def __getitem__(self, at: int) -> _Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[_Item, ...]: ...
    def __getitem__(self, at: int | slice) -> _Item | tuple[_Item, ...]:
        places = range(len(self))[at]
        return self.item(places) if isinstance(places, int) else tuple(map(self.item, places))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for every collection that is compared

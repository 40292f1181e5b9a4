"""Versions of entries that are read when they are asked for, a few hundred topics at a time."""

from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, Sequence
from typing import Final

from awase.core.records.edits.ownership import EntryKey, EntryVersion, Versions

ReadVersions = Callable[[Sequence[str]], Versions]
"""Returns the versions of all entries in some topics, by the topics' ids."""
Portions = Callable[[], Iterable[Versions]]
"""Gives the versions of all entries, each in one portion alone, anew each time."""

TOPICS_AT_ONCE: Final = 100


class VersionsOnDemand(Mapping[EntryKey, tuple[EntryVersion, ...]]):
    """Versions by entry, of which only the topics' ids are held."""

    def __init__(
        self, topics: Sequence[str], read: ReadVersions, in_order: Portions | None = None
    ) -> None:
        """Reads nothing yet.

        Args:
            topics: Ids of those whose entries count; no two are equal.
            read: Reads the versions in some of them.
            in_order: Reads those of these topics and maybe of others, in the order in which they
                are gone through; None = topic after topic.
        """
        self._topics: Final = tuple(topics)
        self._known: Final = frozenset(topics)
        self._read: Final = read
        self._in_order: Final = in_order

    def __getitem__(self, key: EntryKey) -> tuple[EntryVersion, ...]:
        if key.topic not in self._known:
            raise KeyError(key)
        return self._read((key.topic,))[key]

    def __iter__(self) -> Iterator[EntryKey]:
        return (key for portion in self._portions() for key in portion)

    def __len__(self) -> int:
        return sum(map(len, self._portions()))

    def items(self) -> ItemsView[EntryKey, tuple[EntryVersion, ...]]:
        """Returns the entries with their versions, which are read once on the way."""
        return _Items(self)

    def of_topics(self, topics: Iterable[str]) -> Versions:
        """Returns the versions of all entries in some topics, read at once."""
        known = [one for one in topics if one in self._known]
        return self._read(known) if known else {}

    def where(self, is_wanted: Callable[[EntryKey], bool]) -> "VersionsOnDemand":
        """Returns the versions of some entries alone."""

        def read(topics: Sequence[str]) -> Versions:
            return {key: known for key, known in self._read(topics).items() if is_wanted(key)}

        def in_order() -> Iterator[Versions]:
            for portion in self._portions():
                yield {key: known for key, known in portion.items() if is_wanted(key)}

        return VersionsOnDemand(self._topics, read, in_order)

    def pairs(self) -> Iterator[tuple[EntryKey, tuple[EntryVersion, ...]]]:
        """Yields each entry with its versions."""
        for portion in self._portions():
            yield from portion.items()

    def _portions(self) -> Iterator[Versions]:
        if self._in_order is not None:
            for portion in self._in_order():
                yield {key: known for key, known in portion.items() if key.topic in self._known}
            return
        for begin in range(0, len(self._topics), TOPICS_AT_ONCE):
            yield self._read(self._topics[begin : begin + TOPICS_AT_ONCE])


class _Items(ItemsView[EntryKey, tuple[EntryVersion, ...]]):
    """Entries with their versions; those of `ItemsView` would read each topic for each entry."""

    _mapping: VersionsOnDemand

    def __iter__(self) -> Iterator[tuple[EntryKey, tuple[EntryVersion, ...]]]:
        return self._mapping.pairs()


def versions_in(versions: Versions, topics: Collection[str]) -> Versions:
    """Returns the versions of all entries in some topics, so few that they fit the memory."""
    if isinstance(versions, VersionsOnDemand):
        return versions.of_topics(topics)
    wanted = frozenset(topics)
    return {key: known for key, known in versions.items() if key.topic in wanted}


def versions_where(versions: Versions, is_wanted: Callable[[EntryKey], bool]) -> Versions:
    """Returns the versions of some entries alone; those that are read on demand stay so."""
    if isinstance(versions, VersionsOnDemand):
        return versions.where(is_wanted)
    return {key: known for key, known in versions.items() if is_wanted(key)}

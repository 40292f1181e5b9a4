"""The long lists of an Awase JSON file, item by item, and what it says about entries, unheld."""

from collections.abc import ItemsView, Iterator, Mapping
from typing import Final

from awase.core.errors import Problem
from awase.core.formats.awase_json.long_json import LongObject
from awase.core.formats.awase_json.project import note_twice, sync_entry
from awase.core.formats.reading.json_fields import JsonFindings
from awase.core.records.edits.ownership import EntryKey, EntryVersion
from awase.core.text.encoding import Pieces

TOPICS: Final = "topics"
SYNC: Final = "sync"
ENTRIES: Final = "sync.entries"
LONG_LISTS: Final = (TOPICS, ENTRIES)
BEGINS: Final = object()
"""Stands before the value of a key, which may stand in an object twice."""

_Entry = tuple[EntryKey, tuple[EntryVersion, ...]]


def long_items(pieces: Pieces) -> Iterator[tuple[str, object, int]]:
    """Yields the items of the long lists of a file of sound JSON: path of the list, value, length.

    Before those of a list, and of whatever stands in the place of one or around it, `BEGINS` comes.
    """
    text = LongObject(pieces())
    for key in text.each_key():
        yield key, BEGINS, 0
        if key == TOPICS and text.is_list():
            yield from ((key, *item) for item in text.items())
        elif key == SYNC and text.begins():
            for inner in text.each_key(is_within=True):
                path = f"{SYNC}.{inner}"
                yield path, BEGINS, 0
                if path == ENTRIES and text.is_list():
                    yield from ((path, *item) for item in text.items())
                else:
                    text.value()
        else:
            text.value()


def corpus_uid_in(pieces: Pieces) -> str | None:
    """Returns which corpus a file says it is a copy of, None when it says nothing.

    Raises:
        CorpusFormatError: It is no JSON.
    """
    text = LongObject(pieces())
    uid: object = None
    for key in text.each_key() if text.begins() else ():
        if key == SYNC and text.begins():
            for inner in text.each_key(is_within=True):
                if inner == "entries" and text.is_list():
                    for _ in text.items():
                        pass
                elif inner == "corpus":
                    uid = text.value()
                else:
                    text.value()
        elif text.is_list():
            for _ in text.items():
                pass
        else:
            text.value()
    return uid if isinstance(uid, str) and uid else None


class LongEntries(Mapping[EntryKey, tuple[EntryVersion, ...]]):
    """What a file knows of entries, read from it each time; no entry stands in it twice.

    Attributes:
        problems: What is wrong in those that were checked.
    """

    def __init__(self, pieces: Pieces, source: str) -> None:
        """Has checked nothing yet.

        Args:
            pieces: Gives the file.
            source: Its name.
        """
        self._pieces, self._source = pieces, source
        self._findings = JsonFindings(source)
        self._n = self._n_items = 0
        self._seen: set[int] = set()

    @property
    def problems(self) -> list[Problem]:
        """What is wrong in the entries that were checked."""
        return self._findings.found

    def begin(self, path: str) -> None:
        """Takes note that the value of a key begins, which counts instead of one before."""
        if path in (SYNC, ENTRIES):
            self._findings, self._n, self._n_items = JsonFindings(self._source), 0, 0
            self._seen = set()

    def check(self, value: object) -> None:
        """Takes note of an entry, and of what is wrong in it."""
        path = f"{ENTRIES}[{self._n_items}]"
        self._n_items += 1
        entry = sync_entry(value, path, self._findings)
        if entry is None:
            return
        self._n += 1
        # 64 bits of each: of a million entries, two agree by chance in one of 30 million files.
        seen = hash(entry[0])
        if seen in self._seen:
            note_twice(entry[0], path, self._findings)
        self._seen.add(seen)

    def pairs(self) -> Iterator[_Entry]:
        """Yields each entry with its versions, in their order."""
        for path, value, _ in long_items(self._pieces):
            if path == ENTRIES and value is not BEGINS:
                entry = sync_entry(value, path, JsonFindings(self._source))
                if entry is not None:
                    yield entry

    def items(self) -> ItemsView[EntryKey, tuple[EntryVersion, ...]]:
        """Returns the entries with their versions, which are read once on the way."""
        return _Items(self)

    def __iter__(self) -> Iterator[EntryKey]:
        return (key for key, _ in self.pairs())

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, key: EntryKey) -> tuple[EntryVersion, ...]:
        for known, versions in self.pairs():
            if known == key:
                return versions
        raise KeyError(key)


class _Items(ItemsView[EntryKey, tuple[EntryVersion, ...]]):
    """Entries with their versions; those of `ItemsView` would read the file for each entry."""

    _mapping: LongEntries

    def __iter__(self) -> Iterator[_Entry]:
        return self._mapping.pairs()

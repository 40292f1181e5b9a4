"""Versions of entries, by which copies of a corpus merge.

Every entry has one owner: its annotator, or the adjudicators for the gold layer, who may edit it in
several copies. The newest version in both histories is the common ancestor; it tells which of two
values is later.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.encoding.digests import NO_ENTRY, entry_digest, gold_digest
from awase.core.records.topic import Topic


class EntryKey(NamedTuple):
    """Identifies an entry."""

    topic: str
    abstract: str
    annotator: str | None  # the owner; None = the gold layer
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryVersion:
    """A value that an entry once had."""

    revision: int  # counts the entry's edits, undoing included, from 1; it never falls
    digest: str
    at: str = ""  # when it was made, ISO 8601 in UTC; empty for what came before versions were kept
    replica: str = ""  # the copy in which it was made; empty likewise


BEGINNING = EntryVersion(revision=0, digest=NO_ENTRY)  # every entry begins with saying nothing

Versions = Mapping[EntryKey, tuple[EntryVersion, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Copy ids and version histories of a copy of a corpus."""

    corpus: str = ""  # UUID of the corpus, the same in all of its copies; empty = not known
    replica: str = ""
    # Id of the person it was handed out to; None = it was not handed out.
    handed_to: str | None = None
    # Of each entry that was ever worked on, in the order in which this copy learned of them; the
    # last one is the present value's.
    versions: Versions = field(default_factory=dict)

    def versions_of(self, key: EntryKey) -> tuple[EntryVersion, ...]:
        """Returns the versions of an entry, oldest first, the empty one included."""
        return (BEGINNING, *self.versions.get(key, ()))


def entries_of(topic: Topic) -> Iterator[tuple[EntryKey, str]]:
    """Yields each non-empty entry of a topic with its digest."""
    for abstract in topic.abstracts:
        yield from entries_in(topic.id, abstract)


def entries_in(topic_id: str, abstract: Abstract) -> Iterator[tuple[EntryKey, str]]:
    """Yields each non-empty entry of an abstract with its digest."""
    for alignment in abstract.alignments:
        for entry in alignment.sentences:
            if entry != SentenceAlignment(n=entry.n):
                key = EntryKey(topic_id, abstract.id, alignment.annotator, entry.n)
                yield key, entry_digest(entry)
    for decided in abstract.gold:
        yield EntryKey(topic_id, abstract.id, None, decided.n), gold_digest(decided)


def changed_entries(old: Topic | None, new: Topic | None) -> Iterator[tuple[EntryKey, str]]:
    """Yields each entry in which two states of a topic differ, with its digest in `new`."""
    before = dict(entries_of(old)) if old is not None else {}
    after = dict(entries_of(new)) if new is not None else {}
    for key in {**before, **after}:
        if before.get(key) != after.get(key):
            yield key, after.get(key, NO_ENTRY)


def next_version(
    known: tuple[EntryVersion, ...], digest: str, *, at: str, replica: str
) -> EntryVersion:
    """Returns the version that follows `known`."""
    newest = max((version.revision for version in known), default=0)
    return EntryVersion(revision=newest + 1, digest=digest, at=at, replica=replica)

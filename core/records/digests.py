"""Digests of records, and version histories of entries.

Every entry has one owner: its annotator, or the adjudicators for the gold layer, who may edit it in
several copies. The newest version in both histories is the common ancestor; it tells which of two
values is later.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import NamedTuple

from awase.core.records.abstract import Abstract, AlignmentState, GoldEntry, SentenceAlignment
from awase.core.records.json_values import (
    Json,
    abstract_value,
    document_value,
    dumps,
    entry_value,
    gold_entry_value,
    output_value,
    text_dumps,
)
from awase.core.records.topic import Topic

_ENTRY_DIGITS = 32  # 128 bits: there is one for each edit


def sha256_of(value: object) -> str:
    """Returns the digest of a JSON value."""
    # surrogatepass: file names in logs may hold what no text does
    return hashlib.sha256(dumps(value).encode("utf-8", "surrogatepass")).hexdigest()


def _sha256_of_texts(value: object) -> str:
    return hashlib.sha256(text_dumps(value)).hexdigest()


def entry_digest(entry: SentenceAlignment) -> str:
    """Returns the digest of an annotator's entry without its number."""
    return _digest_without_number(entry_value(entry))


def gold_digest(decided: GoldEntry | None) -> str:
    """Returns the digest of a decision without its number, of none the empty digest."""
    if decided is None:
        return NO_ENTRY
    return _digest_without_number(gold_entry_value(decided))


def _digest_without_number(value: Json) -> str:
    del value["n"]
    return sha256_of(value)[:_ENTRY_DIGITS]


# Of an empty entry, which equals a missing one.
NO_ENTRY = entry_digest(SentenceAlignment(n=1))


def text_digest(topic: Topic) -> str:
    """Returns the digest of `text_value`."""
    return _sha256_of_texts(text_value(topic))


def text_value(topic: Topic) -> list[object]:
    """Returns the ids and texts of sentences of documents and abstracts, in order."""
    # Titles, ranks, systems and alignments may differ between copies that agree in this.
    documents, abstracts = (
        [[part.id, [[sentence.n, sentence.text] for sentence in part.sentences]] for part in parts]
        for parts in (topic.documents, topic.abstracts)
    )
    return [topic.id, documents, abstracts]


def content_digest(topic: Topic) -> str:
    """Returns the digest of a topic without alignments and gold, whose entries have their own."""
    return _sha256_of_texts(
        {
            "id": topic.id,
            "title": topic.title,
            "language": topic.language,
            "documents": [document_value(document) for document in topic.documents],
            "abstracts": [
                abstract_value(replace(abstract, alignments=(), gold=()))
                for abstract in topic.abstracts
            ],
            "outputs": [output_value(output) for output in topic.outputs],
        }
    )


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
    at: str = ""  # time of the edit, ISO 8601 in UTC; empty before versions existed
    replica: str = ""  # the copy of the edit; empty likewise


BEGINNING = EntryVersion(revision=0, digest=NO_ENTRY)  # every entry begins with saying nothing

Versions = Mapping[EntryKey, tuple[EntryVersion, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Copy ids and version histories of a copy of a corpus."""

    corpus: str = ""  # UUID of the corpus, the same in all of its copies; empty = unknown
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
            if entry.state is not AlignmentState.TODO or entry != SentenceAlignment(n=entry.n):
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
    newest = max(map(_revision_of, known), default=0)
    return EntryVersion(revision=newest + 1, digest=digest, at=at, replica=replica)


_revision_of = attrgetter("revision")

"""Digests for what an older program wrote into a file, and for nothing else.

What that program logged is taken back for a moment: what then has the digest that is stored was
sound when the older program began, and whatever it did since is in the log. The rest has changed
behind the back of all programs; it keeps its digest, by which it is named as damaged.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection

from awase.core.batches import batches
from awase.core.errors import AwaseError, Cancelled, Listing, Problem
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import EntryKey, entries_of
from awase.core.records.edits.verbs import IMPORT
from awase.core.records.encoding.digests import NO_ENTRY, content_digest, text_digest
from awase.core.records.parts.corpus_parts import frame_of
from awase.core.records.topic import Topic
from awase.storage.changing.applying import write_edit
from awase.storage.databases.querying import only_row_of, rows_among, rows_of
from awase.storage.log.rows import write_row_digests
from awase.storage.opening.undigested import (
    NOT_READABLE,
    named_by,
    steps_back,
    undigested_rows,
)
from awase.storage.rows.clock import now
from awase.storage.rows.digests import frame_digest, write_frame_digest, write_topic_digests
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.versions import stamp

TOPICS_AT_ONCE: Final = 100
_TOPICS: Final = "SELECT key, text_digest, digest FROM topic ORDER BY position"
_ENTRIES: Final = """
    SELECT topic, abstract, annotator, n, digest FROM entry_version
    WHERE is_known AND id <= {newest} AND topic IN {{names}} ORDER BY id
"""

_Part = EntryKey | str
"""An entry, or by its id whatever else belongs to a topic."""
_Digests = Mapping[_Part, str]


def catch_up(connection: Connection, reporter: Reporter) -> tuple[Problem, ...]:
    """Takes note of what an older program wrote, which knows neither digests nor versions.

    A topic whose digests are those of what stands there is read once. The others are read again as
    they were earlier, and to be digested; no topic is held.

    Returns:
        What of it could not be checked.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    imported = named_by(connection, undigested_rows(connection, IMPORT))
    stored, corpus = _Stored.of(connection), read_corpus(connection)
    changed, unchecked = [], []
    for one in _compared(connection, corpus, stored, [*stored.topics], reporter):
        if not one.differing:
            continue
        changed.append(one.id)
        if imported.has_topic(one.id) and not one.differing.isdisjoint(one.stored):
            unchecked.append(one.id)
    judged = [one for one in changed if not imported.has_topic(one)]
    with _taken_back(connection, reporter) as earlier:
        is_frame_sound = imported.has_frame or frame_digest(frame_of(earlier)) == stored.frame
        damaged: set[_Part] = set()
        for one in _compared(connection, earlier, stored, judged, reporter):
            damaged |= one.differing
    for some in batches(_compared(connection, corpus, stored, changed, reporter), TOPICS_AT_ONCE):
        _renew(connection, some, damaged)
    if is_frame_sound:
        write_frame_digest(connection, frame_of(corpus))
    write_row_digests(connection, undigested_rows(connection))
    return _not_checked(unchecked)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """Digests as they are before anything is taken back.

    Attributes:
        frame: Of what is no topic's.
        topics: By id, in their order; empty = an older program made the topic.
        newest: The newest version of an entry.
    """

    frame: str | None
    topics: Mapping[str, str]
    newest: int

    @classmethod
    def of(cls, connection: Connection) -> "_Stored":
        """Returns what is stored now."""
        (frame,) = only_row_of(connection, "SELECT digest FROM corpus")
        (newest,) = only_row_of(connection, "SELECT COALESCE(MAX(id), 0) FROM entry_version")
        topics = {
            topic_id: "" if content is None else _both(texts, content)
            for topic_id, texts, content in rows_of(connection, _TOPICS)
        }
        return cls(frame=frame, topics=topics, newest=newest)

    def entries(
        self, connection: Connection, ids: Sequence[str]
    ) -> Mapping[str, Mapping[EntryKey, str]]:
        """Returns the digests of the entries in some topics, those that are gone included."""
        found: dict[str, dict[EntryKey, str]] = {topic_id: {} for topic_id in ids}
        query = _ENTRIES.format(newest=self.newest)
        for *key, digest in rows_among(connection, query, ids):
            entry = EntryKey(*key)
            found[entry.topic][entry] = digest
        return found


def _both(texts: object, content: object) -> str:
    return f"{texts} {content}"


class _Compared(NamedTuple):
    """A topic, as it is stored and as its digests tell.

    Attributes:
        id: Of the topic.
        topic: None = it is not there.
        stored: The digests of its parts; none where an older program made the topic.
        entries: The newest digest of each entry that there ever was.
        differing: The parts that are not as their digests tell.
    """

    id: str
    topic: Topic | None
    stored: _Digests
    entries: Mapping[EntryKey, str]
    differing: frozenset[_Part]


def _compared(
    connection: Connection,
    corpus: Corpus,
    stored: _Stored,
    ids: Sequence[str],
    reporter: Reporter,
) -> Iterator[_Compared]:
    """Yields the topics with these ids as they are in `corpus`, some read at a time."""
    found = {topic.id: topic for topic in corpus.topics}
    n_done = 0
    for some in batches(ids, TOPICS_AT_ONCE):
        entries = stored.entries(connection, some)
        for topic_id in some:
            reporter.advance(n_done, len(ids), topic_id)
            n_done += 1
            digest = stored.topics[topic_id]
            yield _comparison(topic_id, found.get(topic_id), digest, entries[topic_id])


def _comparison(
    topic_id: str, topic: Topic | None, digest: str, entries: Mapping[EntryKey, str]
) -> _Compared:
    stored: dict[_Part, str] = {}
    if digest:
        stored[topic_id] = digest
        stored.update(entries.items())
    present: dict[_Part, str] = {}
    if topic is not None:
        present[topic_id] = _both(text_digest(topic), content_digest(topic))
        present.update(entries_of(topic))
    differing = frozenset(
        part
        for part in {**stored, **present}
        if stored.get(part, _absent(part)) != present.get(part, _absent(part))
    )
    return _Compared(topic_id, topic, stored, entries, differing)


def _absent(part: _Part) -> str:
    return NO_ENTRY if isinstance(part, EntryKey) else ""


@contextmanager
def _taken_back(connection: Connection, reporter: Reporter) -> Iterator[Corpus]:
    """Gives the corpus as an older program found it, as far as that can be told, for a moment."""
    moment = connection.begin_nested()
    try:
        for step in steps_back(connection):
            reporter.advance(0, 0)
            try:
                with connection.begin_nested():
                    write_edit(connection, step, reporter)
            except Cancelled:
                raise
            except (AwaseError, *NOT_READABLE):
                continue  # what was done stays, and does not fit the digests
        yield read_corpus(connection)
    finally:
        moment.rollback()


def _renew(connection: Connection, topics: Iterable[_Compared], damaged: Collection[_Part]) -> None:
    """Gives what is not damaged in some topics digests and versions of what it is now."""
    entries: dict[EntryKey, str] = {}
    for one in topics:
        entries |= dict.fromkeys(one.entries, NO_ENTRY)
        if one.topic is not None:
            entries.update(entries_of(one.topic))
            if one.id not in damaged:
                write_topic_digests(connection, one.topic)
    sound = [(key, digest) for key, digest in entries.items() if key not in damaged]
    stamp(connection, sound, at=now())


def _not_checked(topics: Collection[str]) -> tuple[Problem, ...]:
    """Returns what to say of topics that an import of an older program changed."""
    if not topics:
        return ()
    return (
        Problem(
            what="An older version of Awase has imported into these topics, so damage of the disk "
            "from before could not be told from what it changed: {topics}.",
            hint="If in doubt, compare them with a backup from before (“awase diff”).",
            fields={"topics": Listing(sorted(topics))},
        ),
    )

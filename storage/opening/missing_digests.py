"""Digests for what an older program wrote into a file, and for nothing else.

What that program logged is taken back for a moment: what then has the digest that is stored was
sound when the older program began, and whatever it did since is in the log. The rest has changed
behind the back of all programs; it keeps its digest, by which it is named as damaged.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, select, update

from awase.core.errors import AwaseError, Listing, Problem
from awase.core.records.corpus import Corpus
from awase.core.records.edits.edit import Edit
from awase.core.records.edits.ownership import EntryKey, entries_of
from awase.core.records.edits.verbs import IMPORT
from awase.core.records.encoding.digests import NO_ENTRY, content_digest, text_digest
from awase.core.records.parts.corpus_parts import frame_of
from awase.storage.changing.applying import write_edit
from awase.storage.log.joining import LogRow
from awase.storage.opening.undigested import (
    NOT_READABLE,
    Named,
    named_by,
    steps_back,
    undigested_rows,
)
from awase.storage.rows.clock import now
from awase.storage.rows.digests import (
    frame_digest,
    operation_digest,
    write_frame_digest,
    write_topic_digests,
)
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.schema import CorpusRow, OperationRow, TopicRow
from awase.storage.rows.versions import read_versions, stamp

_FRAME = ""
"""The part that is no topic's; ids are never empty."""

_Part = EntryKey | str
_Digests = Mapping[_Part, str]


def catch_up(connection: Connection) -> tuple[Problem, ...]:
    """Takes note of what an older program wrote, which knows neither digests nor versions.

    Returns:
        What of it could not be checked.
    """
    rows = undigested_rows(connection)
    corpus = read_corpus(connection)
    stored, present = _stored(connection), _digests(corpus)
    changed = [part for part in {**stored, **present} if _differs(part, stored, present)]
    imported = named_by(connection, [row for row in rows if row["kind"] == IMPORT])
    unchecked = {part for part in changed if _is_named(part, imported)}
    with _taken_back(connection, steps_back(connection, rows)) as earlier:
        before = _digests(earlier)
    damaged = {part for part in changed if _differs(part, stored, before)} - unchecked
    _renew(connection, corpus, damaged)
    _digest_rows(connection, rows)
    return _not_checked(unchecked & stored.keys())


def _stored(connection: Connection) -> _Digests:
    row = TopicRow
    found: dict[_Part, str] = {_FRAME: str(connection.execute(select(CorpusRow.digest)).scalar())}
    for key, texts, content in connection.execute(select(row.key, row.text_digest, row.digest)):
        if content is not None:
            found[key] = f"{texts} {content}"
    for entry, versions in read_versions(connection).items():
        if entry.topic in found:
            found[entry] = versions[-1].digest
    return found


def _digests(corpus: Corpus) -> _Digests:
    found: dict[_Part, str] = {_FRAME: frame_digest(frame_of(corpus))}
    for topic in corpus.topics:
        found[topic.id] = f"{text_digest(topic)} {content_digest(topic)}"
        found.update(entries_of(topic))
    return found


def _differs(part: _Part, one: _Digests, other: _Digests) -> bool:
    absent = NO_ENTRY if isinstance(part, EntryKey) else ""
    return one.get(part, absent) != other.get(part, absent)


def _is_named(part: _Part, named: Named) -> bool:
    if part == _FRAME:
        return named.has_frame
    return named.has_topic(part.topic if isinstance(part, EntryKey) else part)


@contextmanager
def _taken_back(connection: Connection, steps: Collection[Edit]) -> Iterator[Corpus]:
    """Gives the corpus as it was before edits, as far as they can be taken back, for a moment."""
    moment = connection.begin_nested()
    try:
        for step in steps:
            with suppress(AwaseError, *NOT_READABLE), connection.begin_nested():
                write_edit(connection, step)
        yield read_corpus(connection)
    finally:
        moment.rollback()


def _renew(connection: Connection, corpus: Corpus, damaged: Collection[_Part]) -> None:
    present = {key: digest for topic in corpus.topics for key, digest in entries_of(topic)}
    topics = {topic.id for topic in corpus.topics}
    changed = list(present.items())
    for key, versions in read_versions(connection).items():
        if key.topic in topics and key not in present and versions[-1].digest != NO_ENTRY:
            changed.append((key, NO_ENTRY))
    stamp(connection, [one for one in changed if one[0] not in damaged], at=now())
    for topic in corpus.topics:
        if topic.id not in damaged:
            write_topic_digests(connection, topic)
    if _FRAME not in damaged:
        write_frame_digest(connection, frame_of(corpus))


def _digest_rows(connection: Connection, rows: Collection[LogRow]) -> None:
    for row in rows:
        connection.execute(
            update(OperationRow)
            .where(OperationRow.id == row["id"])
            .values(digest=operation_digest(row))
        )


def _not_checked(parts: Collection[_Part]) -> tuple[Problem, ...]:
    """Returns what to say of parts that an import of an older program changed."""
    topics = {part.topic if isinstance(part, EntryKey) else part for part in parts} - {_FRAME}
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

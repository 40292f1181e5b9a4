"""What a corpus made by an older version lacks, and what follows from what it has.

Copies of one old file that are converted apart must agree, so nothing is drawn here that has to be
the same in both.
"""

import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

from sqlalchemy import Connection, Row, case, func, select
from sqlalchemy.orm import aliased

from awase.core.batches import batches
from awase.core.progress import Reporter
from awase.core.records.edits.ownership import EntryKey, EntryVersion, entries_of
from awase.core.records.encoding.digests import NO_ENTRY, entry_digest
from awase.core.records.encoding.json_values import entry_of
from awase.core.records.parts.corpus_parts import frame_of
from awase.core.records.topic import Topic
from awase.storage.databases.querying import rows_of
from awase.storage.log.rows import ROWS_AT_ONCE, logged_rows, write_row_digests
from awase.storage.rows.digests import write_frame_digest, write_topic_digests
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.schema import CorpusRow, OperationRow
from awase.storage.rows.versions import (
    name_copy,
    new_uid,
    read_versions,
    write_versions,
)

_EDIT, _UNDO = "edit", "undo"
TOPICS_AT_ONCE: Final = 100
_GONE: Final = """
    SELECT DISTINCT topic FROM entry_version WHERE topic NOT IN (SELECT key FROM topic)
"""
_Chains = dict[EntryKey, list[EntryVersion]]


def seed(connection: Connection, reporter: Reporter) -> None:
    """Gives a corpus its uid, its entries their versions, and its parts their digests.

    One that has a uid is left as it is. Neither the topics nor the log are held.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    if connection.execute(select(CorpusRow.uid)).scalar_one():
        return
    corpus = read_corpus(connection)
    name_copy(connection, corpus=_derived_uid(connection), replica=new_uid())
    _write_logged_versions(connection, reporter)
    _write_topics(connection, corpus.topics, reporter)
    for gone in batches([topic for (topic,) in rows_of(connection, _GONE)], TOPICS_AT_ONCE):
        _write_present_versions(connection, gone, {})
    write_frame_digest(connection, frame_of(corpus))
    without = OperationRow.digest.is_(None)
    write_row_digests(connection, logged_rows(lambda: nullcontext(connection), without))


def _derived_uid(connection: Connection) -> str:
    """Returns the uid that follows from the first row of the log: who made the corpus, and when.

    Texts do not enter it: one may have been corrected in one of two copies.
    """
    first = connection.execute(
        select(OperationRow.at, OperationRow.who, OperationRow.kind, OperationRow.subject)
        .order_by(OperationRow.id)
        .limit(1)
    ).one()
    return str(uuid.UUID(bytes=hashlib.sha256("\0".join(first).encode()).digest()[:16], version=5))


def _write_logged_versions(connection: Connection, reporter: Reporter) -> None:
    """Writes the values that entries had one after another, as the log tells."""
    newest = connection.execute(select(func.max(OperationRow.id))).scalar_one()
    for rows in batches(_logged(connection), ROWS_AT_ONCE):
        reporter.advance(rows[0].id, newest)
        keys = [EntryKey(row.topic, row.abstract, row.annotator, row.n) for row in rows]
        known = read_versions(connection, only=[*{key.topic for key in keys}])
        chains: _Chains = {key: [*known.get(key, ())] for key in keys}
        new: _Chains = defaultdict(list)
        for key, row in zip(keys, rows, strict=True):
            before = entry_digest(entry_of(json.loads(row.old)))
            after = entry_digest(entry_of(json.loads(row.new)))
            if row.kind == _EDIT and not chains[key] and before != NO_ENTRY:
                new[key].append(_append(chains[key], before))
            new[key].append(_append(chains[key], before if row.kind == _UNDO else after, row.at))
        write_versions(connection, new)


def _logged(connection: Connection) -> Iterator[Row[Any]]:
    """Yields what was done to entries, undone and done again, oldest first: what, when, how."""
    row, done = OperationRow, aliased(OperationRow)
    of_edit = done.id == case((row.kind == _EDIT, row.id), else_=row.target_id)
    query = (
        select(
            row.id,
            row.kind,
            row.at,
            done.topic,
            done.abstract,
            done.annotator,
            done.n,
            done.old,
            done.new,
        )
        .join(done, of_edit)
        .where(done.kind == _EDIT, done.annotator.is_not(None), done.id <= row.id)
        .order_by(row.id)
        .limit(ROWS_AT_ONCE)
    )
    last = 0
    while found := connection.execute(query.where(row.id > last)).all():
        yield from found
        last = found[-1].id


def _append(chain: list[EntryVersion], digest: str, at: str = "") -> EntryVersion:
    version = EntryVersion(revision=len(chain) + 1, digest=digest, at=at)
    chain.append(version)
    return version


def _write_topics(connection: Connection, topics: Sequence[Topic], reporter: Reporter) -> None:
    """Writes the digests of topics, and the versions of their entries that the log lacks."""
    n_done = 0
    for some in batches(topics, TOPICS_AT_ONCE):
        for topic in some:
            reporter.advance(n_done, len(topics), topic.id)
            n_done += 1
            write_topic_digests(connection, topic)
        present = {key: digest for topic in some for key, digest in entries_of(topic)}
        _write_present_versions(connection, [topic.id for topic in some], present)


def _write_present_versions(
    connection: Connection, topics: Sequence[str], present: Mapping[EntryKey, str]
) -> None:
    """Writes a version of each entry in topics whose newest one is not what is there.

    Args:
        connection: Within a transaction.
        topics: Their ids.
        present: The digests of the entries that are there.
    """
    known = read_versions(connection, only=topics)
    new: _Chains = {}
    for key in {**present, **known}:
        chain, digest = [*known.get(key, ())], present.get(key, NO_ENTRY)
        if (chain[-1].digest if chain else "") != digest:
            new[key] = [_append(chain, digest)]
    write_versions(connection, new)

"""What a corpus made by an older version lacks, and what follows from what it has.

Copies of one old file that are converted apart must agree, so nothing is drawn here that has to be
the same in both.
"""

import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, select, update

from awase.core.records.edits.ownership import EntryKey, EntryVersion, entries_of
from awase.core.records.encoding.digests import NO_ENTRY, entry_digest
from awase.core.records.encoding.json_values import entry_of
from awase.core.records.parts.corpus_parts import frame_of
from awase.core.records.topic import Topic
from awase.storage.rows.digests import operation_digest, write_frame_digest, write_topic_digests
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.schema import CorpusRow, OperationRow
from awase.storage.rows.versions import (
    name_copy,
    new_uid,
    write_versions,
)

_EDIT, _UNDO = "edit", "undo"
_Chains = dict[EntryKey, list[EntryVersion]]


def seed(connection: Connection) -> None:
    """Gives a corpus its uid, its entries their versions, and its parts their digests.

    One that has a uid is left as it is.
    """
    if connection.execute(select(CorpusRow.uid)).scalar_one():
        return
    corpus = read_corpus(connection)
    name_copy(connection, corpus=_derived_uid(connection), replica=new_uid())
    write_versions(connection, _chains(connection, corpus.topics))
    for topic in corpus.topics:
        write_topic_digests(connection, topic)
    write_frame_digest(connection, frame_of(corpus))
    _digest_log(connection)


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


def _chains(connection: Connection, topics: Sequence[Topic]) -> _Chains:
    chains = _logged_chains(connection)
    present = {key: digest for topic in topics for key, digest in entries_of(topic)}
    for key, digest in present.items():
        if not chains[key] or chains[key][-1].digest != digest:
            _append(chains, key, digest)
    for key, versions in chains.items():
        if key not in present and versions[-1].digest != NO_ENTRY:
            _append(chains, key, NO_ENTRY)
    return chains


def _logged_chains(connection: Connection) -> _Chains:
    """Returns the values that entries had one after another, as the log tells."""
    row = OperationRow
    query = select(
        row.id, row.kind, row.at, row.topic, row.abstract, row.annotator, row.n, row.old, row.new,
        row.target_id,
    ).where((row.annotator.is_not(None)) | (row.target_id.is_not(None)))  # fmt: skip
    chains: _Chains = defaultdict(list)
    edits: dict[int, tuple[EntryKey, str, str]] = {}
    for row_id, kind, at, topic, abstract, annotator, n, old, new, target in connection.execute(
        query.order_by(row.id)
    ):
        if kind == _EDIT:
            key = EntryKey(topic, abstract, annotator, n)
            before = entry_digest(entry_of(json.loads(old)))
            after = entry_digest(entry_of(json.loads(new)))
            edits[row_id] = (key, before, after)
            if not chains[key] and before != NO_ENTRY:
                _append(chains, key, before)
            _append(chains, key, after, at)
        elif target in edits:
            key, before, after = edits[target]
            _append(chains, key, before if kind == _UNDO else after, at)
    return chains


def _append(chains: _Chains, key: EntryKey, digest: str, at: str = "") -> None:
    revision = len(chains[key]) + 1
    chains[key].append(EntryVersion(revision=revision, digest=digest, at=at))


def _digest_log(connection: Connection) -> None:
    rows = connection.execute(
        select(*OperationRow.__table__.columns).where(OperationRow.digest.is_(None))
    ).mappings()
    for row in rows.all():
        connection.execute(
            update(OperationRow)
            .where(OperationRow.id == row["id"])
            .values(digest=operation_digest(dict(row)))
        )

"""Digests and versions for what an older program wrote, with all of the corpus in memory."""

import json
from collections.abc import Mapping
from contextlib import suppress

from sqlalchemy import Connection, select, update

from awase.core.errors import AwaseError
from awase.core.records.edits.ownership import EntryKey, EntryVersion, entries_of
from awase.core.records.encoding.digests import (
    NO_ENTRY,
    content_digest,
    entry_digest,
    text_digest,
)
from awase.core.records.encoding.json_values import entry_of
from awase.core.records.topic import Topic
from awase.storage.changing.applying import write_edit
from awase.storage.log.joining import log_rows
from awase.storage.opening.undigested import NOT_READABLE, named_by, steps_back, undigested_rows
from awase.storage.rows.digests import (
    frame_digest,
    operation_digest,
    write_frame_digest,
    write_topic_digests,
)
from awase.storage.rows.reading import read_corpus, read_frame, read_topics
from awase.storage.rows.schema import CorpusRow, OperationRow, TopicRow
from awase.storage.rows.versions import read_versions, stamp, write_versions

Part = EntryKey | str
"""An entry, a topic by its id, or, empty, what is no topic's."""


def catch_up_in_memory(connection: Connection, *, at: str) -> list[str]:
    """Does what `catch_up` does; returns the ids of the topics that could not be checked."""
    rows = [*undigested_rows(connection)]
    topics = read_corpus(connection).topics
    stored, present = _stored(connection), _present(connection, topics)
    changed = {
        part for part in {*stored, *present} if _value(stored, part) != _value(present, part)
    }
    imported = named_by(connection, [row for row in rows if row["kind"] == "import"])
    unchecked = {
        part for part in changed
        if (imported.has_topic(_topic_of(part)) if _topic_of(part) else imported.has_frame)
    }  # fmt: skip
    moment = connection.begin_nested()
    for step in steps_back(connection):
        with suppress(AwaseError, *NOT_READABLE), connection.begin_nested():
            write_edit(connection, step)
    before = _present(connection, read_topics(connection))
    moment.rollback()
    damaged = {part for part in changed if _value(stored, part) != _value(before, part)} - unchecked
    entries = {part: digest for part, digest in present.items() if isinstance(part, EntryKey)}
    gone = {part: NO_ENTRY for part in read_versions(connection) if part not in entries}
    there = {topic.id for topic in topics}
    for part, digest in {**entries, **gone}.items():
        if part.topic in there and part not in damaged:
            stamp(connection, [(part, digest)], at=at)
    for topic in topics:
        if topic.id not in damaged:
            write_topic_digests(connection, topic)
    if "" not in damaged:
        write_frame_digest(connection, read_frame(connection))
    for row in rows:
        _write_digest(connection, row)
    return sorted({_topic_of(part) for part in unchecked & {*stored}} - {""})


def _topic_of(part: Part) -> str:
    return part.topic if isinstance(part, EntryKey) else part


def _value(digests: Mapping[Part, str], part: Part) -> str:
    return digests.get(part, NO_ENTRY if isinstance(part, EntryKey) else "")


def _stored(connection: Connection) -> dict[Part, str]:
    found: dict[Part, str] = {"": str(connection.execute(select(CorpusRow.digest)).scalar())}
    row = TopicRow
    for key, texts, content in connection.execute(select(row.key, row.text_digest, row.digest)):
        if content is not None:
            found[key] = f"{texts} {content}"
    for entry, versions in read_versions(connection).items():
        if entry.topic in found:
            found[entry] = versions[-1].digest
    return found


def _present(connection: Connection, topics: tuple[Topic, ...]) -> dict[Part, str]:
    found: dict[Part, str] = {"": frame_digest(read_frame(connection))}
    for topic in topics:
        found[topic.id] = f"{text_digest(topic)} {content_digest(topic)}"
        found.update(entries_of(topic))
    return found


def seed_in_memory(connection: Connection) -> None:
    """Does what `seed` does, but for the names of the corpus and of the copy."""
    topics = read_corpus(connection).topics
    rows = {row["id"]: row for row in log_rows(connection)}
    chains: dict[EntryKey, list[EntryVersion]] = {}
    for row in rows.values():
        done = row if row["kind"] == "edit" else rows.get(row["target_id"])
        if done is None or done["kind"] != "edit" or done["annotator"] is None:
            continue
        key = EntryKey(done["topic"], done["abstract"], done["annotator"], done["n"])
        before, after = (entry_digest(entry_of(json.loads(done[name]))) for name in ("old", "new"))
        if key not in chains and row is done and before != NO_ENTRY:
            _append(chains, key, before, "")
        _append(chains, key, before if row["kind"] == "undo" else after, row["at"])
    present = {key: digest for topic in topics for key, digest in entries_of(topic)}
    for key in {**present, **chains}:
        digest = present.get(key, NO_ENTRY)
        if key not in chains or chains[key][-1].digest != digest:
            _append(chains, key, digest, "")
    write_versions(connection, chains)
    for topic in topics:
        write_topic_digests(connection, topic)
    write_frame_digest(connection, read_frame(connection))
    for row in rows.values():
        if row["digest"] is None:
            _write_digest(connection, row)


def _append(
    chains: dict[EntryKey, list[EntryVersion]], key: EntryKey, digest: str, at: str
) -> None:
    chain = chains.setdefault(key, [])
    chain.append(EntryVersion(revision=len(chain) + 1, digest=digest, at=at))


def _write_digest(connection: Connection, row: Mapping[str, object]) -> None:
    is_row = OperationRow.id == row["id"]
    connection.execute(update(OperationRow).where(is_row).values(digest=operation_digest(row)))

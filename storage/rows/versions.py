"""Versions of entries, and ids of this copy of the corpus."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from awase.core.progress import batches
from awase.core.records.digests import (
    NO_ENTRY,
    EntryKey,
    EntryVersion,
    Ownership,
    Versions,
    next_version,
)
from awase.storage.querying import (
    Readable,
    Values,
    Writable,
    change,
    only_row_of,
    rows_among,
    rows_of,
)
from awase.storage.rows.inserting import insert_rows

_FEW = 8  # entries loaded singly; of more, the whole topic
TOPICS_AT_ONCE = 500
_ROWS_AT_ONCE = 5_000

_VERSIONS: Final = """
    SELECT topic, abstract, annotator, n, revision, digest, at, replica FROM entry_version
    WHERE is_known {of} ORDER BY id
"""
_OF_ALL: Final = _VERSIONS.format(of="")
_OF_TOPICS: Final = _VERSIONS.format(of="AND topic IN {names}")
_OF_ENTRY: Final = """
    SELECT revision, digest, at, replica FROM entry_version
    WHERE topic = :topic AND abstract = :abstract AND n = :n AND is_known {owner} ORDER BY id
"""
_FORGET: Final = (
    "DELETE FROM entry_version WHERE topic = :topic AND abstract = :abstract AND n = :n {owner}"
)


def new_uid() -> str:
    """Returns a globally unique id."""
    return str(uuid.uuid4())


def name_copy(
    connection: Writable, *, corpus: str, replica: str, handed_to: str | None = None
) -> None:
    """Sets the ids of corpus and copy; `handed_to` is the recipient, None = the main file."""
    change(
        connection, "UPDATE corpus SET uid = :uid, replica = :replica, handed_to = :handed_to",
        uid=corpus, replica=replica, handed_to=handed_to,
    )  # fmt: skip


def read_ownership(connection: Readable, topics: Sequence[str] | None = None) -> Ownership:
    """Loads ids and versions, of all entries or those in `topics`."""
    return replace(bare_ownership(connection), versions=read_versions(connection, topics))


def bare_ownership(connection: Readable) -> Ownership:
    """Loads ids without versions."""
    corpus, replica, handed_to = only_row_of(
        connection, "SELECT uid, replica, handed_to FROM corpus"
    )
    return Ownership(corpus=corpus, replica=replica, handed_to=handed_to)


def read_versions(connection: Readable, only: Sequence[str] | None = None) -> Versions:
    """Loads the versions of all entries, or of those in some topics."""
    if only is None or len(only) > TOPICS_AT_ONCE:
        rows = rows_of(connection, _OF_ALL)
        known = None if only is None else frozenset(only)
        return _by_entry(row for row in rows if known is None or row[0] in known)
    return _by_entry(rows_among(connection, _OF_TOPICS, only))


def _by_entry(rows: Iterable[Values]) -> Versions:
    found: dict[EntryKey, list[EntryVersion]] = defaultdict(list)
    for topic, abstract, annotator, n, revision, digest, at, replica in rows:
        key = EntryKey(topic, abstract, annotator, n)
        version = EntryVersion(revision=revision, digest=digest, at=at, replica=replica)
        found[key].append(version)
    return {key: tuple(versions) for key, versions in found.items()}


def stamp(connection: Writable, changed: Iterable[tuple[EntryKey, str]], *, at: str) -> None:
    """Adds versions of changed entries, with these digests."""
    by_topic: dict[str, list[tuple[EntryKey, str]]] = defaultdict(list)
    for key, digest in changed:
        by_topic[key.topic].append((key, digest))
    if not by_topic:
        return
    (replica,) = only_row_of(connection, "SELECT replica FROM corpus")
    rows = []
    topics = [*by_topic]
    for at_topic in range(0, len(topics), TOPICS_AT_ONCE):
        some = topics[at_topic : at_topic + TOPICS_AT_ONCE]
        changes = [change for topic in some for change in by_topic[topic]]
        known = _known(connection, some, [key for key, _ in changes])
        for key, digest in changes:
            versions = known.get(key, ())
            if versions and versions[-1].digest == digest:
                continue  # a removed topic that was restored
            version = next_version(versions, digest, at=at, replica=replica)
            rows.append(version_values(key, version))
    insert_versions(connection, rows)


def forget_lost(connection: Writable, topics: Sequence[str], there: Collection[EntryKey]) -> None:
    """Removes versions of entries in some topics that were lost, not deleted."""
    # A salvaged copy lacks them; digests would mismatch, and a merge would report them as deleted.
    for key, known in read_versions(connection, only=topics).items():
        if key not in there and known[-1].digest != NO_ENTRY:
            statement, values = _about(key, _FORGET)
            change(connection, statement, **values)


def _known(connection: Readable, topics: Sequence[str], keys: list[EntryKey]) -> Versions:
    if len(keys) > _FEW:
        return read_versions(connection, only=topics)
    return {key: versions_of(connection, key) for key in keys}


def _about(key: EntryKey, sql: str) -> tuple[str, dict[str, object]]:
    """Returns SQL about one entry, and its values."""
    values = {name: value for name, value in key._asdict().items() if value is not None}
    owner = "annotator IS NULL" if key.annotator is None else "annotator = :annotator"
    return sql.format(owner=f"AND {owner}"), values


def versions_of(connection: Readable, key: EntryKey) -> tuple[EntryVersion, ...]:
    """Loads the versions of one entry."""
    query, values = _about(key, _OF_ENTRY)
    rows = rows_of(connection, query, **values)
    return tuple(
        EntryVersion(revision=revision, digest=digest, at=at, replica=replica)
        for revision, digest, at, replica in rows
    )


def version_values(
    key: EntryKey, version: EntryVersion, *, taken_by: int | None = None
) -> dict[str, object]:
    """Returns a version as the columns of its row."""
    return {
        "topic": key.topic,
        "abstract": key.abstract,
        "annotator": key.annotator,
        "n": key.n,
        "revision": version.revision,
        "digest": version.digest,
        "at": version.at,
        "replica": version.replica,
        "taken_by": taken_by,
    }


def insert_versions(connection: Writable, rows: list[dict[str, object]]) -> None:
    """Inserts rows of `version_values`."""
    insert_rows(connection, "entry_version", rows)


def write_versions(
    connection: Writable,
    versions: Mapping[EntryKey, Iterable[EntryVersion]],
    *,
    taken_by: int | None = None,
) -> None:
    """Inserts versions from elsewhere; `taken_by` is the merge."""
    rows = (
        version_values(key, version, taken_by=taken_by)
        for key, more in versions.items()
        for version in more
    )
    for some in batches(rows, _ROWS_AT_ONCE):
        insert_versions(connection, some)


def set_known(connection: Writable, operation_id: int, *, is_known: bool) -> None:
    """Sets whether the versions of a merge count."""
    change(
        connection, "UPDATE entry_version SET is_known = :is_known WHERE taken_by = :taken_by",
        is_known=is_known, taken_by=operation_id,
    )  # fmt: skip

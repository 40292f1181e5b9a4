"""Digests beside the rows, by which a letter that changed on the disk is seen."""

from collections.abc import Mapping
from dataclasses import replace

from awase.core.records.differences import Frame
from awase.core.records.encoding.digests import content_digest, sha256_of, text_digest
from awase.core.records.encoding.json_values import (
    assignment_value,
    head_value,
    human_score_value,
    person_value,
)
from awase.core.records.topic import Topic
from awase.storage.databases.querying import Readable, Writable, change, only_row_of, server_of

_LOGGED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms", "target_id", "replica", "replica_row",
)  # fmt: skip


_LOGGED_LATER = ("suggestion_id", "shown_ms", "n_keys")


def topic_digests(topic: Topic) -> dict[str, object]:
    """Returns the columns that hold a topic's digests."""
    return {"text_digest": text_digest(topic), "digest": content_digest(topic)}


def write_topic_digests(connection: Writable, topic: Topic) -> None:
    """Writes the digests of a topic as it is now."""
    digests = topic_digests(topic)
    columns = ", ".join(f"{name} = :{name}" for name in digests)
    change(connection, f"UPDATE topic SET {columns} WHERE key = :topic", topic=topic.id, **digests)


def frame_digest(frame: Frame) -> str:
    """Returns the digest of everything but the topics."""
    return sha256_of(
        {
            "head": head_value(frame.head),
            "human_scores": [human_score_value(score) for score in frame.human_scores],
            "persons": [person_value(person) for person in frame.persons],
            "assignments": [assignment_value(part) for part in frame.assignments],
        }
    )


def stored_frame_digest(connection: Readable, frame: Frame) -> str:
    """Returns the digest of a frame as the corpus stores it.

    On a server assignments do not count: annotators take work, and have no right to the corpus.
    """
    is_shared = server_of(connection) is not None
    return frame_digest(replace(frame, assignments=()) if is_shared else frame)


def write_frame_digest(connection: Writable, frame: Frame) -> None:
    """Writes the digest of everything but the topics, as it is now, where it is another."""
    digest = stored_frame_digest(connection, frame)
    if only_row_of(connection, "SELECT digest FROM corpus") != (digest,):
        change(connection, "UPDATE corpus SET digest = :digest", digest=digest)


def operation_digest(values: Mapping[str, object]) -> str:
    """Returns the digest of a row of the log, given its columns; one that is missing is NULL."""
    row = [values.get(column) for column in _LOGGED]
    later = [values.get(column) for column in _LOGGED_LATER]
    # A row without them keeps the digest that it had before there were such columns.
    return sha256_of([*row, *later] if any(one is not None for one in later) else row)

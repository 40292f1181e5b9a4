"""A corpus whose topics are read when they are asked for, and what is known of them before."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicOutline, TopicsOnDemand
from awase.storage.databases.querying import Readable, only_row_of, rows_of
from awase.storage.rows.reading import read_corpus, read_frame, read_topics, with_frame

Connect = Callable[[], AbstractContextManager[Readable]]
"""Lets somebody read within a transaction."""

MANY_TOPICS: Final = 1_000
"""From here on topics are read as they are needed: so many take about 100 MB."""


_OUTLINE: Final = "SELECT key, title, language FROM topic ORDER BY position"
_IDS: Final = "SELECT key FROM topic ORDER BY position"
_N_TOPICS: Final = "SELECT COUNT(*) FROM topic"


def read_outline(connection: Readable) -> tuple[TopicOutline, ...]:
    """Returns all topics in their order, without their texts."""
    return tuple(
        TopicOutline(id=key, title=title, language=language)
        for key, title, language in rows_of(connection, _OUTLINE)
    )


def n_topics(connection: Readable) -> int:
    """Returns how many topics there are."""
    return int(only_row_of(connection, _N_TOPICS)[0])


def topics_in_order(connection: Readable, ids: Sequence[str]) -> tuple[Topic, ...]:
    """Returns the topics with these ids, in this order; whoever is gone is left out."""
    found = {topic.id: topic for topic in read_topics(connection, only=ids)}
    return tuple(found[id_] for id_ in ids if id_ in found)


def corpus_on_demand(connect: Connect) -> Corpus:
    """Returns the corpus; each time that topics are asked for, `connect` is.

    Args:
        connect: Where one transaction after the other is begun, a topic may change, or be gone,
            between two.
    """
    with connect() as connection:
        frame = read_frame(connection)
        ids = tuple(key for (key,) in rows_of(connection, _IDS))

    def read(wanted: Sequence[str]) -> Sequence[Topic]:
        with connect() as connection:
            return topics_in_order(connection, wanted)

    return with_frame(frame, TopicsOnDemand(ids, read))


def snapshot_of(connect: Connect, many: int) -> Corpus:
    """Returns the corpus; of more topics than `many` each when it is needed.

    Args:
        connect: Gives one and the same transaction each time.
        many: How many topics are read at once.
    """
    with connect() as connection:
        if n_topics(connection) <= many:
            return read_corpus(connection)
    return corpus_on_demand(connect)

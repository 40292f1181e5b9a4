"""A corpus whose topics are read when they are asked for, and what is known of them before."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import Connection, func, select

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicOutline, TopicsOnDemand
from awase.storage.rows.reading import read_frame, read_topics, with_frame
from awase.storage.rows.schema import TopicRow

Connect = Callable[[], AbstractContextManager[Connection]]
"""Lets somebody read within a transaction."""

MANY_TOPICS: Final = 1_000
"""From here on topics are read as they are needed: so many take about 100 MB."""


def read_outline(connection: Connection) -> tuple[TopicOutline, ...]:
    """Returns all topics in their order, without their texts."""
    query = select(TopicRow.key, TopicRow.title, TopicRow.language).order_by(TopicRow.position)
    return tuple(
        TopicOutline(id=key, title=title, language=language)
        for key, title, language in connection.execute(query).all()
    )


def n_topics(connection: Connection) -> int:
    """Returns how many topics there are."""
    return int(connection.execute(select(func.count(TopicRow.id))).scalar_one())


def topics_in_order(connection: Connection, ids: Sequence[str]) -> tuple[Topic, ...]:
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
        ids = tuple(connection.execute(select(TopicRow.key).order_by(TopicRow.position)).scalars())

    def read(wanted: Sequence[str]) -> Sequence[Topic]:
        with connect() as connection:
            return topics_in_order(connection, wanted)

    return with_frame(frame, TopicsOnDemand(ids, read))

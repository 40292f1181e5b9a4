"""A corpus whose topics are read when they are asked for, and what is known of them before."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, func, select

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicOutline, TopicsOnDemand
from awase.storage.rows.reading import (
    read_frame,
    read_topics,
    with_frame,
    without_cycle_search,
)
from awase.storage.rows.schema import (
    AbstractRow,
    AlignmentRow,
    GoldEntryRow,
    OutputRow,
    TopicRow,
)

Connect = Callable[[], AbstractContextManager[Connection]]
"""Lets somebody read within a transaction."""

MANY_TOPICS: Final = 1_000
"""From here on topics are read as they are needed: so many take about 100 MB."""

_SHAPES_AT_ONCE: Final = 2_000


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
    with without_cycle_search():
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

    def shapes() -> Iterator[Topic]:
        with connect() as connection:
            yield from read_shapes(connection)

    def read(wanted: Sequence[str]) -> Sequence[Topic]:
        with connect() as connection:
            return topics_in_order(connection, wanted)

    return with_frame(frame, TopicsOnDemand(ids, read, read_shapes=shapes))


def read_shapes(connection: Connection) -> Iterator[Topic]:
    """Yields all topics as `shapes_of` tells, some thousands read at a time."""
    last = -1
    while True:
        topic = TopicRow
        rows = connection.execute(
            select(topic.id, topic.key, topic.title, topic.language, topic.position)
            .where(topic.position > last)
            .order_by(topic.position)
            .limit(_SHAPES_AT_ONCE)
        ).all()
        if not rows:
            return
        keys = [row_id for row_id, *_ in rows]
        abstracts, outputs = _abstract_shapes(connection, keys), _output_shapes(connection, keys)
        for row_id, key, title, language, _ in rows:
            yield Topic(
                id=key,
                title=title,
                language=language,
                abstracts=tuple(abstracts[row_id]),
                outputs=tuple(outputs[row_id]),
            )
        last = rows[-1][-1]


def _abstract_shapes(connection: Connection, topics: Sequence[int]) -> dict[int, list[Abstract]]:
    row = AbstractRow
    query = select(row.id, row.topic_id, row.key, row.length, row.author)
    heads = connection.execute(
        query.where(row.topic_id.in_(topics)).order_by(row.topic_id, row.position)
    ).all()
    keys = [row_id for row_id, *_ in heads]
    alignments: dict[int, list[Alignment]] = defaultdict(list)
    for abstract_id, annotator in connection.execute(
        select(AlignmentRow.abstract_id, AlignmentRow.annotator)
        .where(AlignmentRow.abstract_id.in_(keys))
        .order_by(AlignmentRow.abstract_id, AlignmentRow.position)
    ):
        alignments[abstract_id].append(Alignment(annotator=annotator))
    decided: dict[int, int] = {}
    for abstract_id, n in connection.execute(
        select(GoldEntryRow.abstract_id, GoldEntryRow.n).where(GoldEntryRow.abstract_id.in_(keys))
    ):
        decided.setdefault(abstract_id, n)
    found: dict[int, list[Abstract]] = defaultdict(list)
    for row_id, topic_id, key, length, author in heads:
        shape = Abstract(id=key, length=length, author=author, alignments=tuple(alignments[row_id]))
        found[topic_id].append(_with_gold(shape, decided.get(row_id)))
    return found


def _with_gold(shape: Abstract, n: int | None) -> Abstract:
    """Returns the abstract with a decision of some kind about its sentence `n`."""
    if n is None:
        return shape
    gold = GoldEntry(entry=SentenceAlignment(n=n), origin=GoldOrigin.EDITED)
    return replace(shape, sentences=(AbstractSentence(n=n, text=""),), gold=(gold,))


def _output_shapes(connection: Connection, topics: Sequence[int]) -> dict[int, list[Output]]:
    row = OutputRow
    query = select(
        row.topic_id, row.system, row.length, row.is_extract, row.references.is_not(None)
    )
    found: dict[int, list[Output]] = defaultdict(list)
    for topic_id, system, length, is_extract, has_references in connection.execute(
        query.where(row.topic_id.in_(topics)).order_by(row.topic_id, row.position)
    ):
        kind = Extract if is_extract else TextOutput
        references: References | None = () if has_references else None
        found[topic_id].append(
            kind(system=system, sentences=(), length=length, references=references)
        )
    return found

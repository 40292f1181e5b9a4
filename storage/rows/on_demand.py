"""A corpus whose topics are read when they are asked for, and what is known of them before."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicOutline, TopicsOnDemand
from awase.storage.databases.querying import Readable, only_row_of, rows_of
from awase.storage.rows.reading import (
    read_corpus,
    read_frame,
    read_topics,
    with_frame,
    without_cycle_search,
)

Connect = Callable[[], AbstractContextManager[Readable]]
"""Lets somebody read within a transaction."""

MANY_TOPICS: Final = 1_000
"""From here on topics are read as they are needed: so many take about 100 MB."""

_SHAPES_AT_ONCE: Final = 2_000


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
        ids = tuple(key for (key,) in rows_of(connection, _IDS))

    def shapes() -> Iterator[Topic]:
        with connect() as connection:
            yield from read_shapes(connection)

    def read(wanted: Sequence[str]) -> Sequence[Topic]:
        with connect() as connection:
            return topics_in_order(connection, wanted)

    return with_frame(frame, TopicsOnDemand(ids, read, read_shapes=shapes))


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


_WITHIN: Final = (
    " JOIN topic ON topic.id = part.topic_id WHERE topic.position BETWEEN :low AND :high"
)
_SHAPES: Final = (
    "SELECT id, key, title, language, position FROM topic WHERE position > :last "
    f"ORDER BY position LIMIT {_SHAPES_AT_ONCE}"
)
_ABSTRACTS: Final = (
    "SELECT part.id, part.topic_id, part.key, part.length, part.author "
    f"FROM abstract AS part{_WITHIN} ORDER BY part.topic_id, part.position"
)
_ANNOTATORS: Final = (
    "SELECT alignment.abstract_id, alignment.annotator FROM alignment "
    f"JOIN abstract AS part ON part.id = alignment.abstract_id{_WITHIN} "
    "ORDER BY alignment.abstract_id, alignment.position"
)
_DECIDED: Final = (
    "SELECT gold_entry.abstract_id, MIN(gold_entry.n) FROM gold_entry "
    f"JOIN abstract AS part ON part.id = gold_entry.abstract_id{_WITHIN} "
    "GROUP BY gold_entry.abstract_id"
)
_OUTPUTS: Final = (
    "SELECT part.topic_id, part.system, part.length, part.is_extract, "
    f"part.reference_texts IS NOT NULL FROM output AS part{_WITHIN} "
    "ORDER BY part.topic_id, part.position"
)


def read_shapes(connection: Readable) -> Iterator[Topic]:
    """Yields all topics as `shapes_of` tells, some thousands read at a time."""
    last = -1
    while rows := rows_of(connection, _SHAPES, last=last):
        low, last = rows[0][-1], rows[-1][-1]
        abstracts = _abstract_shapes(connection, low, last)
        outputs = _output_shapes(connection, low, last)
        for row_id, key, title, language, _ in rows:
            yield Topic(
                id=key,
                title=title,
                language=language,
                abstracts=tuple(abstracts[row_id]),
                outputs=tuple(outputs[row_id]),
            )


def _abstract_shapes(connection: Readable, low: int, high: int) -> dict[int, list[Abstract]]:
    """Returns the abstracts of topics by row; the range is of places."""
    alignments: dict[int, list[Alignment]] = defaultdict(list)
    for abstract_id, annotator in rows_of(connection, _ANNOTATORS, low=low, high=high):
        alignments[abstract_id].append(Alignment(annotator=annotator))
    decided = {row_id: n for row_id, n in rows_of(connection, _DECIDED, low=low, high=high)}
    found: dict[int, list[Abstract]] = defaultdict(list)
    for row_id, topic_id, key, length, author in rows_of(
        connection, _ABSTRACTS, low=low, high=high
    ):
        shape = Abstract(id=key, length=length, author=author, alignments=tuple(alignments[row_id]))
        found[topic_id].append(_with_gold(shape, decided.get(row_id)))
    return found


def _with_gold(shape: Abstract, n: int | None) -> Abstract:
    """Returns the abstract with a decision of some kind about its sentence `n`."""
    if n is None:
        return shape
    gold = GoldEntry(entry=SentenceAlignment(n=n), origin=GoldOrigin.EDITED)
    return replace(shape, sentences=(AbstractSentence(n=n, text=""),), gold=(gold,))


def _output_shapes(connection: Readable, low: int, high: int) -> dict[int, list[Output]]:
    """Returns the outputs of topics by row; the range is of places."""
    found: dict[int, list[Output]] = defaultdict(list)
    # A system's outputs mostly have one shape in all topics.
    known: dict[tuple[object, ...], Output] = {}
    for topic_id, *shape in rows_of(connection, _OUTPUTS, low=low, high=high):
        key = tuple(shape)
        if key not in known:
            known[key] = _output_shape(*shape)
        found[topic_id].append(known[key])
    return found


def _output_shape(
    system: str, length: str | None, is_extract: object, has_references: object
) -> Output:
    kind = Extract if is_extract else TextOutput
    references: References | None = () if has_references else None
    return kind(system=system, sentences=(), length=length, references=references)

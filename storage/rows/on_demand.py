"""A corpus whose topics are read when they are asked for, and what is known of them before."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Final

from awase.core.batches import batches
from awase.core.cycle_search import without_cycle_search
from awase.core.errors import raise_if_any
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus, rank_problems
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand, each_of, ids_of, on_demand
from awase.storage.databases.querying import Readable, only_row_of, rows_among, rows_of
from awase.storage.rows.reading import (
    read_corpus,
    read_frame,
    read_topics,
    with_frame,
)

Connect = Callable[[], AbstractContextManager[Readable]]
"""Lets somebody read within a transaction."""

MANY_TOPICS: Final = 1_000
"""From here on topics are read as they are needed: so many take about 100 MB."""

SHAPES_AT_ONCE: Final = 500


_IDS: Final = "SELECT key FROM topic ORDER BY position"
_N_TOPICS: Final = "SELECT COUNT(*) FROM topic"
_N_ENTRIES: Final = "SELECT COUNT(*) FROM sentence_alignment"


def n_topics(connection: Readable) -> int:
    """Returns how many topics there are."""
    return int(only_row_of(connection, _N_TOPICS)[0])


def n_entries(connection: Readable) -> int:
    """Returns how many entries annotators have, those with nothing in them included."""
    return int(only_row_of(connection, _N_ENTRIES)[0])


def topics_in_order(
    connection: Readable, ids: Sequence[str], *, with_sources: bool = True
) -> tuple[Topic, ...]:
    """Returns the topics with these ids, in this order; whoever is gone is left out."""
    with without_cycle_search():
        read = read_topics(connection, only=ids, with_sources=with_sources)
        found = {topic.id: topic for topic in read}
    return tuple(found[id_] for id_ in ids if id_ in found)


def corpus_around(connection: Readable, whole: Collection[str]) -> Corpus:
    """Returns the corpus with these topics whole, and of all others nothing but the id."""
    frame = read_frame(connection)
    ids = [key for (key,) in rows_of(connection, _IDS)]
    wanted = [key for key in ids if key in whole]
    read = {
        topic.id: topic
        for begin in range(0, len(wanted), SHAPES_AT_ONCE)
        for topic in topics_in_order(connection, wanted[begin : begin + SHAPES_AT_ONCE])
    }
    return with_frame(frame, tuple([read.get(key) or Topic(id=key) for key in ids]))


def corpus_on_demand(
    connect: Connect, *, may_stay: bool = False, with_sources: bool = True
) -> Corpus:
    """Returns the corpus; each time that topics are asked for, `connect` is.

    Args:
        connect: Where one transaction after the other is begun, a topic may change, or be gone,
            between two.
        may_stay: Whether there are so few topics that all may stay in memory.
        with_sources: As in `read_topics`.
    """
    with connect() as connection:
        frame = read_frame(connection)
        ids = tuple(key for (key,) in rows_of(connection, _IDS))

    def shapes(wanted: Sequence[str]) -> Iterator[Topic]:
        for some in batches(wanted, SHAPES_AT_ONCE):
            with connect() as connection:  # closing a corpus waits for no more than these
                read = read_shapes(connection, some)
            yield from read

    def read(wanted: Sequence[str]) -> Sequence[Topic]:
        with connect() as connection:
            return topics_in_order(connection, wanted, with_sources=with_sources)

    topics = TopicsOnDemand(ids, read, read_shapes=shapes, may_stay=may_stay)
    return with_frame(frame, topics)


def checked_on_demand(connection: Readable) -> Corpus:
    """Returns the corpus, each topic held to the rules of a corpus when it is read.

    What an older program wrote, or a disk changed, nobody checked when it was stored. Whoever reads
    a topic whose rank has no weight is told by a CorpusFormatError.
    """
    corpus = corpus_on_demand(lambda: nullcontext(connection))
    place = {topic_id: at for at, topic_id in enumerate(ids_of(corpus.topics))}

    def checked(topic: Topic) -> Topic:
        raise_if_any(rank_problems(corpus.rank_weights, [(place[topic.id], topic)]))
        return topic

    return replace(corpus, topics=each_of(corpus.topics, checked))


def snapshot_of(connect: Connect, many: int, *, with_sources: bool = True) -> Corpus:
    """Returns the corpus; of more topics than `many` each when it is needed.

    Args:
        connect: Gives one and the same transaction each time.
        many: How many topics are read at once.
        with_sources: As in `read_topics`.
    """
    with connect() as connection:
        if n_topics(connection) <= many:
            return read_corpus(connection, with_sources=with_sources)
    return corpus_on_demand(connect, with_sources=with_sources)


def as_read(corpus: Corpus, many: int = MANY_TOPICS) -> Corpus:
    """Returns a corpus that was just stored as `snapshot_of` would give it, but from memory."""
    if len(corpus.topics) <= many:
        return corpus
    return replace(corpus, topics=on_demand(corpus.topics))


_SHAPES: Final = "SELECT id, key, title, language FROM topic WHERE key IN {names}"
_ABSTRACTS: Final = """
    SELECT id, topic_id, key, length, author FROM abstract
    WHERE topic_id IN {names} ORDER BY topic_id, position
"""
_ANNOTATORS: Final = """
    SELECT abstract_id, annotator FROM alignment
    JOIN abstract ON abstract.id = alignment.abstract_id
    WHERE abstract.topic_id IN {names} ORDER BY abstract_id, alignment.position
"""
_DECIDED: Final = """
    SELECT abstract_id, MIN(n) FROM gold_entry JOIN abstract ON abstract.id = gold_entry.abstract_id
    WHERE abstract.topic_id IN {names} GROUP BY abstract_id
"""
_OUTPUTS: Final = """
    SELECT topic_id, system, length, is_extract, reference_texts IS NOT NULL FROM output
    WHERE topic_id IN {names} ORDER BY topic_id, position
"""


def read_shapes(connection: Readable, ids: Sequence[str]) -> list[Topic]:
    """Returns the topics with these ids, some hundreds at most, as `shapes_of` tells."""
    found = {
        key: (row_id, title, language)
        for row_id, key, title, language in rows_among(connection, _SHAPES, ids)
    }
    rows = [row_id for row_id, *_ in found.values()]
    abstracts, outputs = _abstract_shapes(connection, rows), _output_shapes(connection, rows)
    return [
        Topic(
            id=key,
            title=title,
            language=language,
            abstracts=tuple(abstracts[row_id]),
            outputs=tuple(outputs[row_id]),
        )
        for key in ids
        if key in found
        for row_id, title, language in (found[key],)
    ]


def _abstract_shapes(connection: Readable, topics: Sequence[int]) -> dict[int, list[Abstract]]:
    """Returns the abstracts of topics by row."""
    alignments: dict[int, list[Alignment]] = defaultdict(list)
    for abstract_id, annotator in rows_among(connection, _ANNOTATORS, topics):
        alignments[abstract_id].append(Alignment(annotator=annotator))
    decided = {row_id: n for row_id, n in rows_among(connection, _DECIDED, topics)}
    found: dict[int, list[Abstract]] = defaultdict(list)
    for row_id, topic_id, key, length, author in rows_among(connection, _ABSTRACTS, topics):
        shape = Abstract(id=key, length=length, author=author, alignments=tuple(alignments[row_id]))
        found[topic_id].append(_with_gold(shape, decided.get(row_id)))
    return found


def _with_gold(shape: Abstract, n: int | None) -> Abstract:
    """Returns the abstract with a decision of some kind about its sentence `n`."""
    if n is None:
        return shape
    gold = GoldEntry(entry=SentenceAlignment(n=n), origin=GoldOrigin.EDITED)
    return replace(shape, sentences=(AbstractSentence(n=n, text=""),), gold=(gold,))


def _output_shapes(connection: Readable, topics: Sequence[int]) -> dict[int, list[Output]]:
    """Returns the outputs of topics by row."""
    found: dict[int, list[Output]] = defaultdict(list)
    # A system's outputs mostly have one shape in all topics.
    known: dict[tuple[object, ...], Output] = {}
    for topic_id, *shape in rows_among(connection, _OUTPUTS, topics):
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

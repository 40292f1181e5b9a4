"""Rows to records."""

import gc
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, select

from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import Alignment, AlignmentState, SentenceAlignment
from awase.core.records.assist import USUAL_ASSISTANCE, AssistOrigin, AssistSettings
from awase.core.records.corpus import Corpus
from awase.core.records.encoding.json_values import RefByName, alternatives_of, refs_of, sources_of
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.human_score import HumanScore
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output, TextOutput
from awase.core.records.parts.corpus_parts import CorpusHead, Frame
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    AssignmentRow,
    CorpusRow,
    DocumentRow,
    GoldEntryRow,
    HumanScoreRow,
    OutputRow,
    PersonRow,
    SentenceAlignmentRow,
    SourceSentenceRow,
    TopicRow,
)

Only = str | Collection[str] | None
"""Id of one topic, or ids of some; None = all."""

_Query = TypeVar("_Query", bound=Select[Any])  # Any: the rows differ from query to query


def read_corpus(connection: Connection) -> Corpus:
    """Returns everything that the database holds."""
    frame = read_frame(connection)
    with without_cycle_search():
        return with_frame(frame, read_topics(connection))


def with_frame(frame: Frame, topics: Sequence[Topic]) -> Corpus:
    """Returns the corpus of these topics and everything else."""
    return Corpus(
        name=frame.head.name,
        rank_weights=frame.head.rank_weights,
        guidelines=frame.head.guidelines,
        is_blind=frame.head.is_blind,
        assist=frame.head.assist,
        topics=topics,
        human_scores=frame.human_scores,
        persons=frame.persons,
        assignments=frame.assignments,
    )


def read_frame(connection: Connection) -> Frame:
    """Returns everything but the topics."""
    row = CorpusRow
    name, weights, guidelines, is_blind, assist = connection.execute(
        select(row.name, row.rank_weights, row.guidelines, row.is_blind, row.assist)
    ).one()
    head = CorpusHead(
        name=name,
        rank_weights=tuple((rank, weight) for rank, weight in json.loads(weights)),
        guidelines=guidelines,
        is_blind=is_blind,
        assist=AssistSettings(**json.loads(assist)) if assist else USUAL_ASSISTANCE,
    )
    return Frame(
        head=head,
        human_scores=_human_scores(connection),
        persons=_persons(connection),
        assignments=_assignments(connection),
    )


@contextmanager
def without_cycle_search() -> Iterator[None]:
    """Lets Python's garbage collector rest.

    Records hold no cycles; to look for some among ever more of them, again and again, took a fifth
    of the time of reading a corpus.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def read_topics(connection: Connection, only: Only = None) -> tuple[Topic, ...]:
    """Returns the topics in their order: all, or just those with the ids `only`."""
    query = select(TopicRow.id, TopicRow.key, TopicRow.title, TopicRow.language)
    rows = _rows(connection, query.order_by(TopicRow.position), only)
    documents = _documents(connection, only)
    known_by_topic = {row_id: _known(documents[row_id]) for row_id, *_ in rows}
    abstracts = _abstracts(connection, only, known_by_topic)
    outputs = _outputs(connection, only, known_by_topic)
    return tuple(
        Topic(
            id=key,
            documents=tuple(documents[row_id]),
            abstracts=tuple(abstracts[row_id]),
            outputs=tuple(outputs[row_id]),
            title=title,
            language=language,
        )
        for row_id, key, title, language in rows
    )


def _known(documents: Iterable[Document]) -> RefByName:
    return {
        f"{document.id}:{sentence.n}": SentenceRef(document.id, sentence.n)
        for document in documents
        for sentence in document.sentences
    }


def _rows(connection: Connection, query: Select[Any], only: Only) -> Sequence[Row[Any]]:
    # All at once: row by row takes SQLAlchemy twice as long.
    return connection.execute(_within(query, only)).all()


def _within(query: _Query, only: Only) -> _Query:
    if only is None:
        return query
    return query.where(TopicRow.key == only if isinstance(only, str) else TopicRow.key.in_(only))


def _documents(connection: Connection, only: Only) -> dict[int, list[Document]]:
    query = (
        select(
            SourceSentenceRow.document_id,
            SourceSentenceRow.n,
            SourceSentenceRow.text,
            SourceSentenceRow.paragraph,
        )
        .join(DocumentRow, DocumentRow.id == SourceSentenceRow.document_id)
        .join(TopicRow, TopicRow.id == DocumentRow.topic_id)
        .order_by(SourceSentenceRow.document_id, SourceSentenceRow.position)
    )
    sentences: dict[int, list[SourceSentence]] = defaultdict(list)
    for document_id, n, text, paragraph in _rows(connection, query, only):
        sentences[document_id].append(SourceSentence(n=n, text=text, paragraph=paragraph))
    heads = (
        select(
            DocumentRow.id,
            DocumentRow.topic_id,
            DocumentRow.key,
            DocumentRow.source,
            DocumentRow.date,
            DocumentRow.title,
        )
        .join(TopicRow, TopicRow.id == DocumentRow.topic_id)
        .order_by(DocumentRow.topic_id, DocumentRow.position)
    )
    documents: dict[int, list[Document]] = defaultdict(list)
    for row_id, topic_id, key, source, date, title in _rows(connection, heads, only):
        documents[topic_id].append(
            Document(
                id=key,
                sentences=tuple(sentences[row_id]),
                source=source,
                date=date,
                title=title,
            )
        )
    return documents


def _abstracts(
    connection: Connection, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Abstract]]:
    sentences = _abstract_sentences(connection, only)
    alignments = _alignments(connection, only, known_by_topic)
    gold = _gold(connection, only, known_by_topic)
    query = (
        select(
            AbstractRow.id,
            AbstractRow.topic_id,
            AbstractRow.key,
            AbstractRow.length,
            AbstractRow.author,
            AbstractRow.limit_unit,
            AbstractRow.limit_size,
        )
        .join(TopicRow, TopicRow.id == AbstractRow.topic_id)
        .order_by(AbstractRow.topic_id, AbstractRow.position)
    )
    abstracts: dict[int, list[Abstract]] = defaultdict(list)
    for row_id, topic_id, key, length, author, unit, size in _rows(connection, query, only):
        abstracts[topic_id].append(
            Abstract(
                id=key,
                sentences=tuple(sentences[row_id]),
                length=length,
                author=author,
                limit=None if unit is None else Limit(unit=unit, size=size),
                alignments=tuple(alignments[row_id]),
                gold=tuple(gold[row_id]),
            )
        )
    return abstracts


def _abstract_sentences(connection: Connection, only: Only) -> dict[int, list[AbstractSentence]]:
    query = (
        select(
            AbstractSentenceRow.abstract_id,
            AbstractSentenceRow.n,
            AbstractSentenceRow.text,
            AbstractSentenceRow.rank,
        )
        .join(AbstractRow, AbstractRow.id == AbstractSentenceRow.abstract_id)
        .join(TopicRow, TopicRow.id == AbstractRow.topic_id)
        .order_by(AbstractSentenceRow.abstract_id, AbstractSentenceRow.position)
    )
    sentences: dict[int, list[AbstractSentence]] = defaultdict(list)
    for abstract_id, n, text, rank in _rows(connection, query, only):
        sentences[abstract_id].append(AbstractSentence(n=n, text=text, rank=rank))
    return sentences


def _alignments(
    connection: Connection, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Alignment]]:
    query = (
        select(
            AbstractRow.topic_id,
            SentenceAlignmentRow.alignment_id,
            SentenceAlignmentRow.n,
            SentenceAlignmentRow.state,
            SentenceAlignmentRow.alternatives,
            SentenceAlignmentRow.note,
            SentenceAlignmentRow.rank,
            SentenceAlignmentRow.assist,
        )
        .join(AlignmentRow, AlignmentRow.id == SentenceAlignmentRow.alignment_id)
        .join(AbstractRow, AbstractRow.id == AlignmentRow.abstract_id)
        .join(TopicRow, TopicRow.id == AbstractRow.topic_id)
        .order_by(SentenceAlignmentRow.alignment_id, SentenceAlignmentRow.position)
    )
    entries: dict[int, list[SentenceAlignment]] = defaultdict(list)
    for topic_id, alignment_id, *columns in _rows(connection, query, only):
        entries[alignment_id].append(entry_of_columns(columns, known_by_topic[topic_id]))
    heads = (
        select(AlignmentRow.id, AlignmentRow.abstract_id, AlignmentRow.annotator)
        .join(AbstractRow, AbstractRow.id == AlignmentRow.abstract_id)
        .join(TopicRow, TopicRow.id == AbstractRow.topic_id)
        .order_by(AlignmentRow.abstract_id, AlignmentRow.position)
    )
    alignments: dict[int, list[Alignment]] = defaultdict(list)
    for row_id, abstract_id, annotator in _rows(connection, heads, only):
        alignments[abstract_id].append(
            Alignment(annotator=annotator, sentences=tuple(entries[row_id]))
        )
    return alignments


def entry_of_columns(
    columns: Sequence[Any],  # Any: the columns differ in type
    known: RefByName | None = None,
) -> SentenceAlignment:
    """Returns the entry that the columns n, state, alternatives, note, rank and assist hold.

    Gold has no last one: it is decided by people.
    """
    n, state, alternatives, note, rank, *assist = columns
    sets = () if alternatives == "[]" else alternatives_of(json.loads(alternatives), known or {})
    return SentenceAlignment(
        n=n,
        state=AlignmentState(state),
        alternatives=sets,
        note=note,
        rank=rank,
        assist=AssistOrigin(assist[0]) if assist and assist[0] else None,
    )


_DECISION = (
    GoldEntryRow.decided_by,
    GoldEntryRow.at,
    GoldEntryRow.origin,
    GoldEntryRow.sources,
    GoldEntryRow.locked,
    GoldEntryRow.cause,
)
GOLD_COLUMNS = (
    GoldEntryRow.n,
    GoldEntryRow.state,
    GoldEntryRow.alternatives,
    GoldEntryRow.note,
    GoldEntryRow.rank,
    *_DECISION,
)


def _gold(
    connection: Connection, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[GoldEntry]]:
    query = (
        select(AbstractRow.topic_id, GoldEntryRow.abstract_id, *GOLD_COLUMNS)
        .join(AbstractRow, AbstractRow.id == GoldEntryRow.abstract_id)
        .join(TopicRow, TopicRow.id == AbstractRow.topic_id)
        .order_by(GoldEntryRow.abstract_id, GoldEntryRow.position)
    )
    found: dict[int, list[GoldEntry]] = defaultdict(list)
    for topic_id, abstract_id, *columns in _rows(connection, query, only):
        found[abstract_id].append(gold_of_columns(columns, known_by_topic[topic_id]))
    return found


def gold_of_columns(columns: Sequence[Any], known: RefByName | None = None) -> GoldEntry:
    """Returns the decision that the columns `GOLD_COLUMNS` hold."""
    *entry, decided_by, at, origin, sources, locked, cause = columns
    return GoldEntry(
        entry=entry_of_columns(entry, known),
        decided_by=decided_by,
        at=at,
        origin=GoldOrigin(origin),
        sources=sources_of(json.loads(sources)),
        locked=locked,
        cause=cause,
    )


def _outputs(
    connection: Connection, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Output]]:
    query = (
        select(
            OutputRow.topic_id,
            OutputRow.system,
            OutputRow.length,
            OutputRow.is_extract,
            OutputRow.sentences,
            OutputRow.references,
        )
        .join(TopicRow, TopicRow.id == OutputRow.topic_id)
        .order_by(OutputRow.topic_id, OutputRow.position)
    )
    outputs: dict[int, list[Output]] = defaultdict(list)
    for topic_id, system, length, is_extract, sentences, references in _rows(
        connection, query, only
    ):
        values = json.loads(sentences)
        texts = None if references is None else tuple(map(tuple, json.loads(references)))
        output: Output
        if is_extract:
            refs = refs_of(values, known_by_topic[topic_id])
            output = Extract(system=system, length=length, sentences=refs, references=texts)
        else:
            output = TextOutput(
                system=system, length=length, sentences=tuple(values), references=texts
            )
        outputs[topic_id].append(output)
    return outputs


def _human_scores(connection: Connection) -> tuple[HumanScore, ...]:
    query = select(
        HumanScoreRow.topic,
        HumanScoreRow.system,
        HumanScoreRow.measure,
        HumanScoreRow.value,
        HumanScoreRow.annotator,
    ).order_by(HumanScoreRow.position)
    return tuple(
        HumanScore(topic=topic, system=system, measure=measure, value=value, annotator=annotator)
        for topic, system, measure, value, annotator in connection.execute(query).all()
    )


def _persons(connection: Connection) -> tuple[Person, ...]:
    query = select(PersonRow.key, PersonRow.name, PersonRow.role).order_by(PersonRow.position)
    return tuple(
        Person(id=key, name=name, role=role) for key, name, role in connection.execute(query).all()
    )


def _assignments(connection: Connection) -> tuple[Assignment, ...]:
    query = select(
        AssignmentRow.topic,
        AssignmentRow.abstract,
        AssignmentRow.person,
        AssignmentRow.round,
        AssignmentRow.place,
        AssignmentRow.due,
    ).order_by(AssignmentRow.position)
    return tuple(
        Assignment(
            topic=topic, abstract=abstract, person=person, round=round_, order=order, due=due
        )
        for topic, abstract, person, round_, order, due in connection.execute(query).all()
    )

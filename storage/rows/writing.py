"""Records to rows, within the caller's transaction."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from sqlalchemy import Connection, delete, insert, select, update

from awase.core.progress import Reporter
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import EntryKey, changed_entries
from awase.core.records.encoding.json_values import (
    alternatives_value,
    assist_value,
    dumps,
    sources_value,
)
from awase.core.records.gold import GoldEntry
from awase.core.records.human_score import HumanScore
from awase.core.records.output import Extract, Output
from awase.core.records.parts.corpus_parts import frame_of, head_of
from awase.core.records.parts.topic_parts import Run, TopicParts, difference
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.digests import topic_digests, write_frame_digest
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    AssignmentRow,
    Base,
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
from awase.storage.rows.versions import stamp

_Part = TypeVar("_Part")
_Insert = Callable[[Connection, int, int, _Part], None]
_PartRow = type[DocumentRow] | type[AbstractRow] | type[OutputRow]


def write_difference(
    connection: Connection, old: Corpus, new: Corpus, reporter: Reporter, *, is_stamped: bool = True
) -> Changes:
    """Makes the database hold `new`, which held `old`; topics that are equal are not touched.

    Entries that changed get a new version, unless `is_stamped` is false: then the caller knows
    which versions they are.
    """
    old_by_id = {topic.id: (position, topic) for position, topic in enumerate(old.topics)}
    kept = {topic.id for topic in new.topics}
    gone = [topic_id for topic_id in old_by_id if topic_id not in kept]
    for topic_id in gone:
        connection.execute(delete(TopicRow).where(TopicRow.key == topic_id))
    changed: set[str] = set(gone)
    entries: list[tuple[EntryKey, str]] = []
    for position, topic in enumerate(new.topics):
        reporter.advance(position, len(new.topics), topic.id)
        known_position, known = old_by_id.get(topic.id, (None, None))
        if known is None:
            _insert_topic(connection, topic, position)
        elif known != topic:
            exchange_parts(connection, topic, *difference(known, topic))
        if known is None or known != topic:
            changed.add(topic.id)
            entries += changed_entries(known, topic)
        if known is not None and known_position != position:
            _move_topic(connection, topic.id, position)
    if is_stamped:
        stamp(connection, entries, at=now())
    is_corpus_changed = _write_head(connection, old, new)
    return Changes(topics=frozenset(changed), corpus=is_corpus_changed)


def _move_topic(connection: Connection, topic_id: str, position: int) -> None:
    connection.execute(update(TopicRow).where(TopicRow.key == topic_id).values(position=position))


def _write_head(connection: Connection, old: Corpus, new: Corpus) -> bool:
    is_changed = False
    if _head_values(old) != _head_values(new):
        connection.execute(update(CorpusRow).values(**_head_values(new)))
        is_changed = True
    if old.human_scores != new.human_scores:
        connection.execute(delete(HumanScoreRow))
        scores = enumerate(new.human_scores)
        _insert(connection, HumanScoreRow, (_score_values(idx, score) for idx, score in scores))
        is_changed = True
    if old.persons != new.persons:
        connection.execute(delete(PersonRow))
        persons = enumerate(new.persons)
        _insert(connection, PersonRow, (_person_values(idx, person) for idx, person in persons))
        is_changed = True
    if old.assignments != new.assignments:
        connection.execute(delete(AssignmentRow))
        parts = enumerate(new.assignments)
        _insert(connection, AssignmentRow, (_assignment_values(idx, part) for idx, part in parts))
        is_changed = True
    if is_changed:
        write_frame_digest(connection, frame_of(new))
    return is_changed


def write_new(connection: Connection, corpus: Corpus) -> None:
    """Writes the head of a corpus into a database that has none."""
    connection.execute(insert(CorpusRow).values(**_head_values(corpus)))
    write_frame_digest(connection, frame_of(corpus))


def _head_values(corpus: Corpus) -> dict[str, object]:
    head = head_of(corpus)
    return {
        "name": head.name,
        "rank_weights": dumps(head.rank_weights),
        "guidelines": head.guidelines,
        "is_blind": head.is_blind,
        "assist": dumps(assist_value(head.assist)) if assist_value(head.assist) else None,
    }


def _insert(connection: Connection, row: type[Base], values: Iterable[dict[str, object]]) -> None:
    many = list(values)
    if many:
        connection.execute(insert(row), many)


def new_row_id(connection: Connection, row: type[Base], values: dict[str, object]) -> int:
    """Adds a row and returns its key."""
    key = connection.execute(insert(row).values(values)).inserted_primary_key
    if key is None:
        raise RuntimeError("the database returned no key for a new row")
    return int(key[0])


def exchange_parts(connection: Connection, topic: Topic, old: TopicParts, new: TopicParts) -> None:
    """Makes a stored topic `topic`, of which the parts `old` give way to `new`."""
    row_id = connection.execute(select(TopicRow.id).where(TopicRow.key == topic.id)).scalar_one()
    connection.execute(
        update(TopicRow)
        .where(TopicRow.id == row_id)
        .values(title=topic.title, language=topic.language, **topic_digests(topic))
    )
    _exchange(connection, row_id, DocumentRow, old.documents, new.documents, insert_document)
    _exchange(connection, row_id, AbstractRow, old.abstracts, new.abstracts, insert_abstract)
    _exchange(connection, row_id, OutputRow, old.outputs, new.outputs, insert_output)


def _exchange(
    connection: Connection,
    topic_row_id: int,
    row: _PartRow,
    old: Run[_Part],
    new: Run[_Part],
    insert_part: _Insert[_Part],
) -> None:
    if not old.parts and not new.parts:
        return
    ids = connection.execute(
        select(row.id).where(row.topic_id == topic_row_id).order_by(row.position)
    ).scalars()
    kept = list(ids)
    gone = kept[old.at : old.at + len(old.parts)]
    del kept[old.at : old.at + len(old.parts)]
    connection.execute(delete(row).where(row.id.in_(gone)))
    for idx, kept_id in enumerate(kept):
        place = idx if idx < new.at else idx + len(new.parts)
        moved = update(row).where(row.id == kept_id, row.position != place)
        connection.execute(moved.values(position=place))
    for idx, part in enumerate(new.parts):
        insert_part(connection, topic_row_id, new.at + idx, part)


def _insert_topic(connection: Connection, topic: Topic, position: int) -> None:
    topic_id = new_row_id(
        connection,
        TopicRow,
        {
            "key": topic.id,
            "position": position,
            "title": topic.title,
            "language": topic.language,
            **topic_digests(topic),
        },
    )
    for document_idx, document in enumerate(topic.documents):
        insert_document(connection, topic_id, document_idx, document)
    for abstract_idx, abstract in enumerate(topic.abstracts):
        insert_abstract(connection, topic_id, abstract_idx, abstract)
    for output_idx, output in enumerate(topic.outputs):
        insert_output(connection, topic_id, output_idx, output)


def insert_output(connection: Connection, topic_id: int, position: int, output: Output) -> None:
    """Adds an output to the topic's row."""
    values = {"topic_id": topic_id, "position": position, **_output_values(output)}
    connection.execute(insert(OutputRow).values(**values))


def insert_document(
    connection: Connection, topic_id: int, position: int, document: Document
) -> None:
    """Adds a document to the topic's row."""
    document_id = new_row_id(
        connection,
        DocumentRow,
        {
            "topic_id": topic_id,
            "key": document.id,
            "position": position,
            "source": document.source,
            "date": document.date,
            "title": document.title,
        },
    )
    _insert(
        connection,
        SourceSentenceRow,
        (
            {
                "document_id": document_id,
                "n": sentence.n,
                "position": sent_idx,
                "text": sentence.text,
                "paragraph": sentence.paragraph,
            }
            for sent_idx, sentence in enumerate(document.sentences)
        ),
    )


def insert_abstract(
    connection: Connection, topic_id: int, position: int, abstract: Abstract
) -> None:
    """Adds an abstract and its alignments to the topic's row."""
    limit = abstract.limit
    abstract_id = new_row_id(
        connection,
        AbstractRow,
        {
            "topic_id": topic_id,
            "key": abstract.id,
            "position": position,
            "length": abstract.length,
            "author": abstract.author,
            "limit_unit": limit.unit if limit else None,
            "limit_size": limit.size if limit else None,
        },
    )
    _insert(
        connection,
        AbstractSentenceRow,
        (
            {
                "abstract_id": abstract_id,
                "n": sentence.n,
                "position": sent_idx,
                "text": sentence.text,
                "rank": sentence.rank,
            }
            for sent_idx, sentence in enumerate(abstract.sentences)
        ),
    )
    for alignment_idx, alignment in enumerate(abstract.alignments):
        _insert_alignment(connection, abstract_id, alignment_idx, alignment)
    for gold_idx, decided in enumerate(abstract.gold):
        insert_gold(connection, abstract_id, gold_idx, decided)


def insert_gold(
    connection: Connection, abstract_id: int, position: int, decided: GoldEntry
) -> None:
    """Adds a decision to the abstract's row."""
    values = {
        "abstract_id": abstract_id,
        "position": position,
        **_decided_values(decided.entry),
        "decided_by": decided.decided_by,
        "at": decided.at,
        "origin": decided.origin.value,
        "sources": dumps(sources_value(decided.sources)),
        "locked": decided.locked,
        "cause": decided.cause,
    }
    connection.execute(insert(GoldEntryRow).values(values))


def _insert_alignment(
    connection: Connection, abstract_id: int, position: int, alignment: Alignment
) -> None:
    alignment_id = new_row_id(
        connection,
        AlignmentRow,
        {"abstract_id": abstract_id, "annotator": alignment.annotator, "position": position},
    )
    _insert(
        connection,
        SentenceAlignmentRow,
        (
            {"alignment_id": alignment_id, "position": entry_idx, **entry_values(entry)}
            for entry_idx, entry in enumerate(alignment.sentences)
        ),
    )


def entry_values(entry: SentenceAlignment) -> dict[str, object]:
    """Returns an annotator's entry as the columns of its row."""
    return {**_decided_values(entry), "assist": entry.assist.value if entry.assist else None}


def _decided_values(entry: SentenceAlignment) -> dict[str, object]:
    return {
        "n": entry.n,
        "state": entry.state.value,
        "alternatives": dumps(alternatives_value(entry.alternatives)),
        "note": entry.note,
        "rank": entry.rank,
    }


def _output_values(output: Output) -> dict[str, object]:
    is_extract = isinstance(output, Extract)
    return {
        "system": output.system,
        "length": output.length,
        "is_extract": is_extract,
        "sentences": dumps([str(sentence) for sentence in output.sentences]),
        "reference_texts": None if output.references is None else dumps(output.references),
    }


def _score_values(position: int, score: HumanScore) -> dict[str, object]:
    return {
        "position": position,
        "topic": score.topic,
        "system": score.system,
        "measure": score.measure,
        "value": score.value,
        "annotator": score.annotator,
    }


def _person_values(position: int, person: Person) -> dict[str, object]:
    return {"position": position, "key": person.id, "name": person.name, "role": person.role}


def _assignment_values(position: int, assignment: Assignment) -> dict[str, object]:
    return {
        "position": position,
        "topic": assignment.topic,
        "abstract": assignment.abstract,
        "person": assignment.person,
        "round": assignment.round,
        "place": assignment.order,
        "due": assignment.due,
    }

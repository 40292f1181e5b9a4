"""Records to rows, within the caller's transaction."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from awase.core.cycle_search import without_cycle_search
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
from awase.storage.databases.sqlite import insert_rows
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
_Values = dict[str, object]
_Placed = tuple[int, int, _Part]
"""The key of the row that a part belongs to, its place there, and the part."""

_Insert = Callable[[Connection, Sequence[_Placed[_Part]]], None]
_PartRow = type[DocumentRow] | type[AbstractRow] | type[OutputRow]

_TOPICS_AT_ONCE: Final = 200
"""How many are written with one statement a table: enough for its cost not to count."""


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
    added: list[tuple[int, Topic]] = []
    for position, topic in enumerate(new.topics):
        reporter.advance(position, len(new.topics), topic.id)
        known_position, known = old_by_id.get(topic.id, (None, None))
        if known is None:
            added.append((position, topic))
        elif known != topic:
            exchange_parts(connection, topic, *difference(known, topic))
        if known is None or known != topic:
            changed.add(topic.id)
            entries += changed_entries(known, topic) if is_stamped else ()
        if known is not None and known_position != position:
            _move_topic(connection, topic.id, position)
        if len(added) == _TOPICS_AT_ONCE:
            _insert_topics(connection, added)
            added = []
    _insert_topics(connection, added)
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
        write_assignments(connection, old.assignments, new.assignments)
        is_changed = True
    if is_changed:
        write_frame_digest(connection, frame_of(new))
    return is_changed


def write_assignments(
    connection: Connection, old: Sequence[Assignment], new: Sequence[Assignment]
) -> None:
    """Makes the database hold the assignments `new`, which held `old`.

    What stays where it is is not touched: on a server it may be other people's.
    """
    wanted = {*new}
    staying = [one for one in old if one in wanted]
    row, first = AssignmentRow, 0
    if staying == [*new[: len(staying)]]:
        for one in {*old} - {*staying}:
            abstract = row.abstract
            is_same = abstract.is_(None) if one.abstract is None else abstract == one.abstract
            connection.execute(
                delete(row).where(
                    row.topic == one.topic, is_same, row.person == one.person,
                    row.round == one.round,
                )
            )  # fmt: skip
        new = new[len(staying) :]
        newest = connection.execute(select(func.max(row.position))).scalar_one()
        first = 0 if newest is None else newest + 1
    else:
        connection.execute(delete(row))
    parts = enumerate(new, first)
    _insert(connection, row, (_assignment_values(idx, part) for idx, part in parts))


def write_new(connection: Connection, corpus: Corpus) -> None:
    """Writes the head of a corpus into a database that has none."""
    connection.execute(insert(CorpusRow).values(**_head_values(corpus)))
    write_frame_digest(connection, frame_of(corpus))


def _head_values(corpus: Corpus) -> _Values:
    head = head_of(corpus)
    return {
        "name": head.name,
        "rank_weights": dumps(head.rank_weights),
        "guidelines": head.guidelines,
        "is_blind": head.is_blind,
        "assist": dumps(assist_value(head.assist)) if assist_value(head.assist) else None,
    }


def _insert(connection: Connection, row: type[Base], values: Iterable[_Values]) -> None:
    many = list(values)
    if many:
        insert_rows(connection, _table(row), many)


def _insert_with_keys(
    connection: Connection, row: type[Base], values: Iterable[_Values]
) -> Sequence[int]:
    """Adds rows and returns their keys, in order."""
    many = list(values)
    if not many:
        return []
    table = _table(row)
    (key,) = table.primary_key
    added = insert(table).returning(key, sort_by_parameter_order=True)
    return connection.execute(added, many).scalars().all()


def _table(row: type[Base]) -> Table:
    """Returns the table; a mapped class costs a statement several times as much."""
    return Base.metadata.tables[row.__tablename__]


def new_row_id(connection: Connection, row: type[Base], values: _Values) -> int:
    """Adds a row and returns its key."""
    return _insert_with_keys(connection, row, [values])[0]


def exchange_parts(connection: Connection, topic: Topic, old: TopicParts, new: TopicParts) -> None:
    """Makes a stored topic `topic`, of which the parts `old` give way to `new`."""
    row_id = connection.execute(select(TopicRow.id).where(TopicRow.key == topic.id)).scalar_one()
    connection.execute(
        update(TopicRow)
        .where(TopicRow.id == row_id)
        .values(title=topic.title, language=topic.language, **topic_digests(topic))
    )
    _exchange(connection, row_id, DocumentRow, old.documents, new.documents, _insert_documents)
    _exchange(connection, row_id, AbstractRow, old.abstracts, new.abstracts, _insert_abstracts)
    _exchange(connection, row_id, OutputRow, old.outputs, new.outputs, _insert_outputs)


def _exchange(
    connection: Connection,
    topic_row_id: int,
    row: _PartRow,
    old: Run[_Part],
    new: Run[_Part],
    insert_parts: _Insert[_Part],
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
    insert_parts(
        connection, [(topic_row_id, new.at + idx, part) for idx, part in enumerate(new.parts)]
    )


def _insert_topics(connection: Connection, topics: Sequence[tuple[int, Topic]]) -> None:
    with without_cycle_search():
        _insert_all(connection, topics)


def _insert_all(connection: Connection, topics: Sequence[tuple[int, Topic]]) -> None:
    keys = _insert_with_keys(
        connection,
        TopicRow,
        (
            {
                "key": topic.id,
                "position": position,
                "title": topic.title,
                "language": topic.language,
                **topic_digests(topic),
            }
            for position, topic in topics
        ),
    )
    of_keys = [(key, topic) for key, (_, topic) in zip(keys, topics, strict=True)]
    _insert_documents(connection, _placed((key, topic.documents) for key, topic in of_keys))
    _insert_abstracts(connection, _placed((key, topic.abstracts) for key, topic in of_keys))
    _insert_outputs(connection, _placed((key, topic.outputs) for key, topic in of_keys))


def _placed(parts: Iterable[tuple[int, Sequence[_Part]]]) -> list[_Placed[_Part]]:
    """Returns each part with the row it belongs to and its place there."""
    return [(key, idx, part) for key, of_row in parts for idx, part in enumerate(of_row)]


def _insert_outputs(connection: Connection, outputs: Sequence[_Placed[Output]]) -> None:
    _insert(
        connection,
        OutputRow,
        (
            {"topic_id": topic_id, "position": position, **_output_values(output)}
            for topic_id, position, output in outputs
        ),
    )


def _insert_documents(connection: Connection, documents: Sequence[_Placed[Document]]) -> None:
    keys = _insert_with_keys(
        connection,
        DocumentRow,
        (
            {
                "topic_id": topic_id,
                "key": document.id,
                "position": position,
                "source": document.source,
                "date": document.date,
                "title": document.title,
            }
            for topic_id, position, document in documents
        ),
    )
    texts = [(key, one.sentences) for key, (_, _, one) in zip(keys, documents, strict=True)]
    _insert(
        connection,
        SourceSentenceRow,
        (
            {
                "document_id": document_id,
                "n": sentence.n,
                "position": position,
                "text": sentence.text,
                "paragraph": sentence.paragraph,
            }
            for document_id, position, sentence in _placed(texts)
        ),
    )


def _insert_abstracts(connection: Connection, abstracts: Sequence[_Placed[Abstract]]) -> None:
    """Adds abstracts with their alignments and what was decided of them."""
    keys = _insert_with_keys(
        connection,
        AbstractRow,
        (
            {
                "topic_id": topic_id,
                "key": abstract.id,
                "position": position,
                "length": abstract.length,
                "author": abstract.author,
                "limit_unit": abstract.limit.unit if abstract.limit else None,
                "limit_size": abstract.limit.size if abstract.limit else None,
            }
            for topic_id, position, abstract in abstracts
        ),
    )
    of_keys = [(key, one) for key, (_, _, one) in zip(keys, abstracts, strict=True)]
    _insert(
        connection,
        AbstractSentenceRow,
        (
            {
                "abstract_id": abstract_id,
                "n": sentence.n,
                "position": position,
                "text": sentence.text,
                "rank": sentence.rank,
            }
            for abstract_id, position, sentence in _placed(
                (key, abstract.sentences) for key, abstract in of_keys
            )
        ),
    )
    _insert_alignments(connection, _placed((key, one.alignments) for key, one in of_keys))
    _insert(
        connection,
        GoldEntryRow,
        (
            _gold_values(abstract_id, position, decided)
            for abstract_id, position, decided in _placed((key, one.gold) for key, one in of_keys)
        ),
    )


def insert_gold(
    connection: Connection, abstract_id: int, position: int, decided: GoldEntry
) -> None:
    """Adds a decision to the abstract's row."""
    _insert(connection, GoldEntryRow, [_gold_values(abstract_id, position, decided)])


def _gold_values(abstract_id: int, position: int, decided: GoldEntry) -> _Values:
    return {
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


def _insert_alignments(connection: Connection, alignments: Sequence[_Placed[Alignment]]) -> None:
    keys = _insert_with_keys(
        connection,
        AlignmentRow,
        (
            {"abstract_id": abstract_id, "annotator": one.annotator, "position": position}
            for abstract_id, position, one in alignments
        ),
    )
    entries = [(key, one.sentences) for key, (_, _, one) in zip(keys, alignments, strict=True)]
    _insert(
        connection,
        SentenceAlignmentRow,
        (
            {"alignment_id": alignment_id, "position": position, **entry_values(entry)}
            for alignment_id, position, entry in _placed(entries)
        ),
    )


def entry_values(entry: SentenceAlignment) -> _Values:
    """Returns an annotator's entry as the columns of its row."""
    return {**_decided_values(entry), "assist": entry.assist.value if entry.assist else None}


def _decided_values(entry: SentenceAlignment) -> _Values:
    return {
        "n": entry.n,
        "state": entry.state.value,
        "alternatives": dumps(alternatives_value(entry.alternatives)),
        "note": entry.note,
        "rank": entry.rank,
    }


def _output_values(output: Output) -> _Values:
    is_extract = isinstance(output, Extract)
    return {
        "system": output.system,
        "length": output.length,
        "is_extract": is_extract,
        "sentences": dumps([str(sentence) for sentence in output.sentences]),
        "reference_texts": None if output.references is None else dumps(output.references),
    }


def _score_values(position: int, score: HumanScore) -> _Values:
    return {
        "position": position,
        "topic": score.topic,
        "system": score.system,
        "measure": score.measure,
        "value": score.value,
        "annotator": score.annotator,
    }


def _person_values(position: int, person: Person) -> _Values:
    return {"position": position, "key": person.id, "name": person.name, "role": person.role}


def _assignment_values(position: int, assignment: Assignment) -> _Values:
    return {
        "position": position,
        "topic": assignment.topic,
        "abstract": assignment.abstract,
        "person": assignment.person,
        "round": assignment.round,
        "place": assignment.order,
        "due": assignment.due,
    }

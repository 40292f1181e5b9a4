"""Records to rows, within the caller's transaction."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlalchemy import Connection, delete, func, select, update

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import EntryKey, changed_entries
from awase.core.records.parts.corpus_parts import frame_of, head_of
from awase.core.records.parts.topic_parts import Run, TopicParts, difference
from awase.core.records.project import Assignment
from awase.core.records.topic import Topic
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.digests import topic_digests, write_frame_digest
from awase.storage.rows.inserting import (
    TOPICS_AT_ONCE,
    Placed,
    insert_abstracts,
    insert_assignments,
    insert_documents,
    insert_outputs,
    insert_persons,
    insert_scores,
    insert_topics,
    write_head,
)
from awase.storage.rows.schema import (
    AbstractRow,
    AssignmentRow,
    DocumentRow,
    HumanScoreRow,
    OutputRow,
    PersonRow,
    TopicRow,
)
from awase.storage.rows.versions import stamp

_Part = TypeVar("_Part")
_Insert = Callable[[Connection, Sequence[Placed[_Part]]], None]
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
        if len(added) == TOPICS_AT_ONCE:
            insert_topics(connection, added)
            added = []
    insert_topics(connection, added)
    stamp(connection, entries, at=now())
    is_corpus_changed = _write_frame(connection, old, new)
    return Changes(topics=frozenset(changed), corpus=is_corpus_changed)


def _move_topic(connection: Connection, topic_id: str, position: int) -> None:
    connection.execute(update(TopicRow).where(TopicRow.key == topic_id).values(position=position))


def _write_frame(connection: Connection, old: Corpus, new: Corpus) -> bool:
    """Makes the database hold everything of `new` but its topics; returns whether it changed."""
    is_changed = False
    if head_of(old) != head_of(new):
        write_head(connection, new)
        is_changed = True
    if old.human_scores != new.human_scores:
        connection.execute(delete(HumanScoreRow))
        insert_scores(connection, new.human_scores)
        is_changed = True
    if old.persons != new.persons:
        connection.execute(delete(PersonRow))
        insert_persons(connection, new.persons)
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
    insert_assignments(connection, new, first)


def exchange_parts(connection: Connection, topic: Topic, old: TopicParts, new: TopicParts) -> None:
    """Makes a stored topic `topic`, of which the parts `old` give way to `new`."""
    row_id = connection.execute(select(TopicRow.id).where(TopicRow.key == topic.id)).scalar_one()
    connection.execute(
        update(TopicRow)
        .where(TopicRow.id == row_id)
        .values(title=topic.title, language=topic.language, **topic_digests(topic))
    )
    _exchange(connection, row_id, DocumentRow, old.documents, new.documents, insert_documents)
    _exchange(connection, row_id, AbstractRow, old.abstracts, new.abstracts, insert_abstracts)
    _exchange(connection, row_id, OutputRow, old.outputs, new.outputs, insert_outputs)


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

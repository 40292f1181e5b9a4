"""Records to rows, within the caller's transaction."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from sqlalchemy import Connection, bindparam, delete, func, select, update

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.differences import Run, TopicParts, difference, frame_of, head_of
from awase.core.records.edits.ownership import EntryKey, changed_entries
from awase.core.records.project import Assignment
from awase.core.records.topic import Topic, changed_pairs, ids_of, select_topics
from awase.storage.databases.querying import change, only_row_of, rows_of
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
    AssignmentRow,
    HumanScoreRow,
    PersonRow,
    TopicRow,
)
from awase.storage.rows.versions import stamp

_ENTRIES_AT_ONCE: Final = 10_000
_MOVED: Final = (
    update(TopicRow)
    .where(TopicRow.key == bindparam("topic_id"))
    .values(position=bindparam("place"))
)

_Part = TypeVar("_Part")
_Insert = Callable[[Connection, Sequence[Placed[_Part]]], None]


def write_difference(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    reporter: Reporter,
    *,
    is_stamped: bool = True,
) -> Changes:
    """Makes the database hold `new`, which held `old`; topics that are equal are not touched.

    Args:
        new: What is to be; the topics that both have stand in the same order.
        is_stamped: Whether entries that changed get a new version; else the caller knows which
            versions they are.
    """
    was = {topic_id: place for place, topic_id in enumerate(ids_of(old.topics))}
    place = {topic_id: place for place, topic_id in enumerate(ids_of(new.topics))}
    gone = [one for one in was if one not in place]
    total = len(gone) + len(place)
    for done, topic_id in enumerate(gone):
        reporter.advance(done, total, topic_id)
        connection.execute(delete(TopicRow).where(TopicRow.key == topic_id))
    changed, at = set(gone), now()
    entries: list[tuple[EntryKey, str]] = []

    def take(known: Topic | None, topic: Topic) -> None:
        """Takes note of a topic that is another than it was."""
        changed.add(topic.id)
        if is_stamped:
            entries.extend(changed_entries(known, topic))
        if len(entries) >= _ENTRIES_AT_ONCE:
            stamp(connection, entries, at=at)
            entries.clear()

    for known, topic in changed_pairs(old.topics, new.topics):
        reporter.advance(len(gone) + place[topic.id], total, topic.id)
        if known != topic:
            before, after = difference(known, topic)
            exchange_parts(connection, topic, before, after)
            take(known, topic)
    added: list[tuple[int, Topic]] = []
    for topic in select_topics(new.topics, place.keys() - was.keys()):
        reporter.advance(len(gone) + place[topic.id], total, topic.id)
        take(None, topic)
        added.append((place[topic.id], topic))
        if len(added) == TOPICS_AT_ONCE:
            insert_topics(connection, added)
            added = []
    insert_topics(connection, added)
    stamp(connection, entries, at=at)
    moved = [{"topic_id": one, "place": to} for one, to in place.items() if was.get(one, to) != to]
    if moved:
        connection.execute(_MOVED, moved)
    is_corpus_changed = _write_frame(connection, old, new)
    return Changes(topics=frozenset(changed), corpus=is_corpus_changed)


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
    (row_id,) = only_row_of(connection, "SELECT id FROM topic WHERE key = :key", key=topic.id)
    change(
        connection,
        "UPDATE topic SET title = :title, language = :language, text_digest = :text_digest, "
        "digest = :digest WHERE id = :id",
        id=row_id, title=topic.title, language=topic.language, **topic_digests(topic),
    )  # fmt: skip
    _exchange(connection, row_id, "document", old.documents, new.documents, insert_documents)
    _exchange(connection, row_id, "abstract", old.abstracts, new.abstracts, insert_abstracts)
    _exchange(connection, row_id, "output", old.outputs, new.outputs, insert_outputs)


def _exchange(
    connection: Connection,
    topic_row_id: int,
    table: str,
    old: Run[_Part],
    new: Run[_Part],
    insert_parts: _Insert[_Part],
) -> None:
    if not old.parts and not new.parts:
        return
    query = f"SELECT id, position FROM {table} WHERE topic_id = :topic ORDER BY position"
    kept = [*rows_of(connection, query, topic=topic_row_id)]
    for gone, _ in kept[old.at : old.at + len(old.parts)]:
        change(connection, f"DELETE FROM {table} WHERE id = :id", id=gone)
    del kept[old.at : old.at + len(old.parts)]
    for idx, (kept_id, position) in enumerate(kept):
        place = idx if idx < new.at else idx + len(new.parts)
        if place != position:
            moved = f"UPDATE {table} SET position = :place WHERE id = :id"
            change(connection, moved, place=place, id=kept_id)
    insert_parts(
        connection, [(topic_row_id, new.at + idx, part) for idx, part in enumerate(new.parts)]
    )

"""Edits of a topic's parts and of the corpus's, written within the caller's transaction.

Only the rows of the parts that differ are written. Whether the topic is one afterwards is asked of
the records, which know the rules.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, delete, select, update

from awase.core.errors import InputError
from awase.core.progress import Silent
from awase.core.records.corpus_parts import (
    has_corpus_parts,
    on_present_head,
    with_corpus_parts,
)
from awase.core.records.edit import CorpusEdit, TopicEdit
from awase.core.records.ownership import changed_entries
from awase.core.records.parts import Run, has_parts, with_parts
from awase.storage.changing.changes import Changes
from awase.storage.changing.stale import StaleEdit
from awase.storage.clock import now
from awase.storage.rows.digests import write_topic_digests
from awase.storage.rows.reading import read_corpus, read_topics
from awase.storage.rows.schema import AbstractRow, DocumentRow, OutputRow, TopicRow
from awase.storage.rows.versions import stamp
from awase.storage.rows.writing import (
    insert_abstract,
    insert_document,
    insert_output,
    write_difference,
)

_Part = TypeVar("_Part")
_Insert = Callable[[Connection, int, int, _Part], None]
_Row = type[DocumentRow] | type[AbstractRow] | type[OutputRow]


def write_parts(connection: Connection, edit: TopicEdit) -> None:
    """Puts the edit's new parts in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
        InputError: The topic does not exist, or what came out would break its rules.
    """
    topics = read_topics(connection, only=edit.topic)
    if not topics:
        raise InputError.of("The corpus has no topic “{topic}”.", topic=edit.topic)
    if not has_parts(topics[0], edit.old):
        raise StaleEdit.of(
            "Topic “{topic}” has been changed in the meantime.",
            "Look at it again, then repeat the action.",
            topic=edit.topic,
        )
    after = with_parts(topics[0], edit.old, edit.new)  # refuses what could not be read again
    row_id = connection.execute(select(TopicRow.id).where(TopicRow.key == edit.topic)).scalar_one()
    connection.execute(
        update(TopicRow)
        .where(TopicRow.id == row_id)
        .values(title=edit.new.title, language=edit.new.language)
    )
    old, new = edit.old, edit.new
    _exchange(connection, row_id, DocumentRow, old.documents, new.documents, insert_document)
    _exchange(connection, row_id, AbstractRow, old.abstracts, new.abstracts, insert_abstract)
    _exchange(connection, row_id, OutputRow, old.outputs, new.outputs, insert_output)
    write_topic_digests(connection, after)
    stamp(connection, changed_entries(topics[0], after), at=now())


def write_corpus_edit(connection: Connection, edit: CorpusEdit) -> Changes:
    """Puts the edit's new parts of the corpus in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
        InputError: What came out would break the rules of a corpus.
    """
    corpus = read_corpus(connection)
    old, new = on_present_head(corpus, edit.old, edit.new)
    if not has_corpus_parts(corpus, old):
        raise StaleEdit.of(
            "The corpus has been changed in the meantime.",
            "Look at it again, then repeat the action.",
        )
    after = with_corpus_parts(corpus, old, new)
    return write_difference(connection, corpus, after, Silent())


def _exchange(
    connection: Connection,
    topic_row_id: int,
    row: _Row,
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

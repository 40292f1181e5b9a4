"""What a program that knows no digests has written since one that does: the end of the log.

Every program that knows digests gives one to whatever it finds without, so what lacks one further
up has lost it.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.records.edits.edit import CorpusEdit, Edit
from awase.core.records.edits.verbs import IMPORT
from awase.storage.log.joining import LogRow
from awase.storage.log.logged_edits import unlogged
from awase.storage.log.operations import EDIT, REDO, UNDO
from awase.storage.rows.schema import OperationRow

NOT_READABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What values of a log raise that are not those of an edit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The parts of a corpus that rows of the log say they changed.

    Attributes:
        topics: Ids; None = any.
        has_frame: Whether what is no topic's is among them.
    """

    topics: frozenset[str] | None = frozenset()
    has_frame: bool = False

    def has_topic(self, topic_id: str) -> bool:
        """Returns whether the topic may have been changed."""
        return self.topics is None or topic_id in self.topics

    def __or__(self, other: "Named") -> "Named":
        has_all = self.topics is None or other.topics is None
        return Named(
            topics=None
            if has_all
            else (self.topics or frozenset()) | (other.topics or frozenset()),
            has_frame=self.has_frame or other.has_frame,
        )


def undigested_rows(connection: Connection) -> tuple[LogRow, ...]:
    """Returns the rows of the log that a program without digests has written, oldest first.

    In a file they are its end, and what stands before has digests. On a server, where nobody is
    alone and catches up, they may stand anywhere.
    """
    row = OperationRow
    last = 0
    if connection.dialect.name == "sqlite":
        newest = connection.execute(select(func.max(row.id)).where(row.digest.is_not(None)))
        last = newest.scalar() or sys.maxsize  # whoever made or converted the file wrote one
    lacks = row.digest.is_(None) & (row.id > last)
    query = select(*row.__table__.columns).where(lacks).order_by(row.id)
    return tuple(dict(one) for one in connection.execute(query).mappings())


def steps_back(connection: Connection, rows: Iterable[LogRow]) -> list[Edit]:
    """Returns the edits that take back what the rows did, in the order in which to apply them."""
    steps: list[Edit] = []
    for row in rows:
        try:
            done = _done(connection, row)
        except NOT_READABLE:
            continue  # what it did stays, and does not fit the digests
        if done is not None:
            steps.append(done.inverse())
    return steps[::-1]


def _done(connection: Connection, row: LogRow) -> Edit | None:
    if row["kind"] == EDIT:
        return unlogged(row)
    if row["kind"] not in (UNDO, REDO):
        return None
    columns = OperationRow.__table__.columns
    query = select(*columns).where(OperationRow.id == row["target_id"])
    target = connection.execute(query).mappings().first()
    if target is None:
        return None
    edit = unlogged(dict(target))
    return edit.inverse() if row["kind"] == UNDO else edit


def named_by(connection: Connection, rows: Iterable[LogRow]) -> Named:
    """Returns what the rows say they changed."""
    named = Named()
    for row in rows:
        try:
            named |= _named(connection, row)
        except NOT_READABLE:
            named |= Named(topics=None, has_frame=True)
    return named


def _named(connection: Connection, row: LogRow) -> Named:
    if row["topic"] is not None:
        return Named(topics=frozenset([str(row["topic"])]))
    if row["verb"] == EDIT_GUIDELINES:
        return Named(has_frame=True)
    done = _done(connection, row)
    if isinstance(done, CorpusEdit):
        return Named(topics=done.old.topic_ids | done.new.topic_ids, has_frame=True)
    return _imported(row) if row["kind"] == IMPORT else Named()


def _imported(row: LogRow) -> Named:
    """Returns what an import changed that was logged without its values."""
    details = json.loads(str(row["new"]))
    topics = details.get("topics") if isinstance(details, Mapping) else None
    if not isinstance(topics, list):
        return Named(topics=None, has_frame=True)
    return Named(topics=frozenset(map(str, topics)), has_frame=True)

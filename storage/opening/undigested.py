"""What a program that knows no digests has written since one that does: the end of the log.

Every program that knows digests gives one to whatever it finds without, so what lacks one further
up has lost it.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.records.edits.edit import CorpusEdit, Edit
from awase.core.records.edits.verbs import IMPORT
from awase.storage.log.logged_edits import unlogged
from awase.storage.log.operations import EDIT, REDO, UNDO
from awase.storage.log.rows import LogRow, logged_rows
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


_ANYTHING: Final = Named(topics=None, has_frame=True)


def last_digested(connection: Connection) -> int:
    """Returns the row of the log behind which whatever lacks a digest is an older program's.

    On a server nothing is: there a row without a digest is one that somebody made by hand.
    """
    if connection.dialect.name != "sqlite":
        return sys.maxsize
    row = OperationRow
    newest = connection.execute(select(func.max(row.id)).where(row.digest.is_not(None)))
    return newest.scalar() or sys.maxsize  # whoever made or converted the file wrote one


def has_undigested_rows(connection: Connection) -> bool:
    """Returns whether a program without digests has written into the corpus."""
    return next(undigested_rows(connection), None) is not None


def undigested_rows(
    connection: Connection, kind: str | None = None, *, newest_first: bool = False
) -> Iterator[LogRow]:
    """Yields the rows of the log that a program without digests has written, oldest first.

    Args:
        connection: Within a transaction.
        kind: Of the rows that count; None = all.
        newest_first: Whether they come in the opposite order.
    """
    if connection.dialect.name != "sqlite":
        return iter(())
    row = OperationRow
    wanted = [row.digest.is_(None), row.id > last_digested(connection)]
    if kind is not None:
        wanted.append(row.kind == kind)
    return logged_rows(lambda: nullcontext(connection), *wanted, newest_first=newest_first)


def steps_back(connection: Connection) -> Iterator[Edit]:
    """Yields the edits that take back what an older program did, in the order to apply them."""
    for row in undigested_rows(connection, newest_first=True):
        try:
            done = _done(connection, row)
        except NOT_READABLE:
            continue  # what it did stays, and does not fit the digests
        if done is not None:
            yield done.inverse()


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
    topics: set[str] = set()
    has_all = has_frame = False
    for row in rows:
        try:
            named = _named(connection, row)
        except NOT_READABLE:
            named = _ANYTHING
        topics |= named.topics or frozenset()
        has_all |= named.topics is None
        has_frame |= named.has_frame
    return Named(topics=None if has_all else frozenset(topics), has_frame=has_frame)


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
        return _ANYTHING
    return Named(topics=frozenset(map(str, topics)), has_frame=True)

"""Rows of the log as they stand, read some at a time, and rows that another copy logged."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Final

from sqlalchemy import ColumnElement, Connection, insert, select

from awase.core.annotation.actions import RANK
from awase.core.merging.handing_out import RankStep
from awase.storage.log.operations import EDIT, UNDO, whole
from awase.storage.rows.digests import operation_digest
from awase.storage.rows.schema import OperationRow

Reads = Callable[[], AbstractContextManager[Connection]]
"""Lets somebody read within a transaction."""

LogRow = Mapping[str, object]
"""A row of the log by its columns, `id` included; an older file has fewer."""

ROWS_AT_ONCE: Final = 500
_LONG: Final = 1_000_000
"""Characters of values behind which no more rows are read with those: an import is as long."""


def logged_rows(read: Reads, *wanted: ColumnElement[bool]) -> Iterator[LogRow]:
    """Yields rows of the log, oldest first.

    Args:
        read: Lets this read, again and again; the rows may be written to meanwhile.
    """
    row = OperationRow
    query = select(*row.__table__.columns).where(*wanted).order_by(row.id).limit(ROWS_AT_ONCE)
    rest = query
    while True:
        with read() as connection, connection.execute(rest) as found:
            some = [*_until_long(dict(one) for one in found.mappings())]
        if not some:
            return
        yield from some
        rest = query.where(row.id > some[-1]["id"])


def _until_long(rows: Iterable[LogRow]) -> Iterator[LogRow]:
    n_characters = 0
    for row in rows:
        yield row
        n_characters += sum(len(str(row[name] or "")) for name in ("old", "new"))
        if n_characters > _LONG:
            return


_ROWS_AT_ONCE: Final = 500

_COPIED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms",
)  # fmt: skip

_COPIED_LATER = ("shown_ms", "n_keys")  # what was suggested stays in the copy where it was


def log_rows(connection: Connection) -> tuple[LogRow, ...]:
    """Returns the whole log, what came from other copies included, oldest first."""
    return tuple(each_log_row(lambda: nullcontext(connection)))


def each_log_row(read: Reads) -> Iterator[LogRow]:
    """Yields what `log_rows` returns, some read at a time."""
    return logged_rows(read)


def rank_steps(rows: Iterable[LogRow]) -> Iterator[RankStep]:
    """Yields what was done to ranks in this copy, oldest first."""
    edits: dict[object, RankStep] = {}
    for row in rows:
        if row["verb"] != RANK or row.get("replica") is not None:
            continue
        who, key = str(row["who"]), whole(row["id"])
        if row["kind"] == EDIT:
            place = str(row["topic"]), str(row["abstract"]), whole(row["n"])
            old, new = (None if row[name] is None else str(row[name]) for name in ("old", "new"))
            edits[key] = step = RankStep(row=key, who=who, place=place, old=old, new=new)
            yield step
        elif (done := edits.get(row["target_id"])) is not None:
            undoes = done.row if row["kind"] == UNDO else None
            yield replace(done, row=key, who=who, undoes=undoes)


def join_log(connection: Connection, rows: Iterable[LogRow], replica: str) -> int:
    """Adds those rows that are not here yet and returns how many they were.

    They count for times and audit; what they did is undone where it was done.
    """
    row = OperationRow
    known: set[tuple[object, ...]] = set(
        connection.execute(select(row.replica, row.replica_row)).tuples()
    )
    here = _own_rows(connection)
    added: list[dict[str, object]] = []
    n_added = 0

    def write() -> None:
        nonlocal n_added
        if added:
            connection.execute(insert(row), added)
        n_added += len(added)
        added.clear()

    for one in rows:
        origin = (one.get("replica") or replica, one.get("replica_row") or one["id"])
        values = {column: one[column] for column in _COPIED}
        values |= {column: one[column] for column in _COPIED_LATER if one.get(column) is not None}
        act = one["at"], one["who"], one["verb"], one["subject"]
        if origin in known or act in here:
            continue
        values |= {"replica": origin[0], "replica_row": origin[1]}
        # Rows that are written together have the same columns.
        empty = dict.fromkeys(_COPIED_LATER)
        added.append({**empty, **values, "digest": operation_digest(values)})
        known.add(origin)
        if len(added) == _ROWS_AT_ONCE:
            write()
    write()
    return n_added


def _own_rows(connection: Connection) -> set[tuple[object, ...]]:
    """Returns what tells our own rows, which a copy of the whole file has, too."""
    row = OperationRow
    query = select(row.at, row.who, row.verb, row.subject).where(row.replica.is_(None))
    return set(connection.execute(query).tuples())

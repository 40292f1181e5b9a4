"""Rows of the log as they stand, read some at a time, and their digests."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import ColumnElement, Connection, select

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
        wanted: What is true of the rows that count.
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

"""Questions in plain SQL, the same for a file and a server, asked through whatever driver is there.

A file is read by the standard library's driver alone: SQLAlchemy takes longer to load than most
corpora take to be read and scored. Servers, and transactions that write, are SQLAlchemy's.
`rows/schema.py` alone declares the tables; tests hold what is asked here to it.
"""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause

Readable: TypeAlias = "sqlite3.Connection | Connection"
"""Within a transaction."""

Values: TypeAlias = tuple[Any, ...]  # Any: columns differ in type


def rows_of(connection: Readable, query: str, /, **values: object) -> Sequence[Values]:
    """Returns the rows that a query finds, all at once.

    Args:
        connection: Either driver's.
        query: SQL that both databases understand, with `:name` where a value goes.
        values: By name.
    """
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(query, values).fetchall()
    # All at once: row by row takes SQLAlchemy twice as long.
    return connection.execute(_clause(query), values).tuples().all()


def rows_among(connection: Readable, query: str, values: Sequence[object]) -> Sequence[Values]:
    """Returns the rows that a query finds for some values.

    Args:
        connection: Either driver's.
        query: SQL with `{names}` where the values go, in brackets.
        values: Some hundreds at most.
    """
    named = {f"one{number}": value for number, value in enumerate(values)}
    names = ", ".join(f":{name}" for name in named) or "NULL"
    return rows_of(connection, query.format(names=f"({names})"), **named)


def only_row_of(connection: Readable, query: str, /, **values: object) -> Values:
    """Returns the one row that a query finds.

    Raises:
        ValueError: It finds none, or several.
    """
    (row,) = rows_of(connection, query, **values)
    return row


@lru_cache(maxsize=200)
def _clause(query: str) -> "TextClause":
    from sqlalchemy import text

    return text(query)


def truth(value: object) -> bool:
    """Returns what a column of truth values holds; SQLite has 0 and 1 for it.

    Raises:
        ValueError: It holds something else.
    """
    if value not in (0, 1):
        raise ValueError(value)
    return bool(value)

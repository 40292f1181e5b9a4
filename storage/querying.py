"""Plain SQL, the same for a file and a server, through whatever driver is there.

A file is read, and a new one made, by the standard library's driver alone: SQLAlchemy takes longer
to load than most corpora take to be read and scored. Servers, and transactions that change what is
stored, are SQLAlchemy's.
`rows/schema.py` alone declares the tables; tests hold what is asked here to it.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import lru_cache, wraps
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause


Readable: TypeAlias = "sqlite3.Connection | Connection"  # within a transaction
Writable: TypeAlias = Readable  # within a transaction that may write

# Of one statement, of which SQLite has taken 999 at all times: several rows take less each.
_VALUES_AT_ONCE: Final = 250

Values: TypeAlias = tuple[Any, ...]  # Any: columns differ in type


def is_server(connection: "Connection") -> bool:
    """Returns whether the corpus is on a server, where others may be writing, too."""
    return connection.dialect.name == "postgresql"


def rows_of(connection: Readable, query: str, /, **values: object) -> Sequence[Values]:
    """Returns the rows that a query finds, all at once.

    Args:
        query: SQL that both databases understand, with `:name` where a value goes.
    """
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(query, values).fetchall()
    # All at once: row by row takes SQLAlchemy twice as long.
    return connection.execute(_clause(query), values).tuples().all()


def change(connection: Writable, statement: str, /, **values: object) -> None:
    """Does what a statement says that finds nothing.

    Args:
        statement: SQL that both databases understand, with `:name` where a value goes.
    """
    if isinstance(connection, sqlite3.Connection):
        connection.execute(statement, values).close()
    else:
        connection.execute(_clause(statement), values)


def insert_values(
    connection: Writable, table: str, columns: Mapping[str, Sequence[object]]
) -> None:
    """Adds rows to a table of a file, by its own driver, which takes the values as they are.

    Columns in which nothing stands are left out: for each value that is no number or text the
    driver looks for somebody who makes one of it, which takes longer than to store it.

    Args:
        columns: The values of all rows by the name of their column, at least one row.
    """
    filled = {name: values for name, values in columns.items() if _is_filled(values)} or columns
    names = ", ".join(f'"{column}"' for column in filled)
    row = f"({', '.join('?' * len(filled))})"
    values = chain.from_iterable(zip(*filled.values(), strict=True))
    n_rows, at_once = len(next(iter(filled.values()))), _VALUES_AT_ONCE // len(filled)
    for n_together, n_times in ((at_once, n_rows // at_once), (1, n_rows % at_once)):
        statement = f"INSERT INTO {table} ({names}) VALUES {', '.join([row] * n_together)}"
        some = (tuple(islice(values, n_together * len(filled))) for _ in range(n_times))
        if isinstance(connection, sqlite3.Connection):
            connection.executemany(statement, some).close()
        elif n_times:
            connection.exec_driver_sql(statement, [*some])


def _is_filled(values: Sequence[object]) -> bool:
    return values[0] is not None or values.count(None) < len(values)


def server_of(connection: Readable) -> "Connection | None":
    """Returns the connection to a server; None = it is to a file, by whichever driver."""
    if isinstance(connection, sqlite3.Connection) or connection.dialect.name == "sqlite":
        return None
    return connection


def rows_among(connection: Readable, query: str, values: Sequence[object]) -> Sequence[Values]:
    """Returns the rows that a query finds for some values.

    Args:
        query: SQL with `{names}` where the values go, in brackets.
        values: Some hundreds at most.
    """
    among, named = named_values(values)
    return rows_of(connection, query.format(names=among), **named)


def named_values(values: Sequence[object]) -> tuple[str, dict[str, object]]:
    """Returns some hundred values as SQL in brackets, and by the names that they have there."""
    named = {f"one{number}": value for number, value in enumerate(values)}
    return f"({', '.join(f':{name}' for name in named) or 'NULL'})", named


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


_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Connection = TypeVar("_Connection")
_Given = TypeVar("_Given", covariant=True)


class _Open(Protocol[_Given]):
    """What questions can be asked of."""

    def _reading(self) -> AbstractContextManager[_Given]:
        """Lets one read within one transaction."""
        ...


def read_query(
    read: Callable[Concatenate[_Connection, _Asked], _Answer],
) -> Callable[Concatenate[_Open[_Connection], _Asked], _Answer]:
    """Returns a method that answers as `read` does, within a transaction that only reads."""

    @wraps(read)
    def answer(
        corpus: _Open[_Connection], /, *args: _Asked.args, **keywords: _Asked.kwargs
    ) -> _Answer:
        with corpus._reading() as connection:
            return read(connection, *args, **keywords)

    return answer


# SQL for the beginning of the transaction on the server, as `now` writes it.
SERVER_TIME: Final = (
    "to_char(transaction_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')"
)


def time_of(connection: Readable) -> str:
    """Returns the time for a row of the log: on a server its own, which it writes anyway."""
    if server_of(connection) is None:
        return now()
    return str(only_row_of(connection, f"SELECT {SERVER_TIME}")[0])


def now() -> str:
    """Returns this moment: ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")

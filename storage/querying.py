"""Plain SQL for files and servers, on any driver.

Files are read and created by sqlite3 alone: SQLAlchemy takes longer to import than most corpora
take to be loaded and scored. Servers, and transactions that change stored data, use SQLAlchemy.
Tables are declared in the schema alone; tests compare the SQL here with it.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, wraps
from itertools import chain, islice
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Final,
    Generic,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause


Readable: TypeAlias = "sqlite3.Connection | Connection"  # within a transaction
Writable: TypeAlias = Readable  # within a transaction that may write

# Of one statement; SQLite's oldest limit is 999. Several rows in one are quicker.
_VALUES_AT_ONCE: Final = 250

Values: TypeAlias = tuple[Any, ...]  # Any: columns differ in type


def is_server(connection: "Connection") -> bool:
    """Returns whether the corpus is on a server, with other writers."""
    return connection.dialect.name == "postgresql"


def rows_of(connection: Readable, query: str, /, **values: object) -> Sequence[Values]:
    """Returns a query's rows; SQL is portable, with `:name` parameters."""
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(query, values).fetchall()
    # All together: row by row takes SQLAlchemy twice as long.
    return connection.execute(_clause(query), values).tuples().all()


def change(connection: Writable, statement: str, /, **values: object) -> None:
    """Executes a statement; SQL is portable, with `:name` parameters."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(statement, values).close()
    else:
        connection.execute(_clause(statement), values)


def insert_values(
    connection: Writable, table: str, columns: Mapping[str, Sequence[object]]
) -> None:
    """Inserts rows, given by column (at least one row), into a file by its own driver."""
    # NULL columns are left out: for each value that is no number or text sqlite3 searches for an
    # adapter, which takes longer than storing it.
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
    """Returns a query's rows for some hundred values, inserted at `{names}` in brackets."""
    among, named = named_values(values)
    return rows_of(connection, query.format(names=among), **named)


def named_values(values: Sequence[object]) -> tuple[str, dict[str, object]]:
    """Returns some hundred values as SQL in brackets, and by the names that they have there."""
    named = {f"one{number}": value for number, value in enumerate(values)}
    return f"({', '.join(f':{name}' for name in named) or 'NULL'})", named


def only_row_of(connection: Readable, query: str, /, **values: object) -> Values:
    """Returns a query's only row; `ValueError` for none or several."""
    (row,) = rows_of(connection, query, **values)
    return row


_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTable(Generic[_Record]):
    """A table with a record in each row, in the order of `position`."""

    name: str
    record: Callable[..., _Record]
    attributes: Mapping[str, str]  # column to attribute of the record

    def read(self, connection: Readable) -> tuple[_Record, ...]:
        """Loads all records."""
        query = f"SELECT {', '.join(self.attributes)} FROM {self.name} ORDER BY position"
        columns = tuple(self.attributes)
        rows = rows_of(connection, query)
        return tuple([self.of_row(dict(zip(columns, row, strict=True))) for row in rows])

    def of_row(self, row: Mapping[str, Any]) -> _Record:
        """Returns the record of a row, which may have more columns."""
        return self.record(**{name: row[column] for column, name in self.attributes.items()})

    def values(self, record: _Record) -> dict[str, object]:
        """Returns a record as the columns of its row."""
        return {column: getattr(record, name) for column, name in self.attributes.items()}


@lru_cache(maxsize=200)
def _clause(query: str) -> "TextClause":
    from sqlalchemy import text

    return text(query)


def truth(value: object) -> bool:
    """Returns a Boolean column's value (0 and 1 in SQLite); `ValueError` for others."""
    if value not in (0, 1):
        raise ValueError(value)
    return bool(value)


_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Connection = TypeVar("_Connection")
_Given = TypeVar("_Given", covariant=True)


class _Open(Protocol[_Given]):
    """The interface that queries need."""

    def _reading(self) -> AbstractContextManager[_Given]:
        """Yields a connection in one read transaction."""
        ...


def read_query(
    read: Callable[Concatenate[_Connection, _Asked], _Answer],
) -> Callable[Concatenate[_Open[_Connection], _Asked], _Answer]:
    """Returns a method that runs `read` in a read transaction."""

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

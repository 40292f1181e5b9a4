"""Rows of a damaged file in a sound one that nobody else sees, so that none need be held."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from awase.core.batches import batches
from awase.core.progress import Reporter
from awase.storage.databases.sqlite_errors import file_writes_translated

Row = dict[str, Any]  # Any: whatever the damaged file holds
"""A row by its columns."""

_AT_ONCE: Final = 500


class KeptRows:
    """The rows that could be read, table by table; each row has an `id`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        place: str,
        owners: Mapping[str, str],
        named: Collection[str],
    ) -> None:
        """Keeps nothing yet.

        Args:
            connection: To an empty database that is thrown away.
            place: Where that lies, for people.
            owners: Tables of which rows are asked for by what they belong to, and the column that
                names it.
            named: Tables whose rows are named by the `id` in others.
        """
        self._connection: Final = connection
        self._place: Final = place
        self._owners: Final = owners
        self._named: Final = named
        self._columns: dict[str, tuple[str, ...]] = {}
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")  # never ended: nobody needs it afterwards

    def keep(
        self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]], told: Reporter
    ) -> bool:
        """Keeps the rows of a table and returns whether it could keep all of them.

        Args:
            table: Its name.
            columns: Of the damaged file.
            rows: With a value for each column. Damage makes numbers equal, too: of two rows with
                one `id` the second goes where others name it, as nothing tells whose they are.
            told: Asked now and then whether to go on.

        Raises:
            EnvironmentProblem: There is no room for them.
            Cancelled: The reporter asked to stop.
        """
        owner = self._owners.get(table, "id")
        if not {"id", owner}.issubset(columns):
            return False
        # Columns without a type leave values as they are.
        key = "id INTEGER PRIMARY KEY" if table in self._named else '"id"'
        named = ", ".join(key if one == "id" else _quoted(one) for one in columns)
        places = ", ".join("?" for _ in columns)
        insert = f"INSERT OR IGNORE INTO {table} VALUES ({places})"
        n_left_out = 0
        id_at = columns.index("id")
        self._connection.execute(f"CREATE TABLE {table} ({named})")
        for some in batches(rows, _AT_ONCE):
            told.advance(0, 1, table)
            sound = [row for row in some if isinstance(row[id_at], int)]
            with file_writes_translated(self._place):
                n_left_out += len(some) - self._connection.executemany(insert, sound).rowcount
        with file_writes_translated(self._place):
            self._connection.execute(f"CREATE INDEX of_{table} ON {table} ({_quoted(owner)})")
        self._columns[table] = tuple(columns)
        return n_left_out == 0

    def each(self, table: str) -> Iterator[Row]:
        """Yields the rows of a table in the order of their ids."""
        if table in self._columns:
            yield from self._found(table, "ORDER BY id")

    def among(self, table: str, keys: Sequence[Any]) -> list[Row]:
        """Returns the rows of a table that belong to some things, in their order there."""
        if table not in self._columns:
            return []
        return sorted(self._with(table, self._owners[table], keys), key=position_of)

    def with_ids(self, table: str, keys: Sequence[int]) -> Iterator[Row]:
        """Yields the rows of a table that have some ids."""
        if table in self._columns:
            yield from self._with(table, "id", keys)

    def _with(self, table: str, column: str, keys: Sequence[Any]) -> Iterator[Row]:
        for begin in range(0, len(keys), _AT_ONCE):
            some = keys[begin : begin + _AT_ONCE]
            places = ", ".join("?" for _ in some)
            nothing = f" OR {_quoted(column)} IS NULL" if None in some else ""
            yield from self._found(table, f"WHERE {_quoted(column)} IN ({places}){nothing}", some)

    def owners_of(self, table: str) -> Iterator[Any]:
        """Yields each thing that has rows in a table, once, in the order of their first rows."""
        if table in self._columns:
            column = _quoted(self._owners[table])
            query = f"SELECT {column} FROM {table} GROUP BY {column} ORDER BY min(id)"
            for (key,) in self._connection.execute(query):
                yield key

    def n_orphans(self, table: str, of: str) -> int:
        """Returns how many things that rows of a table belong to are no rows of another."""
        if table not in self._columns:
            return 0
        column = _quoted(self._owners[table])
        strange = f"NOT IN (SELECT id FROM {of})" if of in self._columns else "IS NOT NULL"
        which = f"{column} IS NULL OR {column} {strange}"
        query = f"SELECT count(*) FROM (SELECT DISTINCT {column} FROM {table} WHERE {which})"
        return int(self._connection.execute(query).fetchone()[0])

    def has_any(self, *tables: str) -> bool:
        """Returns whether one of the tables has a row."""
        return any(next(self.each(table), None) is not None for table in tables)

    def _found(self, table: str, how: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        columns = self._columns[table]
        for row in self._connection.execute(f"SELECT * FROM {table} {how}", values):
            yield dict(zip(columns, row, strict=True))


def position_of(row: Row) -> tuple[int, int]:
    """Returns what rows are sorted by: their position among those of one owner, then their id."""
    place, key = row.get("position"), row.get("id")
    return (place if isinstance(place, int) else 0, key if isinstance(key, int) else 0)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

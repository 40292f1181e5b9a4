"""The rows of a damaged database file that can still be read, table by table."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from awase.core.errors import EnvironmentProblem, Missing, OneOfSeveral, Problem, Reporter, batches
from awase.core.records.source import is_storable
from awase.storage.files.corpus_file import (
    SIDE_SUFFIXES,
    copy_with_neighbours,
    file_writes_translated,
)

_Values = tuple[Any, ...]  # Any: whatever the damaged file holds
# So many numbers in a row are tried: where a page of addresses is lost, all behind them fail.
MOST_PROBES: Final = 100_000
_NO_END: Final = 1 << 62
_TABLES = (
    "corpus", "topic", "document", "source_sentence", "abstract", "abstract_sentence", "alignment",
    "sentence_alignment", "gold_entry", "output", "human_score", "person", "assignment",
    "entry_version", "operation", "parse", "suggestion", "score_run",
)  # fmt: skip
# Tables read by owner, and the owner's column.
_OWNERS: Final = {
    "document": "topic_id", "source_sentence": "document_id", "abstract": "topic_id",
    "abstract_sentence": "abstract_id", "alignment": "abstract_id",
    "sentence_alignment": "alignment_id", "gold_entry": "abstract_id", "output": "topic_id",
    "entry_version": "topic",
}  # fmt: skip
# Tables with dependent rows.
_NAMED: Final = frozenset({"topic", "document", "abstract", "alignment"})


# A row by its columns.
Row = dict[str, Any]  # Any: whatever the damaged file holds

_AT_ONCE: Final = 500


class ReadableRows:
    """The rows that could be read, table by table; each row has an `id`."""

    def __init__(self, connection: sqlite3.Connection, place: str) -> None:
        """Starts empty, in an empty temporary database."""
        self._connection: Final = connection
        self._place: Final = place
        self._columns: dict[str, tuple[str, ...]] = {}
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")  # never ended: discarded afterwards

    def keep(
        self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]], told: Reporter
    ) -> bool:
        """Copies readable rows of a table, a value for each column; returns whether all were.

        Damage may duplicate an `id`: the second row is dropped where others reference it, as
        nothing tells whose they are.
        """
        owner = _OWNERS.get(table, "id")
        if not {"id", owner}.issubset(columns):
            return False
        # Untyped columns preserve values.
        key = "id INTEGER PRIMARY KEY" if table in _NAMED else '"id"'
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
        """Returns the rows of a table by owner, in order."""
        if table not in self._columns:
            return []
        return sorted(self._with(table, _OWNERS[table], keys), key=position_of)

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
        """Yields the owners of rows in a table, once, by first row."""
        if table in self._columns:
            column = _quoted(_OWNERS[table])
            query = f"SELECT {column} FROM {table} GROUP BY {column} ORDER BY min(id)"
            for (key,) in self._connection.execute(query):
                yield key

    def n_orphans(self, table: str, of: str) -> int:
        """Returns the number of owners missing in another table."""
        if table not in self._columns:
            return 0
        column = _quoted(_OWNERS[table])
        strange = f"NOT IN (SELECT id FROM {of})" if of in self._columns else "IS NOT NULL"
        which = f"{column} IS NULL OR {column} {strange}"
        query = f"SELECT count(*) FROM (SELECT DISTINCT {column} FROM {table} WHERE {which})"
        return int(self._connection.execute(query).fetchone()[0])

    def has_any(self, *tables: str) -> bool:
        """Returns whether one of the tables has a row."""
        return any(map(self.n_of, tables))

    def n_of(self, table: str) -> int:
        """Returns how many rows of a table could be read."""
        if table not in self._columns:
            return 0
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def _found(self, table: str, how: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        columns = self._columns[table]
        for row in self._connection.execute(f"SELECT * FROM {table} {how}", values):
            yield dict(zip(columns, row, strict=True))


def position_of(row: Row) -> tuple[int, int]:
    """Returns the sort key of rows: position within the owner, then id."""
    place, key = row.get("position"), row.get("id")
    return (place if isinstance(place, int) else 0, key if isinstance(key, int) else 0)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Losses:
    """Losses, each once, in order."""

    def __init__(self) -> None:
        self._told: dict[str, Problem] = {}

    def note(self, *, what: str, **fields: str | int) -> None:
        """Records a loss."""
        problem = Problem(what=what, fields=fields)
        self._told.setdefault(str(problem), problem)

    def told(self) -> tuple[Problem, ...]:
        """Returns the recorded losses."""
        return tuple(self._told.values())


@contextmanager
def readable_rows(path: Path, lost: Losses, reporter: Reporter) -> Iterator[ReadableRows]:
    """Yields the readable rows of the file at `path`, in a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "damaged.awase")
        copy_with_neighbours(path, copy)
        if not copy.exists():
            raise EnvironmentProblem(
                "There is no file “{path}”.", "Check the name.", path=str(path)
            )
        _pad(copy)
        if not _is_database(copy):
            raise _nothing_to_read(path)
        with closing(sqlite3.connect(Path(folder, "rows"), isolation_level=None)) as connection:
            kept = ReadableRows(connection, tempfile.gettempdir())
            for number, table in enumerate(_TABLES):
                _keep(kept, copy, table, lost, OneOfSeveral(reporter, number, len(_TABLES)))
            for suffix in ("", *SIDE_SUFFIXES):
                Path(f"{copy}{suffix}").unlink(missing_ok=True)  # frees disk space
            if not kept.has_any("topic", "source_sentence", "abstract_sentence"):
                raise _nothing_to_read(path)
            yield kept


def _pad(path: Path) -> None:
    """Pads a truncated file to its nominal length, without which SQLite reads nothing."""
    with path.open("r+b") as file:
        header = file.read(100)
        page_size = int.from_bytes(header[16:18], "big")
        expected = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")
        n_bytes = path.stat().st_size
        if len(header) == 100 and n_bytes < expected < 100 * n_bytes:
            file.truncate(expected)


def _is_database(path: Path) -> bool:
    with closing(_connected(path)) as connection, suppress(sqlite3.DatabaseError):
        # One table is enough; the rest of the list of tables may be broken itself.
        return connection.execute("SELECT name FROM sqlite_master").fetchone() is not None
    return False


def _connected(path: Path) -> sqlite3.Connection:
    """Returns a connection with those tables whose schema is readable."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.set_authorizer(_is_reading)
    return connection


def _is_reading(action: int, *names: str | None) -> int:
    """Authorises reading of tables only: no view or function of an untrusted file runs."""
    # The last name is that of the view which asks.
    is_plain = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ) and names[-1] is None
    return sqlite3.SQLITE_OK if is_plain else sqlite3.SQLITE_DENY


def _nothing_to_read(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "Nothing in “{path}” can be read.",
        "Go back to a backup.",
        missing=Missing.BACKUP.value,
        path=str(path),
    )


def _keep(kept: ReadableRows, copy: Path, table: str, lost: Losses, reporter: Reporter) -> None:
    def note_loss() -> None:
        lost.note(what="Some rows of table {table} cannot be read.", table=table)

    with closing(_connected(copy)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        reporter.advance(0, 1, table)
        try:  # without reading any of the table's pages
            empty = connection.execute(f"SELECT * FROM {table} LIMIT 0")
            columns = [one[0] for one in empty.description]
        except sqlite3.DatabaseError as problem:
            if "no such table" not in str(problem):
                note_loss()
            return
        id_at = columns.index("id") if "id" in columns else 0
        rows = (
            _sound(row, table, lost) for row in _read(connection, table, id_at, note_loss, reporter)
        )
        if not kept.keep(table, columns, rows, reporter):
            note_loss()


def _sound(row: _Values, table: str, lost: Losses) -> _Values:
    """Returns the row without bytes and texts that only damage produces."""
    if all(map(_can_be, row)):
        return row
    lost.note(what="Some values of table {table} are invalid.", table=table)
    return tuple(value if _can_be(value) else None for value in row)


def _can_be(value: object) -> bool:
    return is_storable(value) if isinstance(value, str) else not isinstance(value, bytes)


def _read(
    connection: sqlite3.Connection,
    table: str,
    id_at: int,
    note_loss: Callable[[], None],
    reporter: Reporter,
) -> Iterator[_Values]:
    last = 0
    try:
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY id"):
            last = row[id_at]
            yield row
    except sqlite3.DatabaseError:
        note_loss()
        yield from _behind(connection, table, last, id_at, reporter)


def _behind(
    connection: sqlite3.Connection, table: str, last: int, id_at: int, reporter: Reporter
) -> Iterator[_Values]:
    """Yields the rows behind an unreadable place, backwards first."""
    end = _NO_END
    with suppress(sqlite3.DatabaseError):
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY id DESC"):
            if row[id_at] <= last:
                break
            end = row[id_at]
            yield row
    yield from _between(connection, table, range(last + 1, end), id_at, reporter)


def _between(
    connection: sqlite3.Connection, table: str, ids: range, id_at: int, reporter: Reporter
) -> Iterator[_Values]:
    """Yields the rows of an id range, skipping unreadable ones."""
    begin, end = ids.start, ids.stop
    query = f"SELECT * FROM {table} WHERE id >= ? AND id < ? ORDER BY id"
    n_failed = 0
    while begin < end and n_failed < MOST_PROBES:
        reporter.advance(0, 1, table)
        try:
            for row in connection.execute(query, (begin, end)):
                if row[id_at] >= begin:  # damage may reorder rows, which would repeat
                    yield row
                    begin, n_failed = row[id_at] + 1, 0
            return
        except sqlite3.DatabaseError:
            # The driver drops a row when the one behind it cannot be read.
            with suppress(sqlite3.DatabaseError):
                yield from connection.execute(f"SELECT * FROM {table} WHERE id = ?", (begin,))
            begin, n_failed = begin + 1, n_failed + 1

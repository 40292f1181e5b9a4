"""The rows of a damaged database file that can still be read, table by table."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from awase.core.errors import EnvironmentProblem
from awase.core.progress import Reporter
from awase.core.records.identifiers import is_storable
from awase.storage.databases.side_files import SIDE_SUFFIXES
from awase.storage.recovery.kept_rows import KeptRows
from awase.storage.recovery.lost_references import Losses

_Values = tuple[Any, ...]  # Any: whatever the damaged file holds
MOST_PROBES: Final = 100_000
"""So many numbers in a row are tried: where a page of addresses is lost, all behind them fail."""
_NO_END: Final = 1 << 62
_TABLES = (
    "corpus", "topic", "document", "source_sentence", "abstract", "abstract_sentence", "alignment",
    "sentence_alignment", "gold_entry", "output", "human_score", "person", "assignment",
    "entry_version", "operation", "parse",
)  # fmt: skip
_OWNERS: Final = {
    "document": "topic_id", "source_sentence": "document_id", "abstract": "topic_id",
    "abstract_sentence": "abstract_id", "alignment": "abstract_id",
    "sentence_alignment": "alignment_id", "gold_entry": "abstract_id", "output": "topic_id",
    "entry_version": "topic",
}  # fmt: skip
"""Tables whose rows are read with what they belong to, and the column that names it."""
_NAMED: Final = frozenset({"topic", "document", "abstract", "alignment"})
"""Tables whose rows have others that belong to them."""


@contextmanager
def readable_rows(path: Path, lost: Losses, reporter: Reporter) -> Iterator[KeptRows]:
    """Gives the rows of the file at `path`, which stays as it is; they are gone afterwards.

    Args:
        path: A corpus file.
        lost: Gets what cannot be read.
        reporter: Told of each table.

    Raises:
        EnvironmentProblem: Nothing can be read.
        Cancelled: The reporter asked to stop.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "damaged.awase")
        for suffix in ("", *SIDE_SUFFIXES):
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + suffix), f"{copy}{suffix}")
        if not copy.exists():
            raise EnvironmentProblem(
                "There is no file “{path}”.", "Check the name.", path=str(path)
            )
        _pad(copy)
        if not _is_database(copy):
            raise _nothing_to_read(path)
        with closing(sqlite3.connect(Path(folder, "rows"), isolation_level=None)) as connection:
            kept = KeptRows(connection, tempfile.gettempdir(), _OWNERS, _NAMED)
            for number, table in enumerate(_TABLES):
                _keep(kept, copy, table, lost, _Within(reporter, number))
            for suffix in ("", *SIDE_SUFFIXES):
                Path(f"{copy}{suffix}").unlink(missing_ok=True)  # room for what is made of it
            if not kept.has_any("topic", "source_sentence", "abstract_sentence"):
                raise _nothing_to_read(path)
            yield kept


@dataclass(frozen=True, slots=True)
class _Within:
    """Tells a reporter of tables, whatever is told of their rows."""

    reporter: Reporter
    n_done: int

    def advance(self, done: int, total: int, what: str = "") -> None:
        self.reporter.advance(self.n_done, len(_TABLES), what)


def _pad(path: Path) -> None:
    """Makes a file that was cut short as long as it says; SQLite reads nothing of it otherwise."""
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
    """Returns a connection that uses those tables whose descriptions can be read."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.set_authorizer(_is_reading)
    return connection


def _is_reading(action: int, *names: str | None) -> int:
    """Lets rows of tables be read; no view or function of a stranger's file runs, maybe for ever.

    The last name is that of the view which asks.
    """
    is_plain = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ) and names[-1] is None
    return sqlite3.SQLITE_OK if is_plain else sqlite3.SQLITE_DENY


def _nothing_to_read(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "Nothing in “{path}” can be read.",
        "Go back to a backup with “awase restore”.",
        path=str(path),
    )


def _keep(kept: KeptRows, copy: Path, table: str, lost: Losses, reporter: Reporter) -> None:
    """Keeps the rows of a table that can be read, stepping over those that cannot."""

    def note_loss() -> None:
        lost.note(what="Some rows of table {table} cannot be read.", table=table)

    with closing(_connected(copy)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        reporter.advance(0, 1, table)
        try:
            columns = [one[0] for one in _none_of(connection, table).description]
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
    """Returns the row without bytes and texts that no corpus stores; damage made them."""
    if all(map(_can_be, row)):
        return row
    lost.note(what="Some values of table {table} make no sense.", table=table)
    return tuple(value if _can_be(value) else None for value in row)


def _can_be(value: object) -> bool:
    return is_storable(value) if isinstance(value, str) else not isinstance(value, bytes)


def _none_of(connection: sqlite3.Connection, table: str) -> sqlite3.Cursor:
    """Returns no row, but what the columns are; none of the table's pages is looked at."""
    return connection.execute(f"SELECT * FROM {table} LIMIT 0")


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
    """Yields the rows behind a place that cannot be read, those first that are read backwards."""
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
    """Yields the rows with some numbers, stepping over what cannot be read."""
    begin, end = ids.start, ids.stop
    query = f"SELECT * FROM {table} WHERE id >= ? AND id < ? ORDER BY id"
    n_failed = 0
    while begin < end and n_failed < MOST_PROBES:
        reporter.advance(0, 1, table)
        try:
            for row in connection.execute(query, (begin, end)):
                if row[id_at] >= begin:  # rows that damage put out of order would come again
                    yield row
                    begin, n_failed = row[id_at] + 1, 0
            return
        except sqlite3.DatabaseError:
            # The driver drops a row when the one behind it cannot be read.
            with suppress(sqlite3.DatabaseError):
                yield from connection.execute(f"SELECT * FROM {table} WHERE id = ?", (begin,))
            begin, n_failed = begin + 1, n_failed + 1

"""The rows of a damaged database file that can still be read, table by table."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from awase.core.errors import EnvironmentProblem, Problem
from awase.storage.databases.sqlite_files import SIDE_SUFFIXES

Row = dict[str, Any]  # Any: whatever the damaged file holds
"""A row by its columns."""

_MOST_PROBES = 20_000
_TABLES = (
    "corpus", "topic", "document", "source_sentence", "abstract", "abstract_sentence", "alignment",
    "sentence_alignment", "gold_entry", "output", "human_score", "person", "assignment",
    "entry_version", "operation", "parse",
)  # fmt: skip


def readable_rows(path: Path, lost: list[Problem]) -> dict[str, list[Row]]:
    """Returns the rows of each table of the file at `path`, which stays as it is.

    Args:
        path: A corpus file.
        lost: Gets what cannot be read.

    Raises:
        EnvironmentProblem: Nothing can be read.
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
        rows = {table: [*_rows(copy, table, lost)] for table in _TABLES}
    if not rows["topic"] and not rows["source_sentence"] and not rows["abstract_sentence"]:
        raise _nothing_to_read(path)
    return rows


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
        "Take one of the backups in the folder beside it.",
        path=str(path),
    )


def _rows(path: Path, table: str, lost: list[Problem]) -> Iterator[Row]:
    """Yields the rows of a table that can be read, stepping over those that cannot."""
    with closing(_connected(path)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        first, error = [], False
        try:
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY id"):
                first.append(dict(row))
        except sqlite3.OperationalError as problem:
            if "no such table" in str(problem):
                return
            error = True
        except sqlite3.DatabaseError:
            error = True
        yield from first
        if error:
            lost.append(
                Problem(what="Some rows of table {table} cannot be read.", fields={"table": table})
            )
            yield from _behind(connection, table, first[-1]["id"] if first else 0)


def _behind(connection: sqlite3.Connection, table: str, last: int) -> Iterator[Row]:
    """Yields the rows behind a place that cannot be read."""
    tail: list[Row] = []
    with suppress(sqlite3.DatabaseError):
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY id DESC"):
            if row["id"] <= last:
                break
            tail.append(dict(row))
    end = tail[-1]["id"] if tail else last + _MOST_PROBES
    for key in range(last + 1, min(end, last + _MOST_PROBES)):
        with suppress(sqlite3.DatabaseError):
            for row in connection.execute(f"SELECT * FROM {table} WHERE id = ?", (key,)):
                yield dict(row)
    yield from reversed(tail)

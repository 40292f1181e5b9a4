"""Disks that fail: writes that raise what SQLite raises, and real limits.

They strike whoever writes: SQLAlchemy, and SQLite's own driver, by which new files are made.
"""

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

CODES = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_SHMOPEN,  # which a full disk gives, too
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
)


Watch = Callable[[sqlite3.Connection, str], None]


class _Watched(sqlite3.Connection):
    """Tells of what it is asked itself; SQLAlchemy asks its cursors, and has events of its own."""

    watch: Watch
    _is_own = False

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        self._is_own |= statement.startswith("BEGIN")
        self.watch(self, statement)
        return super().execute(statement, *values)

    def executemany(self, statement: str, *values: object) -> sqlite3.Cursor:
        self.watch(self, statement)
        return super().executemany(statement, *values)

    def commit(self) -> None:
        if self._is_own:
            self.watch(self, "COMMIT")
        super().commit()


@contextmanager
def _watched(watch: Watch) -> Iterator[None]:
    connect = sqlite3.connect
    kind = type("Watched", (_Watched,), {"watch": staticmethod(watch)})
    with patch.object(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=kind)):
        yield


class FailedWrites:
    """Counts all writes; the one with number `at`, from 0, fails.

    The commit is the last write of a transaction. `n_writes` says how many there were.
    """

    def __init__(self, at: int | None, code: int) -> None:
        self._at = at
        self._code = code
        self.n_writes = 0

    def fail_if_due(self) -> None:
        is_due = self.n_writes == self._at
        self.n_writes += 1
        if is_due:
            error = sqlite3.OperationalError("the disk has failed")
            error.sqlite_errorcode = self._code
            raise error

    def on_execute(self, _cursor: object, statement: str, *_more: object) -> None:
        if not statement.startswith(("SELECT", "PRAGMA", "BEGIN")):
            self.fail_if_due()

    def on_statement(self, _connection: sqlite3.Connection, statement: str) -> None:
        self.on_execute(None, statement)

    def on_commit(self, _connection: Connection) -> None:
        try:
            self.fail_if_due()
        except sqlite3.OperationalError as error:  # SQLAlchemy wraps only what the driver raises
            raise OperationalError("COMMIT", {}, error) from error


@contextmanager
def failing_write(at: int | None, code: int = sqlite3.SQLITE_FULL) -> Iterator[FailedWrites]:
    """Lets the write with number `at` fail, None = no write."""
    failure = FailedWrites(at, code)
    listeners = {
        "do_execute": failure.on_execute,
        "do_executemany": failure.on_execute,
        "commit": failure.on_commit,
    }
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    try:
        with _watched(failure.on_statement):
            yield failure
    finally:
        for name, listener in listeners.items():
            event.remove(Engine, name, listener)


@contextmanager
def full_disk(n_pages_left: int = 0) -> Iterator[None]:
    """Keeps every database file from growing by more than `n_pages_left` pages."""

    def limit(connection: Connection) -> None:
        n_pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        _set_most_pages(connection, max(1, n_pages + n_pages_left))

    def lift(connection: Connection) -> None:
        _set_most_pages(connection, 2**30)

    def limit_of_driver(connection: sqlite3.Connection, statement: str) -> None:
        if statement.startswith("BEGIN"):
            cursor = connection.cursor()
            (n_pages,) = cursor.execute("PRAGMA page_count").fetchone()
            cursor.execute(f"PRAGMA max_page_count = {max(1, n_pages + n_pages_left)}")

    listeners = {"begin": limit, "rollback": lift, "commit": lift}
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    try:
        with _watched(limit_of_driver):
            yield
    finally:
        for name, listener in listeners.items():
            event.remove(Engine, name, listener)


def _set_most_pages(connection: Connection, n_pages: int) -> None:
    connection.exec_driver_sql(f"PRAGMA max_page_count = {n_pages}").close()


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Makes a disk of 2 MB that is really small, to be filled."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("only an administrator can make a small disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)

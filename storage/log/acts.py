"""Acts that are logged and not undone, and the state that the newest row of the log names."""

from datetime import datetime
from typing import Final

from awase.core.records.encoding.json_values import dumps
from awase.storage.databases.querying import Readable, Writable, only_row_of, server_of
from awase.storage.rows.clock import time_of
from awase.storage.rows.digests import operation_digest
from awase.storage.rows.inserting import insert_with_keys


def add_to_log(connection: Writable, values: dict[str, object]) -> int:
    """Adds a row with its digest and returns its key."""
    (key,) = insert_with_keys(
        connection, "operation", [{**values, "digest": operation_digest(values)}]
    )
    return key


def log_act(
    connection: Writable, *, who: str, kind: str, subject: str, details: dict[str, object]
) -> None:
    """Adds something larger than an edit to the log: a creation, an import."""
    add_to_log(
        connection,
        {
            "at": time_of(connection),
            "who": who,
            "kind": kind,
            "verb": kind,
            "subject": storable(subject),
            "new": dumps(details),
            "active_ms": 0,
        },
    )


def storable(text: str) -> str:
    """Returns a file's name without what no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


_MOST_ROWS: Final = 2**53
"""Nobody ever writes so many; a stranger's file may say so, and then takes no further row."""
_NEWEST: Final = "SELECT at, id FROM operation {within} ORDER BY id DESC LIMIT 1"
_NUMBERED: Final = "WHERE id <= (SELECT last_value FROM operation_id_seq)"
"""Of a server: what it numbered itself, and no row that somebody gave a number of their own."""


def newest_state(connection: Readable) -> str:
    """Returns the time and number of the newest row, which change with every change.

    Raises:
        ValueError: The log was not written by Awase.
    """
    within = "" if server_of(connection) is None else _NUMBERED
    at, key = only_row_of(connection, _NEWEST.format(within=within))
    if not 0 <= key < _MOST_ROWS:
        raise ValueError(key)
    return f"{datetime.fromisoformat(at):%Y%m%dT%H%M%SZ}-{key}"

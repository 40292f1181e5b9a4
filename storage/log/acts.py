"""Rows of the operation log as they are added, by SQLAlchemy or by SQLite's own driver."""

from awase.core.records.encoding.json_values import dumps
from awase.storage.databases.querying import Writable
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

"""The moment, as the file keeps it."""

from datetime import UTC, datetime
from typing import Final

from awase.storage.databases.querying import Readable, only_row_of, server_of

SERVER_TIME: Final = (
    "to_char(transaction_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')"
)
"""SQL for the beginning of the transaction on the server, as `now` writes it."""


def time_of(connection: Readable) -> str:
    """Returns the time for a row of the log: on a server its own, which it writes anyway."""
    if server_of(connection) is None:
        return now()
    return str(only_row_of(connection, f"SELECT {SERVER_TIME}")[0])


def now() -> str:
    """Returns this moment: ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")

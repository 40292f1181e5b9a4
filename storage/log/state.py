"""In which state a corpus is, by the newest row of its log."""

from datetime import datetime
from typing import Final

from awase.storage.databases.querying import Readable, only_row_of, server_of

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

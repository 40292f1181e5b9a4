"""In which state a corpus is, by the newest row of its log."""

from datetime import datetime
from typing import Final

from awase.storage.databases.querying import Readable, only_row_of

_MOST_ROWS: Final = 2**53
"""Nobody ever writes so many; a stranger's file may say so, and then takes no further row."""
_NEWEST: Final = "SELECT at, id FROM operation ORDER BY id DESC LIMIT 1"


def newest_state(connection: Readable) -> str:
    """Returns the time and number of the newest row, which change with every change.

    Raises:
        ValueError: The log was not written by Awase.
    """
    at, key = only_row_of(connection, _NEWEST)
    if not 0 <= key < _MOST_ROWS:
        raise ValueError(key)
    return f"{datetime.fromisoformat(at):%Y%m%dT%H%M%SZ}-{key}"

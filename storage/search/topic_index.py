"""Which topics of a large corpus may have some words, by SQLite's full-text search.

The index is no part of the corpus: its file lies in the user's cache, may be deleted at any time,
and is never sent to anybody. It knows a topic's texts by their digest, so whatever changes the
corpus, another program or a restored backup, makes no topic's entry wrong: a topic whose texts are
not in the index may have any words. An entry that no topic has any more is passed over.
"""

import hashlib
import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from awase.core.text.tokens.grams import grams_needed
from awase.storage.databases.sqlite_files import remove_database

MOST_BYTES: Final = 4_000_000_000
"""Of all indices together; those not used for longest give way."""
_FORMAT: Final = 1
_ENDING: Final = ".search"
_MOST_FOUND: Final = 30_000
"""Where more topics may have the words, going through all finds enough soon."""
_MOST_GRAMS: Final = 24
_MOST_ENTRIES: Final = 2
"""A topic: texts that are gone stay until there are as many as of those that are here."""
_FEW_ENTRIES: Final = 20
_NOT_AN_INDEX: Final = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""What SQLite says of a damaged file; one of another version is made again likewise."""
_MADE: Final = (
    "CREATE TABLE topic (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE)",
    # `ascii` takes every letter beyond ASCII as it is: nothing is folded or split twice.
    "CREATE VIRTUAL TABLE gram USING "
    "fts5(grams, content='', columnsize=0, detail=none, tokenize='ascii')",
    "INSERT INTO gram (gram, rank) VALUES ('hashsize', 16777216)",
    f"PRAGMA user_version = {_FORMAT}",
)


def index_path(folder: Path, location: str) -> Path:
    """Returns where the index of the corpus file at `location` is kept."""
    return folder / (hashlib.sha256(location.encode(errors="replace")).hexdigest()[:32] + _ENDING)


def connected(path: Path) -> sqlite3.Connection:
    """Returns a connection to the index, which is made when there is none that can be used.

    Raises:
        sqlite3.Error: This SQLite has no full-text search, or nothing can be written there.
        OSError: There is no such folder, and it cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _connected(path)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code & 0xFF not in _NOT_AN_INDEX:  # somebody else may be writing it
            raise
        remove_database(path)
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("trusted_schema = OFF", "journal_mode = WAL", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}").close()
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            make_tables(connection)
        connection.execute("COMMIT")
        if version not in (0, _FORMAT):
            raise sqlite3.DatabaseError("an index of another version")
        connection.execute("SELECT rowid FROM gram WHERE gram MATCH '\"a\"' LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def make_tables(connection: sqlite3.Connection) -> None:
    """Makes an empty index."""
    for statement in _MADE:
        connection.execute(statement)


def write_topic(connection: sqlite3.Connection, digest: str, grams: set[str]) -> None:
    """Adds a topic's texts, which are not there yet, within a transaction."""
    row = connection.execute("INSERT INTO topic (digest) VALUES (?)", (digest,)).lastrowid
    connection.execute("INSERT INTO gram (rowid, grams) VALUES (?, ?)", (row, " ".join(grams)))


def known_digests(connection: sqlite3.Connection, digests: Sequence[str]) -> set[str]:
    """Returns those of some hundred digests that are there."""
    marks = ", ".join("?" * len(digests))
    query = f"SELECT digest FROM topic WHERE digest IN ({marks})"
    return {digest for (digest,) in connection.execute(query, digests)}


def make_room(folder: Path, spared: Path, most_bytes: int = MOST_BYTES) -> None:
    """Removes the indices that were not used for longest, until the rest fits; never `spared`."""
    with suppress(OSError):
        found = [(path, path.stat()) for path in folder.glob(f"*{_ENDING}") if path != spared]
        room = most_bytes
        for path, stat in sorted(found, key=lambda one: -one[1].st_mtime):
            room -= stat.st_size
            if room < 0:
                remove_database(path)


class TopicIndex:
    """What is known of the topics of a corpus as it is now.

    Attributes:
        n_missing: How many of the topics are not in the index.
        n_entries: How many entries it has, also of texts that are gone.
    """

    def __init__(
        self, connection: sqlite3.Connection, topics: Sequence[str], digests: Sequence[str | None]
    ) -> None:
        """Reads what there is; the connection is closed with it.

        Args:
            connection: To the index.
            topics: Ids of all topics, in their order.
            digests: Of their texts, None where it is not known.
        """
        self._connection, self._topics = connection, topics
        rows = dict(connection.execute("SELECT digest, id FROM topic").fetchall())
        self.n_entries = len(rows)
        self._place_by_row = array("l", [-1]) * (max(rows.values(), default=0) + 1)
        missing = []
        for place, digest in enumerate(digests):
            row = None if digest is None else rows.pop(digest, None)
            if row is None:
                missing.append(place)
            else:
                self._place_by_row[row] = place
        self._missing = missing
        self.n_missing = len(missing)

    def candidates(self, needle: str) -> tuple[str, ...] | None:
        """Returns the topics that may have the needle, in their order; None = any may.

        Args:
            needle: As `finding.folded` makes it.
        """
        grams = sorted(grams_needed(needle), key=lambda gram: (-len(gram), gram))[:_MOST_GRAMS]
        if not grams or self.n_missing == len(self._topics):
            return None
        query = "SELECT rowid FROM gram WHERE gram MATCH ? LIMIT ?"
        words = " AND ".join(f'"{gram}"' for gram in grams)
        try:
            found = self._connection.execute(query, (words, _MOST_FOUND + 1)).fetchall()
        except sqlite3.Error:  # it was damaged or deleted: the texts are there all the same
            return None
        if len(found) > _MOST_FOUND:
            return None
        last = len(self._place_by_row)  # rows of a build that goes on come later
        places = {self._place_by_row[row] for (row,) in found if row < last} - {-1}
        return tuple(self._topics[place] for place in sorted(places.union(self._missing)))

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()


def index_at(path: Path, topics: Sequence[str], digests: Sequence[str | None]) -> TopicIndex | None:
    """Returns what the index knows of a corpus so far; None = none can be kept there.

    One that is mostly of texts that are gone begins anew.

    Args:
        path: Of the index.
        topics: Ids of all topics, in their order.
        digests: Of their texts, None where it is not known.
    """
    try:
        index = TopicIndex(connected(path), topics, digests)
        if index.n_entries > _MOST_ENTRIES * len(topics) + _FEW_ENTRIES:
            index.close()
            remove_database(path)
            index = TopicIndex(connected(path), topics, digests)
        path.touch()
    except (OSError, sqlite3.Error):  # no full-text search, or no room: texts are gone through
        return None
    return index

"""The index is made in a process of its own: it takes minutes, and Python's lock with it."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from awase.core.text.text_search import folded
from awase.core.text.tokens.grams import grams_of
from awase.storage.databases.querying import Readable, rows_among, rows_of
from awase.storage.databases.sqlite_files import connected_to_read
from awase.storage.opening.reading import readable_file
from awase.storage.rows.sentences import read_sentences
from awase.storage.search.topic_index import connected, known_digests, write_topic

_AT_ONCE: Final = 100
_IDS: Final = "SELECT key FROM topic ORDER BY position"
_DIGESTS: Final = "SELECT key, text_digest FROM topic WHERE key IN {names}"


def build_and_tell(location: str, index: str, telling: Connection) -> None:
    """Adds to an index the topics that it lacks; tells (done, of how many) now and then.

    What is done is stored at each word, so whoever ends the process loses the last moment only.

    Args:
        location: A corpus file.
        index: The index's file.
        telling: Where it is told.
    """
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        with FileLock(f"{index}.lock", timeout=0):
            for done, total in built(Path(location), Path(index)):
                telling.send((done, total))
    except Timeout:
        return  # another window is at it


def built(location: Path, index: Path) -> Iterator[tuple[int, int]]:
    """Adds to an index the topics that it lacks, and yields (done, of how many) now and then.

    Raises:
        EnvironmentProblem: The corpus cannot be read.
        sqlite3.Error: The index cannot be written.
    """
    path = readable_file(location)
    with connected_to_read(path) as connection:
        ids = [key for (key,) in rows_of(connection, _IDS)]
    with closing(connected(index)) as writing:
        for begin in range(0, len(ids), _AT_ONCE):
            # A transaction each: one of minutes would keep all that is written beside it waiting.
            with connected_to_read(path) as connection:
                _add(writing, connection, ids[begin : begin + _AT_ONCE])
            yield min(begin + _AT_ONCE, len(ids)), len(ids)


def _add(writing: sqlite3.Connection, connection: Readable, ids: Sequence[str]) -> None:
    found = {key: digest for key, digest in rows_among(connection, _DIGESTS, ids)}
    digests = [digest for digest in found.values() if digest is not None]
    known = known_digests(writing, digests)
    wanted = {key: digest for key, digest in found.items() if digest and digest not in known}
    texts: dict[str, list[str]] = {key: [] for key in wanted}
    for sentence in read_sentences(connection, [*wanted]):
        texts[sentence.topic].append(folded(sentence.text))
    writing.execute("BEGIN IMMEDIATE")
    for digest, key in {digest: key for key, digest in wanted.items()}.items():
        write_topic(writing, digest, grams_of(texts[key]))
    writing.execute("COMMIT")

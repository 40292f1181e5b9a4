"""Makes a large corpus ready to be searched: with an index, kept up to date in another process."""

import multiprocessing
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from awase.core.progress import Reporter
from awase.storage.search.building import build_and_tell
from awase.storage.search.topic_index import TopicIndex, index_at, index_path, make_room

FEW_MISSING: Final = 20
"""So many topics that are not in the index are searched as they are."""
_POLL_S: Final = 0.1


def known_index(
    location: str, topics: Sequence[str], digests: Sequence[str | None], folder: Path
) -> TopicIndex | None:
    """Returns what an index knows of a corpus file so far; None = none can be kept here.

    Args:
        location: Path of the corpus.
        topics: Ids of its topics, in their order.
        digests: Of their texts, None where it is not known.
        folder: Where indices are kept.
    """
    return index_at(index_path(folder, location), topics, digests)


def is_behind(index: TopicIndex) -> bool:
    """Returns whether so much is missing in the index that searching takes longer."""
    return index.n_missing > FEW_MISSING


def catch_up(location: str, folder: Path, reporter: Reporter) -> None:
    """Adds to a corpus file's index the topics that it lacks; what is done by then stays.

    Args:
        location: Path of the corpus.
        folder: Where indices are kept.
        reporter: Told how many topics were looked at; it may stop it.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    path = index_path(folder, location)
    make_room(folder, path)
    context = multiprocessing.get_context("spawn")
    hearing, telling = context.Pipe(duplex=False)
    process = context.Process(
        target=build_and_tell, args=(location, str(path), telling), daemon=True, name="search"
    )
    process.start()
    telling.close()
    done, total = 0, 1
    try:
        with closing(hearing), suppress(EOFError, OSError):  # the end of what it tells
            while True:
                if hearing.poll(_POLL_S):
                    done, total = hearing.recv()
                reporter.advance(done, total)
    finally:
        process.kill()
        process.join()
        process.close()

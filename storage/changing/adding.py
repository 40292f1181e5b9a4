"""Imports into a stored corpus, and changes of it as a whole, in the caller's transaction."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import (
    Addition,
    merge,
    topics_named,
)
from awase.core.records.edits.verbs import IMPORT
from awase.core.records.encoding.packed_parts import Difference
from awase.storage.changing.filling import become_copy
from awase.storage.log.acts import storable
from awase.storage.log.long_edits import LongEdit
from awase.storage.log.operations import Operation
from awase.storage.rows.changes import Changes
from awase.storage.rows.reading import corpus_around, read_corpus
from awase.storage.rows.writing import write_difference

PORTION_LETTERS: Final = 32_000_000
"""Characters of JSON after which an edit goes into the log in portions."""


def add_to(
    connection: Connection,
    addition: Addition,
    *,
    who: str,
    source: str,
    reporter: Reporter,
) -> tuple[Operation | None, Changes]:
    """Joins an import to the corpus; returns what to undo, None when it changed nothing.

    Args:
        connection: Within a transaction.
        addition: What joins it.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.

    Raises:
        CorpusFormatError: It contradicts the corpus; with every conflict.
        Cancelled: The reporter asked to stop.
    """
    old = corpus_around(connection, topics_named(addition))
    new, ownership = merge(old, addition), addition.ownership
    if ownership is not None and ownership.corpus and not old.topics:
        become_copy(connection, ownership)
    log = LongEdit(connection, who=who, verb=IMPORT, subject=storable(source))
    return exchanged(connection, old, new, log, reporter)


def change_by(
    connection: Connection,
    change: Callable[[Corpus], Corpus],
    *,
    who: str,
    verb: str,
    subject: str,
    with_sources: bool,
    reporter: Reporter,
) -> tuple[Operation | None, Changes]:
    """Makes the corpus what `change` makes of it, as `WritingStore.change` tells."""
    old = read_corpus(connection, with_sources=with_sources)
    log = LongEdit(connection, who=who, verb=verb, subject=storable(subject))
    return exchanged(connection, old, change(old), log, reporter)


def exchanged(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    log: LongEdit,
    reporter: Reporter,
    *,
    is_stamped: bool = True,
) -> tuple[Operation | None, Changes]:
    """Makes the database hold `new`, which held `old`; returns what to undo, None = no change.

    Each topic is read and written once, and what it was is packed until there is enough to log.
    """
    notes = Difference(old, new, PORTION_LETTERS, log.take)
    changes = write_difference(connection, old, new, reporter, is_stamped=is_stamped, notes=notes)
    return log.end(notes.last()), changes

"""Imports into a stored corpus, and changes of it as a whole, in the caller's transaction."""

from collections.abc import Callable

from sqlalchemy import Connection

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.differences import corpus_difference
from awase.core.records.edits.addition import (
    Addition,
    merge,
    topics_named,
)
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.edits.verbs import IMPORT
from awase.storage.log.acts import storable
from awase.storage.log.operations import Operation, log_edit
from awase.storage.opening.new_corpus import become_copy
from awase.storage.rows.changes import Changes
from awase.storage.rows.reading import corpus_around, read_corpus
from awase.storage.rows.writing import write_difference


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
    return exchanged(connection, old, new, reporter, who=who, verb=IMPORT, subject=storable(source))


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
    return exchanged(
        connection, old, change(old), reporter, who=who, verb=verb, subject=storable(subject)
    )


def exchanged(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    reporter: Reporter,
    *,
    who: str,
    verb: str,
    subject: str,
    is_stamped: bool = True,
) -> tuple[Operation | None, Changes]:
    """Makes the database hold `new`, which held `old`; returns what to undo, None = no change."""
    changes = write_difference(connection, old, new, reporter, is_stamped=is_stamped)
    before, after = corpus_difference(old, new)
    if before == after:
        return None, changes
    edit = CorpusEdit(verb=verb, old=before, new=after, subject=subject)
    return log_edit(connection, who=who, edit=edit), changes

"""Imports into a stored corpus, and changes of it as a whole, in the caller's transaction."""

from collections.abc import Callable, Collection
from contextlib import nullcontext

from sqlalchemy import Connection

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import (
    Addition,
    merge,
    topics_named,
    without_extracts,
)
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.edits.joining import MOST_HELD
from awase.core.records.edits.verbs import IMPORT
from awase.core.records.encoding.packed_parts import Difference
from awase.storage.changing.filling import become_copy
from awase.storage.log.acts import storable
from awase.storage.rows.changes import Changes
from awase.storage.rows.on_demand import (
    corpus_around,
    corpus_on_demand,
    topics_with_extracts,
)
from awase.storage.rows.writing import write_difference


def add_to(
    connection: Connection,
    addition: Addition,
    *,
    source: str,
    reporter: Reporter,
    replacing: Collection[str] = (),
) -> tuple[CorpusEdit | None, Changes]:
    """Joins an import to the corpus; returns the edit to log, None when it changed nothing.

    Args:
        connection: Within a transaction.
        addition: What joins it.
        source: Where it is from, for the log.
        reporter: Told of each topic.
        replacing: Systems whose extracts give way to it.

    Raises:
        CorpusFormatError: It contradicts the corpus; with every conflict.
        Cancelled: The reporter asked to stop.
    """
    named = topics_named(addition) | topics_with_extracts(connection, replacing)
    if len(named) <= MOST_HELD:
        old = corpus_around(connection, named)
    else:
        old = corpus_on_demand(lambda: nullcontext(connection))
    new = merge(without_extracts(old, replacing), addition, reporter)
    if addition.ownership is not None and addition.ownership.corpus and not old.topics:
        become_copy(connection, addition.ownership)
    return exchanged(connection, old, new, reporter, verb=IMPORT, subject=storable(source))


def change_by(
    connection: Connection,
    change: Callable[[Corpus], Corpus],
    *,
    verb: str,
    subject: str,
    with_sources: bool,
    reporter: Reporter,
) -> tuple[CorpusEdit | None, Changes]:
    """Makes the corpus what `change` makes of it, as `WritingStore.change` tells."""
    old = corpus_on_demand(lambda: nullcontext(connection), with_sources=with_sources)
    return exchanged(connection, old, change(old), reporter, verb=verb, subject=subject)


def exchanged(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    reporter: Reporter,
    *,
    verb: str,
    subject: str,
    is_stamped: bool = True,
) -> tuple[CorpusEdit | None, Changes]:
    """Makes the database hold `new`, which held `old`; returns the edit to log, None = no change.

    Each topic is read and written once, and what it was is packed until all are done.
    """
    notes = Difference()
    changes = write_difference(connection, old, new, reporter, is_stamped=is_stamped, notes=notes)
    before, after = notes.sides(old, new)
    if before == after:
        return None, changes
    return CorpusEdit(verb=verb, old=before, new=after, subject=subject), changes

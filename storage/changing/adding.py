"""Imports into a stored corpus, within the caller's transaction."""

from collections.abc import Collection

from sqlalchemy import Connection

from awase.core.annotation.corpus_edits import corpus_edit
from awase.core.progress import Reporter
from awase.core.records.edits.addition import Addition, merge, topics_named, without_extracts
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.edits.verbs import IMPORT
from awase.storage.changing.filling import become_copy
from awase.storage.log.acts import storable
from awase.storage.rows.changes import Changes
from awase.storage.rows.on_demand import corpus_around, topics_with_extracts
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
    old = corpus_around(connection, named)
    new = merge(without_extracts(old, replacing), addition)
    if addition.ownership is not None and addition.ownership.corpus and not old.topics:
        become_copy(connection, addition.ownership)
    changes = write_difference(connection, old, new, reporter)
    return corpus_edit(old, new, verb=IMPORT, subject=storable(source)), changes

"""Imports into a stored corpus, within the caller's transaction."""

from collections.abc import Collection

from sqlalchemy import Connection

from awase.core.annotation.corpus_edits import IMPORT, corpus_edit
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition, merge, without_extracts
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.edits.ownership import Ownership
from awase.storage.databases.migrating import make_tables
from awase.storage.log.operations import log_act, storable
from awase.storage.rows.changes import Changes
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.versions import name_copy, new_uid, write_versions
from awase.storage.rows.writing import write_difference, write_new


def fill_new(connection: Connection, *, name: str, who: str) -> None:
    """Makes the tables in an empty database, and a corpus with nothing but its name."""
    make_tables(connection)
    write_new(connection, Corpus(name=name))
    name_copy(connection, corpus=new_uid(), replica=new_uid())
    log_act(connection, who=who, kind="create", subject=name, details={})


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
    old = read_corpus(connection)
    new = merge(without_extracts(old, replacing), addition)
    if addition.ownership is not None and addition.ownership.corpus and not old.topics:
        _become_copy(connection, addition.ownership)
    changes = write_difference(connection, old, new, reporter)
    return corpus_edit(old, new, verb=IMPORT, subject=storable(source)), changes


def fill_from(
    connection: Connection, addition: Addition, *, who: str, source: str, reporter: Reporter
) -> None:
    """Puts an import into a corpus that is being made; it is part of making it, so not undone.

    Raises:
        CorpusFormatError: It contradicts itself.
        Cancelled: The reporter asked to stop.
    """
    _, changes = add_to(connection, addition, source=source, reporter=reporter)
    details: dict[str, object] = {"topics": sorted(changes.touched_topics())}
    log_act(connection, who=who, kind=IMPORT, subject=source, details=details)


def _become_copy(connection: Connection, ownership: Ownership) -> None:
    """Makes an empty corpus another copy of the one that the import is of."""
    name_copy(
        connection,
        corpus=ownership.corpus,
        replica=new_uid(),
        handed_to=ownership.handed_to,
    )
    write_versions(connection, ownership.versions)

"""Imports into a stored corpus, within the caller's transaction."""

from sqlalchemy import Connection

from awase.core.progress import Reporter
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.storage.changes import Changes
from awase.storage.migrating import upgrade
from awase.storage.operations import log_act
from awase.storage.reading import read_corpus
from awase.storage.writing import write_difference, write_new


def fill_new(connection: Connection, *, name: str, who: str) -> None:
    """Makes the tables in an empty database, and a corpus with nothing but its name."""
    upgrade(connection)
    write_new(connection, Corpus(name=name))
    log_act(connection, who=who, kind="create", subject=name, details={})


def add_to(
    connection: Connection, addition: Addition, *, who: str, source: str, reporter: Reporter
) -> Changes:
    """Joins an import to the corpus and logs it.

    Raises:
        CorpusFormatError: It contradicts the corpus; with every conflict.
        Cancelled: The reporter asked to stop.
    """
    old = read_corpus(connection)
    changes = write_difference(connection, old, merge(old, addition), reporter)
    details: dict[str, object] = {"topics": sorted(changes.touched_topics())}
    log_act(connection, who=who, kind="import", subject=source, details=details)
    return changes

"""Imports into a stored corpus, within the caller's transaction."""

from collections.abc import Collection

from sqlalchemy import Connection

from awase.core.progress import Reporter
from awase.core.records.addition import Addition, merge, without_extracts
from awase.core.records.corpus import Corpus
from awase.storage.changing.changes import Changes
from awase.storage.log.operations import log_act
from awase.storage.opening.migrating import upgrade
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.writing import write_difference, write_new


def fill_new(connection: Connection, *, name: str, who: str) -> None:
    """Makes the tables in an empty database, and a corpus with nothing but its name."""
    upgrade(connection)
    write_new(connection, Corpus(name=name))
    log_act(connection, who=who, kind="create", subject=name, details={})


def add_to(
    connection: Connection,
    addition: Addition,
    *,
    who: str,
    source: str,
    reporter: Reporter,
    replacing: Collection[str] = (),
) -> Changes:
    """Joins an import to the corpus and logs it.

    Args:
        connection: Within a transaction.
        addition: What joins it.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.
        replacing: Systems whose extracts give way to it.

    Raises:
        CorpusFormatError: It contradicts the corpus; with every conflict.
        Cancelled: The reporter asked to stop.
    """
    old = read_corpus(connection)
    new = merge(without_extracts(old, replacing), addition)
    changes = write_difference(connection, old, new, reporter)
    details: dict[str, object] = {"topics": sorted(changes.touched_topics())}
    if replacing:
        details["replaced"] = sorted(replacing)
    log_act(connection, who=who, kind="import", subject=source, details=details)
    return changes

"""A corpus that is being made, within the caller's transaction.

By SQLAlchemy or by SQLite's own driver, which loads at once; see `querying.py`.
"""

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition, merge
from awase.core.records.edits.ownership import Ownership, changed_entries
from awase.core.records.edits.verbs import IMPORT
from awase.core.records.parts.corpus_parts import frame_of
from awase.core.records.topic import Topic
from awase.core.records.topics import ids_of
from awase.storage.databases.querying import Writable
from awase.storage.databases.statements import make_tables
from awase.storage.log.acts import log_act
from awase.storage.rows.clock import now
from awase.storage.rows.digests import write_frame_digest
from awase.storage.rows.inserting import (
    TOPICS_AT_ONCE,
    insert_assignments,
    insert_corpus,
    insert_persons,
    insert_scores,
    insert_topics,
    write_head,
)
from awase.storage.rows.versions import forget_lost, name_copy, new_uid, stamp, write_versions


def fill_new(connection: Writable, *, name: str, who: str) -> None:
    """Makes the tables in an empty database, and a corpus with nothing but its name."""
    make_tables(connection)
    insert_corpus(connection, Corpus(name=name))
    name_copy(connection, corpus=new_uid(), replica=new_uid())
    log_act(connection, who=who, kind="create", subject=name, details={})


def fill_from(
    connection: Writable,
    addition: Addition,
    *,
    name: str,
    who: str,
    source: str,
    reporter: Reporter,
) -> None:
    """Puts an import into a corpus that is being made; it is part of making it, so not undone.

    Args:
        connection: To what `fill_new` made.
        addition: What joins it.
        name: Of the corpus.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.

    Raises:
        CorpusFormatError: It contradicts itself.
        Cancelled: The reporter asked to stop.
    """
    corpus = merge(Corpus(name=name), addition)
    fill_with(connection, corpus, addition.ownership, who=who, source=source, reporter=reporter)


def fill_with(
    connection: Writable,
    corpus: Corpus,
    ownership: Ownership | None,
    *,
    who: str,
    source: str,
    reporter: Reporter,
) -> None:
    """Makes what `fill_new` made hold a corpus, topic by topic.

    Args:
        connection: To what `fill_new` made.
        corpus: Of the same name.
        ownership: Of the copy that it becomes; None, or of no corpus = it is one of its own.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    is_copy = ownership is not None and bool(ownership.corpus)
    if ownership is not None and is_copy:
        become_copy(connection, ownership)
    _insert_topics(connection, corpus, reporter, is_copy=is_copy)
    write_head(connection, corpus)
    insert_scores(connection, corpus.human_scores)
    insert_persons(connection, corpus.persons)
    insert_assignments(connection, corpus.assignments)
    write_frame_digest(connection, frame_of(corpus))
    details: dict[str, object] = {"topics": sorted(ids_of(corpus.topics))}
    log_act(connection, who=who, kind=IMPORT, subject=source, details=details)


def _insert_topics(
    connection: Writable, corpus: Corpus, reporter: Reporter, *, is_copy: bool
) -> None:
    at = now()
    some: list[tuple[int, Topic]] = []

    def insert() -> None:
        insert_topics(connection, some)
        entries = [entry for _, topic in some for entry in changed_entries(None, topic)]
        stamp(connection, entries, at=at)
        if is_copy:
            there = {key for key, _ in entries}
            forget_lost(connection, [topic.id for _, topic in some], there)
        some.clear()

    for position, topic in enumerate(corpus.topics):
        reporter.advance(position, len(corpus.topics), topic.id)
        some.append((position, topic))
        if len(some) == TOPICS_AT_ONCE:
            insert()
    insert()


def become_copy(connection: Writable, ownership: Ownership) -> None:
    """Makes an empty corpus another copy of the one that the import is of."""
    name_copy(
        connection,
        corpus=ownership.corpus,
        replica=new_uid(),
        handed_to=ownership.handed_to,
    )
    write_versions(connection, ownership.versions)

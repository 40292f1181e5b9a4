"""Creating corpora without opening them, by sqlite3 alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from awase.core.annotation.verbs import IMPORT
from awase.core.progress import Reporter, Silent
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.core.records.differences import frame_of
from awase.core.records.digests import Ownership, changed_entries
from awase.core.records.topic import Topic, ids_of
from awase.core.team.handing_out import Copy
from awase.storage.addresses import Location, is_url
from awase.storage.files.plain_files import Fill, create_and_close
from awase.storage.files.statements import make_tables
from awase.storage.querying import Writable, now
from awase.storage.rows.inserting import (
    TOPICS_AT_ONCE,
    insert_assignments,
    insert_corpus,
    insert_persons,
    insert_scores,
    insert_topics,
    log_act,
    write_frame_digest,
    write_head,
)
from awase.storage.rows.parses import by_digest, write_parses
from awase.storage.rows.versions import forget_lost, name_copy, new_uid, stamp, write_versions


def fill_new(connection: Writable, *, name: str, who: str) -> None:
    """Creates tables and an empty corpus with a name."""
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
    """Imports into a corpus under creation, not undoable; `connection` after `fill_new`."""
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
    """Writes a corpus topic by topic; `connection` after `fill_new`.

    Args:
        ownership: Of the copy that it becomes; None, or of no corpus = a corpus of its own.
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
    """Turns an empty corpus into another copy of the imported one."""
    name_copy(
        connection,
        corpus=ownership.corpus,
        replica=new_uid(),
        handed_to=ownership.handed_to,
    )
    write_versions(connection, ownership.versions)


# Models, each with texts and their parses.
ParsesByModel = Iterable[tuple[str, Iterable[tuple[str, str]]]]


def create_corpus(
    location: Location,
    *,
    name: str,
    who: str,
    addition: Addition | None = None,
    parses: Mapping[str, Mapping[str, str]] | None = None,
    source: str = "",
    reporter: Reporter | None = None,
) -> None:
    """Creates and closes a corpus; arguments and errors as of `CorpusStore.create`."""
    fill = filled_with(
        name=name, who=who, addition=addition, parses=parses, source=source, reporter=reporter
    )
    _create(location, who, fill)


def _create(location: Location, who: str, fill: Fill) -> None:
    if not is_url(location):
        create_and_close(Path(location), who, fill)
        return
    from awase.storage.postgresql.servers import create_on_server

    create_on_server(str(location), fill).close()


def create_copy(
    location: Location, copy: Copy, *, who: str, source: str = "", reporter: Reporter
) -> None:
    """Creates and closes a copy, topic by topic; its topics and versions may be lazy."""
    _create(location, who, filled_with_copy(copy, who=who, source=source, reporter=reporter))


def filled_with_copy(
    copy: Copy, *, who: str, source: str, reporter: Reporter, parses: ParsesByModel = ()
) -> Fill:
    """Returns the function that fills an empty database with this copy, topic by topic."""

    def fill(connection: Writable) -> None:
        fill_new(connection, name=copy.corpus.name, who=who)
        fill_with(
            connection, copy.corpus, copy.ownership, who=who, source=source, reporter=reporter
        )
        for model, by_text in parses:
            write_parses(connection, model, by_digest(by_text), who=who, source=source)

    return fill


def filled_with(
    *,
    name: str,
    who: str,
    addition: Addition | None,
    parses: Mapping[str, Mapping[str, str]] | None,
    source: str,
    reporter: Reporter | None,
) -> Fill:
    """Returns the function that fills an empty database; see `CorpusStore.create`."""

    def fill(connection: Writable) -> None:
        fill_new(connection, name=name, who=who)
        if addition is not None:
            fill_from(
                connection, addition, name=name, who=who, source=source,
                reporter=reporter or Silent(),
            )  # fmt: skip
        for model, by_text in (parses or {}).items():
            write_parses(connection, model, by_digest(by_text.items()), who=who, source=source)

    return fill

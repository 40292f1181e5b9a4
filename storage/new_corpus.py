"""Creating corpora without opening them, by sqlite3 alone."""

from collections.abc import Iterable
from pathlib import Path

from awase.core.annotation.verbs import IMPORT
from awase.core.progress import Reporter
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.core.records.differences import frame_of
from awase.core.records.digests import Ownership, changed_entries
from awase.core.records.topic import Topic, ids_of
from awase.core.team.handing_out import Copy
from awase.storage.addresses import Location, is_url
from awase.storage.files.plain_files import Fill, create_and_close
from awase.storage.files.sqlite_files import make_tables
from awase.storage.querying import (
    Writable,
    forget_lost,
    log_act,
    name_copy,
    new_uid,
    now,
    stamp,
    write_versions,
)
from awase.storage.rows.inserting import (
    TOPICS_AT_ONCE,
    insert_corpus,
    insert_records,
    insert_topics,
    write_frame_digest,
    write_head,
)
from awase.storage.rows.parses import by_digest, write_parses
from awase.storage.rows.reading import ASSIGNMENTS, HUMAN_SCORES, PERSONS


def fill_new(connection: Writable, *, name: str, who: str) -> None:
    """Creates tables and an empty corpus with a name."""
    make_tables(connection)
    insert_corpus(connection, Corpus(name=name))
    name_copy(connection, corpus=new_uid(), replica=new_uid())
    log_act(connection, who=who, kind="create", subject=name, details={})


def _fill_with(
    connection: Writable, copy: Copy, *, who: str, source: str, reporter: Reporter
) -> None:
    corpus, is_copy = copy.corpus, bool(copy.ownership.corpus)  # or a corpus of its own
    if is_copy:
        become_copy(connection, copy.ownership)
    _insert_topics(connection, corpus, reporter, is_copy=is_copy)
    write_head(connection, corpus)
    insert_records(connection, HUMAN_SCORES, corpus.human_scores)
    insert_records(connection, PERSONS, corpus.persons)
    insert_records(connection, ASSIGNMENTS, corpus.assignments)
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


def create_copy(
    location: Location,
    copy: Copy,
    *,
    who: str,
    source: str = "",
    parses: ParsesByModel = (),
    reporter: Reporter,
) -> None:
    """Creates and closes a corpus with a copy's contents, topic by topic; all of it may be lazy."""
    fill = filled_with(
        copy, name=copy.corpus.name, who=who, source=source, parses=parses, reporter=reporter
    )
    if not is_url(location):
        create_and_close(Path(location), who, fill)
        return
    from awase.storage.postgresql.servers import create_on_server

    create_on_server(str(location), fill).close()


def copy_of(addition: Addition, name: str) -> Copy:
    """Returns what a corpus of this name has after an import."""
    corpus = merge(Corpus(name=name), addition)
    return Copy(corpus=corpus, ownership=addition.ownership or Ownership())


def filled_with(
    copy: Copy | None,
    *,
    name: str,
    who: str,
    source: str,
    parses: ParsesByModel,
    reporter: Reporter,
) -> Fill:
    """Returns the function that fills an empty database; with no copy it has a name only."""

    def fill(connection: Writable) -> None:
        fill_new(connection, name=name, who=who)
        if copy is not None:
            _fill_with(connection, copy, who=who, source=source, reporter=reporter)
        for model, by_text in parses:
            write_parses(connection, model, by_digest(by_text), who=who, source=source)

    return fill

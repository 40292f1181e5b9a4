"""Inserts records as new rows, and fills new corpora.

Through SQLAlchemy or sqlite3 alone, which imports quickly.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, TypeVar

from awase.core.errors import Reporter, gc_paused
from awase.core.records.abstract import Abstract, Alignment, GoldEntry
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.core.records.digests import (
    Ownership,
    changed_entries,
    content_digest,
    sha256_of,
    text_digest,
)
from awase.core.records.edits import IMPORT, Frame, frame_of, head_of
from awase.core.records.json_values import (
    assignment_value,
    assist_value,
    dumps,
    head_value,
    human_score_value,
    person_value,
    sentences_value,
    sources_value,
    split_value,
    texts_dumps_of_all,
)
from awase.core.records.source import Document
from awase.core.records.topic import Extract, Output, Topic, ids_of
from awase.core.team.handing_out import Copy
from awase.storage.files.locks_and_backups import Fill
from awase.storage.files.sqlite_files import make_tables
from awase.storage.querying import (
    Readable,
    Writable,
    change,
    decided_values,
    entry_values,
    forget_lost,
    insert_columns,
    insert_rows,
    insert_with_keys,
    log_act,
    name_copy,
    new_uid,
    now,
    only_row_of,
    server_of,
    stamp,
    write_versions,
)
from awase.storage.rows.parses import by_digest, write_parses
from awase.storage.rows.reading import (
    ABSTRACT_SENTENCES,
    ASSIGNMENTS,
    HUMAN_SCORES,
    PERSONS,
    SOURCE_SENTENCES,
    RecordTable,
)


def topic_digests(topic: Topic) -> dict[str, object]:
    """Returns the columns of a topic's digests."""
    return {"text_digest": text_digest(topic), "digest": content_digest(topic)}


def write_topic_digests(connection: Writable, topic: Topic) -> None:
    """Writes the digests of a topic as it is now."""
    digests = topic_digests(topic)
    columns = ", ".join(f"{name} = :{name}" for name in digests)
    change(connection, f"UPDATE topic SET {columns} WHERE key = :topic", topic=topic.id, **digests)


def stored_frame_digest(connection: Readable, frame: Frame) -> str:
    """Returns the digest of the corpus without topics."""
    # Without assignments on a server: annotators claim work, but may not write the corpus's row.
    claimed = frame.assignments if server_of(connection) is None else ()
    return sha256_of(
        {
            "head": head_value(frame.head),
            "human_scores": [human_score_value(score) for score in frame.human_scores],
            "persons": [person_value(person) for person in frame.persons],
            "assignments": [assignment_value(part) for part in claimed],
        }
    )


def write_frame_digest(connection: Writable, frame: Frame) -> None:
    """Updates the digest of the corpus without topics."""
    digest = stored_frame_digest(connection, frame)
    if only_row_of(connection, "SELECT digest FROM corpus") != (digest,):
        change(connection, "UPDATE corpus SET digest = :digest", digest=digest)


Values = dict[str, object]
_Part = TypeVar("_Part")
# The key of the row that a part belongs to, its place there, and the part.
Placed = tuple[int, int, _Part]

# How many are written with one statement a table: enough for its cost not to count.
TOPICS_AT_ONCE: Final = 200


def insert_topics(connection: Writable, topics: Sequence[tuple[int, Topic]]) -> None:
    """Inserts topics with their parts and positions."""
    with gc_paused():
        _insert_all(connection, topics)


def _insert_all(connection: Writable, topics: Sequence[tuple[int, Topic]]) -> None:
    keys = insert_with_keys(
        connection,
        "topic",
        (
            {
                "key": topic.id,
                "position": position,
                "title": topic.title,
                "language": topic.language,
                **topic_digests(topic),
            }
            for position, topic in topics
        ),
    )
    of_keys = [(key, topic) for key, (_, topic) in zip(keys, topics, strict=True)]
    insert_documents(connection, _placed((key, topic.documents) for key, topic in of_keys))
    insert_abstracts(connection, _placed((key, topic.abstracts) for key, topic in of_keys))
    insert_outputs(connection, _placed((key, topic.outputs) for key, topic in of_keys))


def _placed(parts: Iterable[tuple[int, Sequence[_Part]]]) -> list[Placed[_Part]]:
    return [(key, idx, part) for key, of_row in parts for idx, part in enumerate(of_row)]


def _insert_parts(
    connection: Writable, table: RecordTable[_Part], owner: str, parts: Sequence[Placed[_Part]]
) -> None:
    """Inserts the parts of some rows, given by the column `owner`."""
    if parts:
        keys, positions, records = zip(*parts, strict=True)
        attributes = {
            column: [*map(attrgetter(name), records)] for column, name in table.attributes.items()
        }
        insert_columns(connection, table.name, {owner: keys, "position": positions, **attributes})


def insert_outputs(connection: Writable, outputs: Sequence[Placed[Output]]) -> None:
    """Adds extracts and texts of systems."""
    if not outputs:
        return
    keys, positions, each = zip(*outputs, strict=True)
    columns: dict[str, Sequence[object]] = {
        "topic_id": keys,
        "position": positions,
        "system": [one.system for one in each],
        "length": [one.length for one in each],
        "is_extract": [int(isinstance(one, Extract)) for one in each],
        "sentences": texts_dumps_of_all([*map(sentences_value, each)]),
        "reference_texts": [
            None if one.references is None else dumps(one.references) for one in each
        ],
        "split": [split_value(one).get("split") for one in each],
    }
    insert_columns(connection, "output", columns)


def insert_documents(connection: Writable, documents: Sequence[Placed[Document]]) -> None:
    """Adds documents with their sentences."""
    keys = insert_with_keys(
        connection,
        "document",
        (
            {
                "topic_id": topic_id,
                "key": document.id,
                "position": position,
                "source": document.source,
                "date": document.date,
                "title": document.title,
                "split": split_value(document).get("split"),
            }
            for topic_id, position, document in documents
        ),
    )
    texts = [(key, one.sentences) for key, (_, _, one) in zip(keys, documents, strict=True)]
    _insert_parts(connection, SOURCE_SENTENCES, "document_id", _placed(texts))


def insert_abstracts(connection: Writable, abstracts: Sequence[Placed[Abstract]]) -> None:
    """Inserts abstracts with alignments and gold."""
    keys = insert_with_keys(
        connection,
        "abstract",
        (
            {
                "topic_id": topic_id,
                "key": abstract.id,
                "position": position,
                "length": abstract.length,
                "author": abstract.author,
                "limit_unit": abstract.limit.unit if abstract.limit else None,
                "limit_size": abstract.limit.size if abstract.limit else None,
                "split": split_value(abstract).get("split"),
            }
            for topic_id, position, abstract in abstracts
        ),
    )
    of_keys = [(key, one) for key, (_, _, one) in zip(keys, abstracts, strict=True)]
    texts = [(key, abstract.sentences) for key, abstract in of_keys]
    _insert_parts(connection, ABSTRACT_SENTENCES, "abstract_id", _placed(texts))
    _insert_alignments(connection, _placed((key, one.alignments) for key, one in of_keys))
    insert_rows(
        connection,
        "gold_entry",
        (
            _gold_values(abstract_id, position, decided)
            for abstract_id, position, decided in _placed((key, one.gold) for key, one in of_keys)
        ),
    )


def insert_gold(connection: Writable, abstract_id: int, position: int, decided: GoldEntry) -> None:
    """Adds a decision to the abstract's row."""
    insert_rows(connection, "gold_entry", [_gold_values(abstract_id, position, decided)])


def _gold_values(abstract_id: int, position: int, decided: GoldEntry) -> Values:
    return {
        "abstract_id": abstract_id,
        "position": position,
        **decided_values(decided.entry),
        "decided_by": decided.decided_by,
        "at": decided.at,
        "origin": decided.origin.value,
        "sources": dumps(sources_value(decided.sources)),
        "locked": decided.locked,
        "cause": decided.cause,
    }


def _insert_alignments(connection: Writable, alignments: Sequence[Placed[Alignment]]) -> None:
    keys = insert_with_keys(
        connection,
        "alignment",
        (
            {"abstract_id": abstract_id, "annotator": one.annotator, "position": position}
            for abstract_id, position, one in alignments
        ),
    )
    entries = [(key, one.sentences) for key, (_, _, one) in zip(keys, alignments, strict=True)]
    insert_rows(
        connection,
        "sentence_alignment",
        (
            {"alignment_id": alignment_id, "position": position, **entry_values(entry)}
            for alignment_id, position, entry in _placed(entries)
        ),
    )


# The corpus but for its topics


def insert_corpus(connection: Writable, corpus: Corpus) -> None:
    """Writes the head of a corpus into a database that has none."""
    insert_rows(connection, "corpus", [_head_values(corpus)])
    write_frame_digest(connection, frame_of(corpus))


def write_head(connection: Writable, corpus: Corpus) -> None:
    """Writes the corpus's head."""
    values = _head_values(corpus)
    columns = ", ".join(f"{name} = :{name}" for name in values)
    change(connection, f"UPDATE corpus SET {columns}", **values)


def _head_values(corpus: Corpus) -> Values:
    head = head_of(corpus)
    return {
        "name": head.name,
        "rank_weights": dumps(head.rank_weights),
        "guidelines": head.guidelines,
        "is_blind": head.is_blind,
        "assist": dumps(assist_value(head.assist)) if assist_value(head.assist) else None,
    }


def insert_records(
    connection: Writable, table: RecordTable[_Part], records: Iterable[_Part], first: int = 0
) -> None:
    """Inserts records, in order, from position `first` on."""
    rows = ({"position": at, **table.values(one)} for at, one in enumerate(records, first))
    insert_rows(connection, table.name, rows)


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

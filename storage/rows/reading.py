"""Rows to records, and read-only access to a stored corpus: files by sqlite3 alone."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import groupby, starmap
from operator import itemgetter
from pathlib import Path
from typing import Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeAlias, TypeVar

from awase.core.errors import Problem, gc_paused
from awase.core.records.abstract import (
    USUAL_ASSISTANCE,
    Abstract,
    AbstractSentence,
    Alignment,
    AssistSettings,
    GoldEntry,
    GoldOrigin,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.edits import CorpusHead, Frame, with_frame
from awase.core.records.json_values import RefByName, loads, refs_of, sources_of, texts_of_all
from awase.core.records.source import GIVEN, Document, SourceSentence, refs_by_name
from awase.core.records.topic import Extract, HumanScore, Output, TextOutput, Topic
from awase.storage.files.corpus_file import file_errors_translated
from awase.storage.files.locks_and_backups import foreign_warnings, readable_file
from awase.storage.files.sqlite_files import connected_to_read
from awase.storage.querying import (
    TOPICS_AT_ONCE,
    Readable,
    Values,
    entry_of_columns,
    named_values,
    newest_state,
    only_row_of,
    rows_of,
    truth,
)
from awase.storage.rows.parses import digest_of_parses, read_models, read_parses

Only: TypeAlias = str | Collection[str] | None  # id of one topic, or ids of some; None = all

_HEAD: Final = "SELECT name, rank_weights, guidelines, is_blind, assist FROM corpus"
_TOPICS: Final = "SELECT topic.id, topic.key, title, language FROM topic {within} ORDER BY position"
_SOURCE_SENTENCES: Final = """
    SELECT document_id, n, text, paragraph
    FROM source_sentence
    JOIN document ON document.id = source_sentence.document_id
    JOIN topic ON topic.id = document.topic_id {within}
    ORDER BY document_id, source_sentence.position
"""
_SENTENCE_NUMBERS: Final = """
    SELECT document_id, n
    FROM source_sentence
    JOIN document ON document.id = source_sentence.document_id
    JOIN topic ON topic.id = document.topic_id {within}
    ORDER BY document_id, n
"""
_NUMBERED: Final = """
    SELECT document_id, COUNT(*), MIN(n), MAX(n)
    FROM source_sentence
    JOIN document ON document.id = source_sentence.document_id
    JOIN topic ON topic.id = document.topic_id {within}
    GROUP BY document_id
"""
_DOCUMENTS: Final = """
    SELECT document.id, topic_id, document.key, source, date, document.title, split
    FROM document
    JOIN topic ON topic.id = document.topic_id {within}
    ORDER BY topic_id, document.position
"""
_ABSTRACTS: Final = """
    SELECT abstract.id, topic_id, abstract.key, length, author, limit_unit, limit_size, split
    FROM abstract
    JOIN topic ON topic.id = abstract.topic_id {within}
    ORDER BY topic_id, abstract.position
"""
_ABSTRACT_SENTENCES: Final = """
    SELECT abstract_id, n, text, rank
    FROM abstract_sentence
    JOIN abstract ON abstract.id = abstract_sentence.abstract_id
    JOIN topic ON topic.id = abstract.topic_id {within}
    ORDER BY abstract_id, abstract_sentence.position
"""
_ENTRIES: Final = """
    SELECT abstract.topic_id, alignment_id, n, state, alternatives, note, rank, assist
    FROM sentence_alignment
    JOIN alignment ON alignment.id = sentence_alignment.alignment_id
    JOIN abstract ON abstract.id = alignment.abstract_id
    JOIN topic ON topic.id = abstract.topic_id {within}
    ORDER BY alignment_id, sentence_alignment.position
"""
_ALIGNMENTS: Final = """
    SELECT alignment.id, abstract_id, annotator
    FROM alignment
    JOIN abstract ON abstract.id = alignment.abstract_id
    JOIN topic ON topic.id = abstract.topic_id {within}
    ORDER BY abstract_id, alignment.position
"""
_DECISION: Final = """
    n, state, alternatives, note, rank, decided_by, at, origin, sources, locked, cause
"""
_GOLD: Final = f"""
    SELECT abstract.topic_id, abstract_id, {_DECISION}
    FROM gold_entry
    JOIN abstract ON abstract.id = gold_entry.abstract_id
    JOIN topic ON topic.id = abstract.topic_id {{within}}
    ORDER BY abstract_id, gold_entry.position
"""
_GOLD_ENTRY: Final = f"SELECT {_DECISION} FROM gold_entry WHERE abstract_id = :abstract AND n = :n"
# Sorted by the caller, mostly in order; a database would move all texts.
_OUTPUTS: Final = """
    SELECT topic_id, output.position, system, length, is_extract, sentences, reference_texts, split
    FROM output
    JOIN topic ON topic.id = output.topic_id {within}
"""
_IDS: Final = "SELECT key FROM topic ORDER BY position"
_N_ENTRIES: Final = "SELECT COUNT(*) FROM sentence_alignment"


def _same(*names: str) -> dict[str, str]:
    return dict(zip(names, names, strict=True))


_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTable(Generic[_Record]):
    """A table with a record in each row, in the order of `position`."""

    name: str
    record: Callable[..., _Record]
    attributes: Mapping[str, str]  # column to attribute of the record

    def read(self, connection: Readable) -> tuple[_Record, ...]:
        """Loads all records."""
        query = f"SELECT {', '.join(self.attributes)} FROM {self.name} ORDER BY position"
        columns = tuple(self.attributes)
        rows = rows_of(connection, query)
        return tuple([self.of_row(dict(zip(columns, row, strict=True))) for row in rows])

    def of_row(self, row: Mapping[str, Any]) -> _Record:
        """Returns the record of a row, which may have more columns."""
        return self.record(**{name: row[column] for column, name in self.attributes.items()})

    def values(self, record: _Record) -> dict[str, object]:
        """Returns a record as the columns of its row."""
        return {column: getattr(record, name) for column, name in self.attributes.items()}


HUMAN_SCORES: Final = RecordTable(
    name="human_score",
    record=HumanScore,
    attributes=_same("topic", "system", "measure", "value", "annotator"),
)
PERSONS: Final = RecordTable(
    name="person", record=Person, attributes={"key": "id", **_same("name", "role")}
)
ASSIGNMENTS: Final = RecordTable(
    name="assignment",
    record=Assignment,
    attributes={**_same("topic", "abstract", "person", "round", "due"), "place": "order"},
)
SOURCE_SENTENCES: Final = RecordTable(
    name="source_sentence", record=SourceSentence, attributes=_same("n", "text", "paragraph")
)
ABSTRACT_SENTENCES: Final = RecordTable(
    name="abstract_sentence", record=AbstractSentence, attributes=_same("n", "text", "rank")
)


def read_corpus(connection: Readable, *, with_sources: bool = True) -> Corpus:
    """Loads the corpus; `with_sources` as in `read_topics`."""
    frame = read_frame(connection)
    with gc_paused():
        return with_frame(frame, read_topics(connection, with_sources=with_sources))


def n_entries(connection: Readable) -> int:
    """Returns the number of annotators' entries, empty ones included."""
    return int(only_row_of(connection, _N_ENTRIES)[0])


def topics_in_order(connection: Readable, ids: Sequence[str]) -> tuple[Topic, ...]:
    """Loads the topics with these ids, in this order, skipping removed ones."""
    with gc_paused():
        found = {topic.id: topic for topic in read_topics(connection, only=ids)}
    return tuple(found[id_] for id_ in ids if id_ in found)


def corpus_around(connection: Readable, whole: Collection[str]) -> Corpus:
    """Returns the corpus with these topics whole, and the others' ids only."""
    frame = read_frame(connection)
    ids = [key for (key,) in rows_of(connection, _IDS)]
    wanted = [key for key in ids if key in whole]
    read = {
        topic.id: topic
        for begin in range(0, len(wanted), TOPICS_AT_ONCE)
        for topic in topics_in_order(connection, wanted[begin : begin + TOPICS_AT_ONCE])
    }
    return with_frame(frame, tuple([read.get(key) or Topic(id=key) for key in ids]))


def read_frame(connection: Readable) -> Frame:
    """Returns the corpus without topics."""
    name, weights, guidelines, is_blind, assist = only_row_of(connection, _HEAD)
    head = CorpusHead(
        name=name,
        rank_weights=tuple((rank, weight) for rank, weight in loads(weights)),
        guidelines=guidelines,
        is_blind=truth(is_blind),
        assist=AssistSettings(**loads(assist)) if assist else USUAL_ASSISTANCE,
    )
    return Frame(
        head=head,
        human_scores=HUMAN_SCORES.read(connection),
        persons=PERSONS.read(connection),
        assignments=ASSIGNMENTS.read(connection),
    )


def read_topics(
    connection: Readable, only: Only = None, *, with_sources: bool = True
) -> tuple[Topic, ...]:
    """Loads the topics in order, all or just `only`.

    Without source texts, the bulk of a corpus, their sentences have numbers only, in the order of
    these.
    """
    rows = _rows(connection, _TOPICS, only)
    if with_sources:
        sentences = _source_sentences(connection, only)
    else:
        sentences = _numbered_sentences(connection, only)
    documents = _documents(connection, only, sentences)
    known_by_topic = {row_id: refs_by_name(documents[row_id]) for row_id, *_ in rows}
    abstracts = _abstracts(connection, only, known_by_topic)
    outputs = _outputs(connection, only, known_by_topic)
    return tuple(
        Topic(
            id=key,
            documents=tuple(documents[row_id]),
            abstracts=tuple(abstracts[row_id]),
            outputs=tuple(outputs[row_id]),
            title=title,
            language=language,
        )
        for row_id, key, title, language in rows
    )


def _rows(connection: Readable, query: str, only: Only) -> Sequence[Values]:
    if only is None:
        return rows_of(connection, query.format(within=""))
    ids = [only] if isinstance(only, str) else only
    among, named = named_values([*ids])
    return rows_of(connection, query.format(within=f"WHERE topic.key IN {among}"), **named)


_Sentences = dict[int, tuple[SourceSentence, ...]]  # of each document's row


def _source_sentences(connection: Readable, only: Only) -> _Sentences:
    rows = groupby(_rows(connection, _SOURCE_SENTENCES, only), itemgetter(0))
    return {
        document_id: SourceSentence.all_of([row[1:] for row in of_document])
        for document_id, of_document in rows
    }


def _numbered_sentences(connection: Readable, only: Only) -> _Sentences:
    documents = _rows(connection, _NUMBERED, only)
    if all(first == 1 and last == n for _, n, first, last in documents):  # as it nearly always is
        numbered = {
            n: tuple([SourceSentence(n=number, text="") for number in range(1, n + 1)])
            for n in {n for _, n, _, _ in documents}
        }
        return {document_id: numbered[n] for document_id, n, _, _ in documents}
    rows = _rows(connection, _SENTENCE_NUMBERS, only)
    blank = {n: SourceSentence(n=n, text="") for n in {n for _, n in rows}}
    return {
        document_id: tuple([blank[n] for _, n in of_document])
        for document_id, of_document in groupby(rows, itemgetter(0))
    }


def _documents(
    connection: Readable, only: Only, sentences: _Sentences
) -> dict[int, list[Document]]:
    documents: dict[int, list[Document]] = defaultdict(list)
    for row_id, topic_id, key, source, date, title, split in _rows(connection, _DOCUMENTS, only):
        documents[topic_id].append(
            Document(
                id=key,
                sentences=sentences.get(row_id, ()),
                source=source,
                date=date,
                title=title,
                split=split or GIVEN,
            )
        )
    return documents


def _abstracts(
    connection: Readable, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Abstract]]:
    sentences = _abstract_sentences(connection, only)
    alignments = _alignments(connection, only, known_by_topic)
    gold = _gold(connection, only, known_by_topic)
    abstracts: dict[int, list[Abstract]] = defaultdict(list)
    for row_id, topic_id, key, length, author, unit, size, split in _rows(
        connection, _ABSTRACTS, only
    ):
        abstracts[topic_id].append(
            Abstract(
                id=key,
                sentences=tuple(sentences[row_id]),
                length=length,
                author=author,
                limit=None if unit is None else Limit(unit=unit, size=size),
                alignments=tuple(alignments[row_id]),
                gold=tuple(gold[row_id]),
                split=split or GIVEN,
            )
        )
    return abstracts


def _abstract_sentences(connection: Readable, only: Only) -> dict[int, list[AbstractSentence]]:
    sentences: dict[int, list[AbstractSentence]] = defaultdict(list)
    for abstract_id, n, text, rank in _rows(connection, _ABSTRACT_SENTENCES, only):
        sentences[abstract_id].append(AbstractSentence(n=n, text=text, rank=rank))
    return sentences


def _alignments(
    connection: Readable, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Alignment]]:
    entries: dict[int, list[SentenceAlignment]] = defaultdict(list)
    by_columns: dict[tuple[object, ...], SentenceAlignment] = {}
    for topic_id, alignment_id, *columns in _rows(connection, _ENTRIES, only):
        of_topic = (topic_id, *columns)
        entry = by_columns.get(of_topic)  # where annotators agree, one entry is all of theirs
        if entry is None:
            entry = entry_of_columns(columns, known_by_topic[topic_id])
            by_columns[of_topic] = entry
        entries[alignment_id].append(entry)
    alignments: dict[int, list[Alignment]] = defaultdict(list)
    for row_id, abstract_id, annotator in _rows(connection, _ALIGNMENTS, only):
        alignments[abstract_id].append(
            Alignment(annotator=annotator, sentences=tuple(entries[row_id]))
        )
    return alignments


def _gold(
    connection: Readable, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[GoldEntry]]:
    found: dict[int, list[GoldEntry]] = defaultdict(list)
    for topic_id, abstract_id, *columns in _rows(connection, _GOLD, only):
        found[abstract_id].append(gold_of_columns(columns, known_by_topic[topic_id]))
    return found


def read_decision(connection: Readable, abstract_row_id: int, n: int) -> GoldEntry | None:
    """Loads the decision on a sentence of the abstract in that row; None = none."""
    rows = rows_of(connection, _GOLD_ENTRY, abstract=abstract_row_id, n=n)
    return gold_of_columns(rows[0]) if rows else None


def gold_of_columns(columns: Sequence[Any], known: RefByName | None = None) -> GoldEntry:
    """Parses a decision: an entry's columns without `assist`, then those of `GoldEntry`."""
    *entry, decided_by, at, origin, sources, locked, cause = columns
    return GoldEntry(
        entry=entry_of_columns(entry, known),
        decided_by=decided_by,
        at=at,
        origin=GoldOrigin(origin),
        sources=sources_of(loads(sources)),
        locked=truth(locked),
        cause=cause,
    )


def _outputs(
    connection: Readable, only: Only, known_by_topic: dict[int, RefByName]
) -> dict[int, list[Output]]:
    rows = sorted(_rows(connection, _OUTPUTS, only), key=itemgetter(0, 1))
    outputs: dict[int, list[Output]] = defaultdict(list)
    if not rows:
        return outputs
    topics, _, systems, lengths, are_extracts, sentences, references, noted = zip(
        *rows, strict=True
    )
    splits = [split or GIVEN for split in noted]
    values = texts_of_all(sentences)
    if {*are_extracts} == {0} and {*references} == {None}:
        made: Iterable[Output] = TextOutput.all_of(systems, [*map(tuple, values)], lengths, splits)
    else:
        known = map(known_by_topic.__getitem__, topics)
        each = zip(systems, lengths, are_extracts, values, references, splits, known, strict=True)
        made = starmap(_output, each)
    for topic_id, output in zip(topics, made, strict=True):
        outputs[topic_id].append(output)
    return outputs


def _output(
    system: str,
    length: str | None,
    is_extract: object,
    values: list[str],
    references: str | None,
    split: str,
    known: RefByName,
) -> Output:
    texts = None if references is None else tuple(map(tuple, loads(references)))
    if truth(is_extract):
        refs = refs_of(values, known)
        return Extract(system=system, length=length, sentences=refs, references=texts, split=split)
    own = tuple(values)
    return TextOutput(system=system, length=length, sentences=own, references=texts, split=split)


_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Connection = TypeVar("_Connection")
_Given = TypeVar("_Given", covariant=True)


class _Open(Protocol[_Given]):
    """The interface that queries need."""

    def _reading(self) -> AbstractContextManager[_Given]:
        """Yields a connection in one read transaction."""
        ...


def read_query(
    read: Callable[Concatenate[_Connection, _Asked], _Answer],
) -> Callable[Concatenate[_Open[_Connection], _Asked], _Answer]:
    """Returns a method that runs `read` in a read transaction."""

    @wraps(read)
    def answer(
        corpus: _Open[_Connection], /, *args: _Asked.args, **keywords: _Asked.kwargs
    ) -> _Answer:
        with corpus._reading() as connection:
            return read(connection, *args, **keywords)

    return answer


class FileReader:
    """A corpus file; each query reads the state at that time, or the snapshot's."""

    def __init__(self, location: Path) -> None:
        self._location = str(location)
        self._path = readable_file(location)
        self.warnings: tuple[Problem, ...] = foreign_warnings(self._path)
        self._snapshot: Readable | None = None

    @contextmanager
    def _reading(self) -> Iterator[Readable]:
        with file_errors_translated(self._location):
            if self._snapshot is not None:
                yield self._snapshot
                return
            with connected_to_read(self._path) as connection:
                yield connection

    corpus = read_query(read_corpus)
    state = read_query(newest_state)
    parse_models = read_query(read_models)
    parses = read_query(read_parses)
    digest_of_parses = read_query(digest_of_parses)

    @contextmanager
    def snapshot(self, *, with_sources: bool = True) -> Iterator[Corpus]:
        """Yields a snapshot, unaffected by writers."""
        with connected_to_read(self._path) as self._snapshot:
            try:
                yield read_corpus(self._snapshot, with_sources=with_sources)
            finally:
                self._snapshot = None

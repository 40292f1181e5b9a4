"""Tables of a corpus as ORM rows; `reading` and `writing` convert records.

Portable: the same tables serve PostgreSQL. Rows have surrogate keys for joins; people and the log
refer to ids of records. `position` is the order. Values that are only read and written whole (the
alternatives of a sentence, an extract, a text) are JSON, so that an annotator's action changes one
row.
"""

from typing import ClassVar

from sqlalchemy import (
    Float,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_CASCADE = "CASCADE"


class Base(DeclarativeBase):
    """The declarative base of all rows."""

    type_annotation_map: ClassVar = {str: Text, float: Float(53)}

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


class CorpusRow(Base):
    """The corpus itself: exactly one row."""

    __tablename__ = "corpus"
    name: Mapped[str]
    rank_weights: Mapped[str]
    guidelines: Mapped[str] = mapped_column(server_default="")
    uid: Mapped[str] = mapped_column(server_default="")
    replica: Mapped[str] = mapped_column(server_default="")
    handed_to: Mapped[str | None]
    is_blind: Mapped[bool] = mapped_column(server_default=false())
    digest: Mapped[str | None] = mapped_column(String(64))
    assist: Mapped[str | None]


class TopicRow(Base):
    """A topic."""

    __tablename__ = "topic"
    key: Mapped[str] = mapped_column(unique=True)
    position: Mapped[int]
    title: Mapped[str | None]
    language: Mapped[str | None]
    text_digest: Mapped[str | None] = mapped_column(String(64))
    digest: Mapped[str | None] = mapped_column(String(64))


class DocumentRow(Base):
    """A document of a topic."""

    __tablename__ = "document"
    __table_args__ = (UniqueConstraint("topic_id", "key"),)
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE))
    key: Mapped[str]
    position: Mapped[int]
    source: Mapped[str | None]
    date: Mapped[str | None]
    title: Mapped[str | None]
    split: Mapped[str | None]


class SourceSentenceRow(Base):
    """A sentence of a document."""

    __tablename__ = "source_sentence"
    __table_args__ = (UniqueConstraint("document_id", "n"),)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.id", ondelete=_CASCADE))
    n: Mapped[int]
    position: Mapped[int]
    text: Mapped[str]
    paragraph: Mapped[int | None]


class AbstractRow(Base):
    """A human summary of a topic."""

    __tablename__ = "abstract"
    __table_args__ = (UniqueConstraint("topic_id", "key"),)
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE))
    key: Mapped[str]
    position: Mapped[int]
    length: Mapped[str | None]
    author: Mapped[str | None]
    limit_unit: Mapped[str | None] = mapped_column(String(16))
    limit_size: Mapped[int | None]
    split: Mapped[str | None]


class AbstractSentenceRow(Base):
    """A sentence of an abstract."""

    __tablename__ = "abstract_sentence"
    __table_args__ = (UniqueConstraint("abstract_id", "n"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    n: Mapped[int]
    position: Mapped[int]
    text: Mapped[str]
    rank: Mapped[str | None]


class AlignmentRow(Base):
    """One annotator's alignment of one abstract."""

    __tablename__ = "alignment"
    __table_args__ = (UniqueConstraint("abstract_id", "annotator"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    annotator: Mapped[str]
    position: Mapped[int]


class SentenceAlignmentRow(Base):
    """An alignment's entry for one abstract sentence; the alternatives are a JSON list of lists."""

    __tablename__ = "sentence_alignment"
    __table_args__ = (UniqueConstraint("alignment_id", "n"),)
    alignment_id: Mapped[int] = mapped_column(ForeignKey("alignment.id", ondelete=_CASCADE))
    n: Mapped[int]
    position: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    alternatives: Mapped[str]
    note: Mapped[str | None]
    rank: Mapped[str | None]
    assist: Mapped[str | None] = mapped_column(String(24))


class GoldEntryRow(Base):
    """Gold decision on one abstract sentence."""

    __tablename__ = "gold_entry"
    __table_args__ = (UniqueConstraint("abstract_id", "n"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    n: Mapped[int]
    position: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    alternatives: Mapped[str]
    rank: Mapped[str | None]
    note: Mapped[str | None]
    decided_by: Mapped[str | None]
    at: Mapped[str | None]
    origin: Mapped[str] = mapped_column(String(16))
    sources: Mapped[str]
    locked: Mapped[bool]
    cause: Mapped[str | None]


class OutputRow(Base):
    """A system's output in a topic: an extract or a text, as a JSON list of strings."""

    __tablename__ = "output"
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE), index=True)
    position: Mapped[int]
    system: Mapped[str]
    length: Mapped[str | None]
    is_extract: Mapped[bool]
    sentences: Mapped[str]
    references: Mapped[str | None] = mapped_column("reference_texts")
    split: Mapped[str | None]


class HumanScoreRow(Base):
    """A value that a person gave to a system."""

    __tablename__ = "human_score"
    position: Mapped[int]
    topic: Mapped[str | None]
    system: Mapped[str]
    measure: Mapped[str]
    value: Mapped[float]
    annotator: Mapped[str | None]


class PersonRow(Base):
    """A member of the project."""

    __tablename__ = "person"
    key: Mapped[str] = mapped_column(unique=True)
    position: Mapped[int]
    name: Mapped[str | None]
    role: Mapped[str] = mapped_column(String(16))


class AssignmentRow(Base):
    """Work assigned to a person."""

    __tablename__ = "assignment"
    position: Mapped[int]
    topic: Mapped[str]
    abstract: Mapped[str | None]
    person: Mapped[str]
    round: Mapped[int]
    place: Mapped[int | None]
    due: Mapped[str | None]


class EntryVersionRow(Base):
    """A version of an entry, here or in another copy; without an annotator the gold's.

    A merge's are marked by `taken_by`; while that merge is undone, `is_known` is false.
    """

    __tablename__ = "entry_version"
    __table_args__ = (Index("entry_version_by_entry", "topic", "abstract", "annotator", "n"),)
    topic: Mapped[str]
    abstract: Mapped[str]
    annotator: Mapped[str | None]
    n: Mapped[int]
    revision: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[str] = mapped_column(String(32))
    replica: Mapped[str]
    taken_by: Mapped[int | None] = mapped_column(ForeignKey("operation.id"))
    is_known: Mapped[bool] = mapped_column(server_default=true())


class SuggestionRow(Base):
    """A suggestion shown and accepted or refused; referenced by the log.

    `family` is a JSON list of alternatives, lists of addresses.
    """

    __tablename__ = "suggestion"
    __table_args__ = (Index("suggestion_by_entry", "topic", "abstract", "annotator", "n"),)
    at: Mapped[str] = mapped_column(String(32))
    topic: Mapped[str]
    abstract: Mapped[str]
    annotator: Mapped[str]
    n: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))
    family: Mapped[str]
    confidence: Mapped[float]
    source: Mapped[str]
    model: Mapped[str]


class ParseRow(Base):
    """A model's dependency parse of a text, in CoNLL-U.

    `digest` is the SHA-256 of the text in UTF-8, so that equal texts share their parse and a
    changed text has none.
    """

    __tablename__ = "parse"
    __table_args__ = (UniqueConstraint("model", "digest"),)
    model: Mapped[str]
    digest: Mapped[str] = mapped_column(String(64))
    conllu: Mapped[str]


class ScoreRunRow(Base):
    """Stored scores, as JSON; `corpus_state` is the newest operation when they were computed."""

    __tablename__ = "score_run"
    at: Mapped[str] = mapped_column(String(32))
    who: Mapped[str]
    title: Mapped[str]
    corpus_state: Mapped[str]
    selection: Mapped[str]
    scores: Mapped[str]


class OperationRow(Base):
    """The operation log, for undo, audit, recovery and times.

    `kind` is `edit`, `undo`, `redo` or a larger act such as `import`. An edit's values are JSON; an
    undo or redo references its edit by `target_id`. A row from another copy has that copy and its
    row there. `digest` is the row's own.
    """

    __tablename__ = "operation"
    __table_args__ = (
        Index("operation_by_person", "who", "id"),
        Index("operation_by_replica", "replica", "replica_row", unique=True),
    )
    at: Mapped[str] = mapped_column(String(32))
    who: Mapped[str]
    kind: Mapped[str] = mapped_column(String(16))
    verb: Mapped[str] = mapped_column(String(40))
    topic: Mapped[str | None]
    abstract: Mapped[str | None]
    annotator: Mapped[str | None]
    n: Mapped[int | None]
    subject: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    active_ms: Mapped[int]
    target_id: Mapped[int | None] = mapped_column(ForeignKey("operation.id"))
    digest: Mapped[str | None] = mapped_column(String(64))
    replica: Mapped[str | None]
    replica_row: Mapped[int | None]
    suggestion_id: Mapped[int | None]
    shown_ms: Mapped[int | None]
    n_keys: Mapped[int | None]


class HolderRow(Base):
    """The present writer, for messages to others."""

    __tablename__ = "holder"
    who: Mapped[str]
    host: Mapped[str]
    pid: Mapped[int]
    since: Mapped[str] = mapped_column(String(32))

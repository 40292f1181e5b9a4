"""Tables of a corpus as ORM rows; `reading` and `writing` convert records.

Portable: the same tables serve PostgreSQL. Rows have surrogate keys for joins; people and the log
refer to ids of records. `position` is the order. Values that are only read and written whole (the
alternatives of a sentence, an extract, a text) are JSON, so that an annotator's action changes one
row.
"""

from sqlalchemy import (
    Boolean,
    Float,
    ForeignKey,
    Index,
    Integer,
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

    id: Mapped[int] = mapped_column(Integer, primary_key=True, sort_order=-1)


class CorpusRow(Base):
    """The corpus itself: exactly one row."""

    __tablename__ = "corpus"
    name: Mapped[str] = mapped_column(Text)
    rank_weights: Mapped[str] = mapped_column(Text)
    guidelines: Mapped[str] = mapped_column(Text, server_default="")
    uid: Mapped[str] = mapped_column(Text, server_default="")
    replica: Mapped[str] = mapped_column(Text, server_default="")
    handed_to: Mapped[str | None] = mapped_column(Text)
    is_blind: Mapped[bool] = mapped_column(Boolean, server_default=false())
    digest: Mapped[str | None] = mapped_column(String(64))
    assist: Mapped[str | None] = mapped_column(Text)


class TopicRow(Base):
    """A topic."""

    __tablename__ = "topic"
    key: Mapped[str] = mapped_column(Text, unique=True)
    position: Mapped[int] = mapped_column(Integer)
    title: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str | None] = mapped_column(Text)
    text_digest: Mapped[str | None] = mapped_column(String(64))
    digest: Mapped[str | None] = mapped_column(String(64))


class DocumentRow(Base):
    """A document of a topic."""

    __tablename__ = "document"
    __table_args__ = (UniqueConstraint("topic_id", "key"),)
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE))
    key: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column(Integer)
    source: Mapped[str | None] = mapped_column(Text)
    date: Mapped[str | None] = mapped_column(Text)
    title: Mapped[str | None] = mapped_column(Text)
    split: Mapped[str | None] = mapped_column(Text)


class SourceSentenceRow(Base):
    """A sentence of a document."""

    __tablename__ = "source_sentence"
    __table_args__ = (UniqueConstraint("document_id", "n"),)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.id", ondelete=_CASCADE))
    n: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    text: Mapped[str] = mapped_column(Text)
    paragraph: Mapped[int | None] = mapped_column(Integer)


class AbstractRow(Base):
    """A human summary of a topic."""

    __tablename__ = "abstract"
    __table_args__ = (UniqueConstraint("topic_id", "key"),)
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE))
    key: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column(Integer)
    length: Mapped[str | None] = mapped_column(Text)
    author: Mapped[str | None] = mapped_column(Text)
    limit_unit: Mapped[str | None] = mapped_column(String(16))
    limit_size: Mapped[int | None] = mapped_column(Integer)
    split: Mapped[str | None] = mapped_column(Text)


class AbstractSentenceRow(Base):
    """A sentence of an abstract."""

    __tablename__ = "abstract_sentence"
    __table_args__ = (UniqueConstraint("abstract_id", "n"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    n: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    text: Mapped[str] = mapped_column(Text)
    rank: Mapped[str | None] = mapped_column(Text)


class AlignmentRow(Base):
    """One annotator's alignment of one abstract."""

    __tablename__ = "alignment"
    __table_args__ = (UniqueConstraint("abstract_id", "annotator"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    annotator: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column(Integer)


class SentenceAlignmentRow(Base):
    """An alignment's entry for one abstract sentence; the alternatives are a JSON list of lists."""

    __tablename__ = "sentence_alignment"
    __table_args__ = (UniqueConstraint("alignment_id", "n"),)
    alignment_id: Mapped[int] = mapped_column(ForeignKey("alignment.id", ondelete=_CASCADE))
    n: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))
    alternatives: Mapped[str] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)
    rank: Mapped[str | None] = mapped_column(Text)
    assist: Mapped[str | None] = mapped_column(String(24))


class GoldEntryRow(Base):
    """Gold decision on one abstract sentence."""

    __tablename__ = "gold_entry"
    __table_args__ = (UniqueConstraint("abstract_id", "n"),)
    abstract_id: Mapped[int] = mapped_column(ForeignKey("abstract.id", ondelete=_CASCADE))
    n: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))
    alternatives: Mapped[str] = mapped_column(Text)
    rank: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)
    decided_by: Mapped[str | None] = mapped_column(Text)
    at: Mapped[str | None] = mapped_column(Text)
    origin: Mapped[str] = mapped_column(String(16))
    sources: Mapped[str] = mapped_column(Text)
    locked: Mapped[bool] = mapped_column(Boolean)
    cause: Mapped[str | None] = mapped_column(Text)


class OutputRow(Base):
    """A system's output in a topic: an extract or a text, as a JSON list of strings."""

    __tablename__ = "output"
    topic_id: Mapped[int] = mapped_column(ForeignKey("topic.id", ondelete=_CASCADE), index=True)
    position: Mapped[int] = mapped_column(Integer)
    system: Mapped[str] = mapped_column(Text)
    length: Mapped[str | None] = mapped_column(Text)
    is_extract: Mapped[bool] = mapped_column(Boolean)
    sentences: Mapped[str] = mapped_column(Text)
    references: Mapped[str | None] = mapped_column("reference_texts", Text)
    split: Mapped[str | None] = mapped_column(Text)


class HumanScoreRow(Base):
    """A value that a person gave to a system."""

    __tablename__ = "human_score"
    position: Mapped[int] = mapped_column(Integer)
    topic: Mapped[str | None] = mapped_column(Text)
    system: Mapped[str] = mapped_column(Text)
    measure: Mapped[str] = mapped_column(Text)
    value: Mapped[float] = mapped_column(Float(53))
    annotator: Mapped[str | None] = mapped_column(Text)


class PersonRow(Base):
    """A member of the project."""

    __tablename__ = "person"
    key: Mapped[str] = mapped_column(Text, unique=True)
    position: Mapped[int] = mapped_column(Integer)
    name: Mapped[str | None] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(16))


class AssignmentRow(Base):
    """Work assigned to a person."""

    __tablename__ = "assignment"
    position: Mapped[int] = mapped_column(Integer)
    topic: Mapped[str] = mapped_column(Text)
    abstract: Mapped[str | None] = mapped_column(Text)
    person: Mapped[str] = mapped_column(Text)
    round: Mapped[int] = mapped_column(Integer)
    place: Mapped[int | None] = mapped_column(Integer)
    due: Mapped[str | None] = mapped_column(Text)


class EntryVersionRow(Base):
    """A version of an entry, here or in another copy; without an annotator the gold's.

    A merge's are marked by `taken_by`; while that merge is undone, `is_known` is false.
    """

    __tablename__ = "entry_version"
    __table_args__ = (Index("entry_version_by_entry", "topic", "abstract", "annotator", "n"),)
    topic: Mapped[str] = mapped_column(Text)
    abstract: Mapped[str] = mapped_column(Text)
    annotator: Mapped[str | None] = mapped_column(Text)
    n: Mapped[int] = mapped_column(Integer)
    revision: Mapped[int] = mapped_column(Integer)
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[str] = mapped_column(String(32))
    replica: Mapped[str] = mapped_column(Text)
    taken_by: Mapped[int | None] = mapped_column(ForeignKey("operation.id"))
    is_known: Mapped[bool] = mapped_column(Boolean, server_default=true())


class SuggestionRow(Base):
    """A suggestion shown and accepted or refused; referenced by the log.

    `family` is a JSON list of alternatives, lists of addresses.
    """

    __tablename__ = "suggestion"
    __table_args__ = (Index("suggestion_by_entry", "topic", "abstract", "annotator", "n"),)
    at: Mapped[str] = mapped_column(String(32))
    topic: Mapped[str] = mapped_column(Text)
    abstract: Mapped[str] = mapped_column(Text)
    annotator: Mapped[str] = mapped_column(Text)
    n: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(16))
    family: Mapped[str] = mapped_column(Text)
    confidence: Mapped[float] = mapped_column(Float(53))
    source: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)


class ParseRow(Base):
    """A model's dependency parse of a text, in CoNLL-U.

    `digest` is the SHA-256 of the text in UTF-8, so that equal texts share their parse and a
    changed text has none.
    """

    __tablename__ = "parse"
    __table_args__ = (UniqueConstraint("model", "digest"),)
    model: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    conllu: Mapped[str] = mapped_column(Text)


class ScoreRunRow(Base):
    """Stored scores, as JSON; `corpus_state` is the newest operation when they were computed."""

    __tablename__ = "score_run"
    at: Mapped[str] = mapped_column(String(32))
    who: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    corpus_state: Mapped[str] = mapped_column(Text)
    selection: Mapped[str] = mapped_column(Text)
    scores: Mapped[str] = mapped_column(Text)


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
    who: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(16))
    verb: Mapped[str] = mapped_column(String(40))
    topic: Mapped[str | None] = mapped_column(Text)
    abstract: Mapped[str | None] = mapped_column(Text)
    annotator: Mapped[str | None] = mapped_column(Text)
    n: Mapped[int | None] = mapped_column(Integer)
    subject: Mapped[str] = mapped_column(Text)
    old: Mapped[str | None] = mapped_column(Text)
    new: Mapped[str | None] = mapped_column(Text)
    active_ms: Mapped[int] = mapped_column(Integer)
    target_id: Mapped[int | None] = mapped_column(ForeignKey("operation.id"))
    digest: Mapped[str | None] = mapped_column(String(64))
    replica: Mapped[str | None] = mapped_column(Text)
    replica_row: Mapped[int | None] = mapped_column(Integer)
    suggestion_id: Mapped[int | None] = mapped_column(Integer)
    shown_ms: Mapped[int | None] = mapped_column(Integer)
    n_keys: Mapped[int | None] = mapped_column(Integer)


class HolderRow(Base):
    """The present writer, for messages to others."""

    __tablename__ = "holder"
    who: Mapped[str] = mapped_column(Text)
    host: Mapped[str] = mapped_column(Text)
    pid: Mapped[int] = mapped_column(Integer)
    since: Mapped[str] = mapped_column(String(32))

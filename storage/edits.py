"""Edits: checks, and rows to write; each refused when the stored value is not its old one."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, text, update

from awase.core.errors import InputError, Reporter, Silent
from awase.core.records.abstract import AbstractSentence, Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus, unweighted
from awase.core.records.digests import (
    EntryKey,
    EntryVersion,
    changed_entries,
    entry_digest,
    gold_digest,
)
from awase.core.records.edits import (
    AbstractTextEdit,
    AlignmentEdit,
    Changes,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
    has_corpus_parts,
    has_parts,
    on_present_head,
    on_present_places,
    with_corpus_parts,
    with_parts,
)
from awase.core.records.source import SentenceRef, SourceSentence
from awase.storage.inserting import insert_gold, write_frame_digest, write_topic_digests
from awase.storage.postgresql.connections import lock_more
from awase.storage.querying import (
    entry_of_columns,
    entry_values,
    insert_rows,
    insert_with_keys,
    is_server,
    now,
    stamp,
    version_values,
)
from awase.storage.rows.reading import (
    corpus_around,
    read_corpus,
    read_decision,
    read_frame,
    read_topics,
)
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    CorpusRow,
    DocumentRow,
    GoldEntryRow,
    SentenceAlignmentRow,
    SourceSentenceRow,
    TopicRow,
)
from awase.storage.rows.writing import exchange_parts, write_difference


class StaleEdit(InputError):
    """The stored value is not the edit's old one any more."""


# Edits that are about one sentence of an abstract.
EditOfSentence = AlignmentEdit | GoldEdit | RankEdit | AbstractTextEdit

# Compiled once: compiling takes SQLAlchemy longer than the answer.
_SENTENCE = (
    select(SourceSentenceRow.id)
    .join(DocumentRow, DocumentRow.id == SourceSentenceRow.document_id)
    .where(
        DocumentRow.topic_id == bindparam("of_topic"),
        DocumentRow.key == bindparam("of_document"),
        SourceSentenceRow.n == bindparam("of_n"),
    )
)


def no_place(edit: EditOfSentence, n: int) -> InputError:
    """Returns that there is no such abstract sentence."""
    return InputError.of(
        "There is no sentence {n} in abstract “{abstract}” of topic “{topic}”.",
        "The corpus has changed; open it again.",
        n=n,
        abstract=edit.abstract,
        topic=edit.topic,
    )


def _check_rank(connection: Connection, rank: str | None) -> None:
    check_rank_of(connection.execute(select(CorpusRow.rank_weights)).scalar_one(), rank)


def check_rank_of(rank_weights: str, rank: str | None) -> None:
    """Raises an InputError for a rank without weight, given as stored."""
    ranks = {known for known, _ in json.loads(rank_weights)}
    if rank is not None and rank not in ranks:
        raise InputError([unweighted(rank, ranks)])


def check_refs(
    connection: Connection,
    topic_row_id: int,
    edit: AlignmentEdit | GoldEdit,
    refs: Iterable[SentenceRef],
) -> None:
    """Raises unless the topic's row has all these sentences."""
    for ref in refs:
        place = {"of_topic": topic_row_id, "of_document": ref.document_id, "of_n": ref.n}
        found = connection.execute(_SENTENCE, place).scalar_one_or_none()
        if found is None:
            raise no_sentence(edit.topic, ref)


def no_sentence(topic_id: str, ref: SentenceRef) -> InputError:
    """Returns that a topic has no such source sentence."""
    return InputError.of(
        "Topic “{topic}” has no sentence “{ref}”.",
        "The corpus has changed; open it again.",
        topic=topic_id,
        ref=str(ref),
    )


def stale(edit: EditOfSentence, n: int) -> StaleEdit:
    """Returns that the stored value is not the edit's old one."""
    return StaleEdit.of(
        "Sentence {n} of abstract “{abstract}” has been changed in the meantime.",
        "Look at it again, then repeat the action.",
        n=n,
        abstract=edit.abstract,
    )


def _sort(
    connection: Connection,
    row: type[SentenceAlignmentRow] | type[GoldEntryRow],
    is_concerned: ColumnElement[bool],
    abstract_row_id: int,
) -> None:
    """Sorts entries, which an import may bring in any order, by the abstract."""
    place = (
        select(AbstractSentenceRow.position)
        .where(AbstractSentenceRow.abstract_id == abstract_row_id, AbstractSentenceRow.n == row.n)
        .scalar_subquery()
    )
    connection.execute(
        update(row).where(is_concerned, row.position != place).values(position=place)
    )


def _append_alignment(connection: Connection, abstract_row_id: int, annotator: str) -> int:
    # Two people's first entries: the second one's place is after the first one's.
    if is_server(connection):
        lock_more(connection, f"alignments {abstract_row_id}")
    position = connection.execute(
        select(func.coalesce(func.max(AlignmentRow.position) + 1, 0)).where(
            AlignmentRow.abstract_id == abstract_row_id
        )
    ).scalar_one()
    row = {"abstract_id": abstract_row_id, "annotator": annotator, "position": position}
    (key,) = insert_with_keys(connection, "alignment", [row])
    return key


def _drop_empty_alignment(connection: Connection, alignment_id: int | None) -> None:
    has_entries = select(SentenceAlignmentRow.id).where(
        SentenceAlignmentRow.alignment_id == alignment_id
    )
    connection.execute(
        delete(AlignmentRow).where(AlignmentRow.id == alignment_id, ~has_entries.exists())
    )


class Stored(NamedTuple):
    """The stored entry, and what its edit depends on."""

    topic_row_id: int
    abstract_row_id: int
    position: int
    alignment_row_id: int | None  # row of the annotator's alignment; None = there is none yet
    # Columns n, state, alternatives, note, rank, assist; all None = empty.
    entry: tuple[object, ...]
    rank_weights: str
    replica: str
    revision: int | None  # the entry's newest; None = it was never edited
    digest: str | None  # of its newest version; None likewise
    is_unsorted: bool  # whether an import left entries of the alignment in another order

    def is_value(self, entry: SentenceAlignment) -> bool:
        """Returns whether `entry` equals the stored one."""
        if self.entry[0] is None:
            return entry == SentenceAlignment(n=entry.n)
        return entry_of_columns(self.entry) == entry

    def next_version(self, digest: str, at: str) -> EntryVersion:
        """Returns the version that follows the known ones."""
        revision = (self.revision or 0) + 1
        return EntryVersion(revision=revision, digest=digest, at=at, replica=self.replica)


_OF_ENTRY: Final = """
    topic = :of_topic AND abstract = :of_abstract AND annotator = :of_annotator AND n = :of_n
    AND is_known
"""
# What `stored_of` understands; its values are those of `place_of`. A server asks for `more`.
QUESTION: Final = f"""
    SELECT topic.id, abstract.id, sentence.position, alignment.id,
        entry.n, entry.state, entry.alternatives, entry.note, entry.rank, entry.assist,
        rank_weights, corpus.replica,
        (SELECT revision FROM entry_version WHERE {_OF_ENTRY} ORDER BY revision DESC LIMIT 1),
        (SELECT digest FROM entry_version WHERE {_OF_ENTRY} ORDER BY id DESC LIMIT 1),
        EXISTS (
            SELECT 1 FROM sentence_alignment AS other
            JOIN abstract_sentence AS its ON its.abstract_id = abstract.id AND its.n = other.n
            WHERE other.alignment_id = alignment.id AND other.position <> its.position
        ) {{more}}
    FROM topic
    CROSS JOIN corpus
    JOIN abstract ON abstract.topic_id = topic.id
    JOIN abstract_sentence AS sentence ON sentence.abstract_id = abstract.id
    LEFT JOIN alignment
        ON alignment.abstract_id = abstract.id AND alignment.annotator = :of_annotator
    LEFT JOIN sentence_alignment AS entry
        ON entry.alignment_id = alignment.id AND entry.n = sentence.n
    WHERE topic.key = :of_topic AND abstract.key = :of_abstract AND sentence.n = :of_n
"""
_QUESTION: Final = text(QUESTION.format(more=""))
N_COLUMNS: Final = 15
_CHANGE = update(SentenceAlignmentRow).where(
    SentenceAlignmentRow.alignment_id == bindparam("of_alignment"),
    SentenceAlignmentRow.n == bindparam("of_n"),
)


def place_of(edit: AlignmentEdit) -> dict[str, object]:
    """Returns which entry the edit is about, as the values of the question."""
    return {
        "of_topic": edit.topic,
        "of_abstract": edit.abstract,
        "of_annotator": edit.annotator,
        "of_n": edit.new.n,
    }


def stored_of(row: Sequence[Any]) -> Stored:  # Any: the columns differ in type
    """Returns the answer to the question by name."""
    return Stored._make((*row[:4], tuple(row[4:10]), *row[10:N_COLUMNS]))


def changes_of(edit: AlignmentEdit) -> Changes:
    """Returns the edit's changes."""
    return Changes(alignments=frozenset([(edit.topic, edit.abstract, edit.annotator, edit.new.n)]))


def key_of(edit: AlignmentEdit) -> EntryKey:
    """Returns which entry the edit is about."""
    return EntryKey(edit.topic, edit.abstract, edit.annotator, edit.new.n)


def write_alignment(connection: Connection, edit: AlignmentEdit) -> Changes:
    """Writes an annotator's entry; raises as `write_edit`."""
    Alignment(annotator=edit.annotator)  # refuses what could not be read again
    row = connection.execute(_QUESTION, place_of(edit)).one_or_none()
    if row is None:
        raise no_place(edit, edit.new.n)
    stored = stored_of(row)
    if not stored.is_value(edit.old):
        raise stale(edit, edit.new.n)
    new_refs = set(edit.new.refs()) - set(edit.old.refs())
    check_refs(connection, stored.topic_row_id, edit, new_refs)
    for rank in {edit.new.rank} - {edit.old.rank}:
        check_rank_of(stored.rank_weights, rank)
    _write(connection, edit, stored)
    digest = entry_digest(edit.new)
    if digest != stored.digest:  # or a removed topic has been restored
        version = version_values(key_of(edit), stored.next_version(digest, now()))
        insert_rows(connection, "entry_version", [version])
    return changes_of(edit)


def _write(connection: Connection, edit: AlignmentEdit, stored: Stored) -> None:
    """Writes an entry; an empty one is not stored: a missing one means the same."""
    alignment_id, row = stored.alignment_row_id, SentenceAlignmentRow
    if edit.new == SentenceAlignment(n=edit.new.n):
        own = delete(row).where(row.alignment_id == alignment_id, row.n == edit.new.n)
        connection.execute(own)
        _drop_empty_alignment(connection, alignment_id)
        return
    if alignment_id is None:
        alignment_id = _append_alignment(connection, stored.abstract_row_id, edit.annotator)
    values = {**entry_values(edit.new), "position": stored.position}
    if stored.entry[0] is None:
        insert_rows(connection, "sentence_alignment", [{**values, "alignment_id": alignment_id}])
    else:
        place = {"of_alignment": alignment_id, "of_n": edit.new.n}
        connection.execute(_CHANGE, {**values, **place})
    if stored.is_unsorted:
        _sort(connection, row, row.alignment_id == alignment_id, stored.abstract_row_id)


def write_corpus_edit(
    connection: Connection, edit: CorpusEdit, reporter: Reporter | None = None
) -> Changes:
    """Replaces the edit's old parts of the corpus by its new ones; `StaleEdit` if they differ."""
    old, new = edit.old, edit.new
    is_reweighted = old.head.rank_weights != new.head.rank_weights
    named = {*old.topic_ids, *new.topic_ids}
    corpus = read_corpus(connection) if is_reweighted else corpus_around(connection, named)
    old, new = on_present_places(corpus, *on_present_head(corpus, old, new))
    if not has_corpus_parts(corpus, old):
        raise StaleEdit.of(
            "The corpus has been changed in the meantime.",
            "Look at it again, then repeat the action.",
        )
    after = with_corpus_parts(corpus, old, new)
    return write_difference(connection, corpus, after, reporter or Silent())


def write_edit(connection: Connection, edit: Edit, reporter: Reporter | None = None) -> Changes:
    """Writes the edit's new value; `StaleEdit` if the stored one is not its old one."""
    if isinstance(edit, AlignmentEdit):
        return write_alignment(connection, edit)
    if isinstance(edit, GoldEdit):
        return _write_decision(connection, edit)
    if isinstance(edit, CorpusEdit):
        return write_corpus_edit(connection, edit, reporter)
    if isinstance(edit, RankEdit | AbstractTextEdit):
        return _write_sentence(connection, edit)
    if isinstance(edit, SourceTextEdit):
        return _write_source_text(connection, edit)
    if isinstance(edit, GuidelinesEdit):
        return _write_guidelines(connection, edit)
    return _write_parts(connection, edit)


def _write_decision(connection: Connection, edit: GoldEdit) -> Changes:
    topic_row_id, abstract_row_id, position = _place(connection, edit, edit.n)
    if read_decision(connection, abstract_row_id, edit.n) != edit.old:
        raise stale(edit, edit.n)
    if edit.new is not None:
        if edit.new.n != edit.n:
            raise ValueError(f"a decision about sentence {edit.new.n} is no value of {edit.n}")
        old_refs = set(edit.old.entry.refs()) if edit.old is not None else set()
        check_refs(connection, topic_row_id, edit, set(edit.new.entry.refs()) - old_refs)
        _check_rank(connection, edit.new.entry.rank)
    of_abstract = GoldEntryRow.abstract_id == abstract_row_id
    connection.execute(delete(GoldEntryRow).where(of_abstract, GoldEntryRow.n == edit.n))
    if edit.new is not None:
        insert_gold(connection, abstract_row_id, position, edit.new)
        _sort(connection, GoldEntryRow, of_abstract, abstract_row_id)
    key = EntryKey(edit.topic, edit.abstract, None, edit.n)
    stamp(connection, [(key, gold_digest(edit.new))], at=now())
    return Changes(gold=frozenset([(edit.topic, edit.abstract, edit.n)]))


def _write_sentence(connection: Connection, edit: RankEdit | AbstractTextEdit) -> Changes:
    """Writes the rank or the text of an abstract sentence."""
    is_rank = isinstance(edit, RankEdit)
    if isinstance(edit, AbstractTextEdit):
        AbstractSentence(n=edit.n, text=edit.new)  # refuses what could not be read again
    _, abstract_row_id, _ = _place(connection, edit, edit.n)
    row = AbstractSentenceRow
    is_sentence = (row.abstract_id == abstract_row_id) & (row.n == edit.n)
    column = row.rank if is_rank else row.text
    if connection.execute(select(column).where(is_sentence)).scalar_one() != edit.old:
        raise stale(edit, edit.n)
    if is_rank:
        _check_rank(connection, edit.new)
    connection.execute(update(row).where(is_sentence).values({column: edit.new}))
    _refresh_digests(connection, edit.topic)
    if is_rank:
        return Changes(ranks=frozenset([(edit.topic, edit.abstract, edit.n)]))
    return Changes(topics=frozenset([edit.topic]))


def _write_source_text(connection: Connection, edit: SourceTextEdit) -> Changes:
    SourceSentence(n=edit.ref.n, text=edit.new)  # refuses what could not be read again
    row = connection.execute(
        select(SourceSentenceRow.id, SourceSentenceRow.text)
        .join(DocumentRow, DocumentRow.id == SourceSentenceRow.document_id)
        .join(TopicRow, TopicRow.id == DocumentRow.topic_id)
        .where(
            TopicRow.key == edit.topic,
            DocumentRow.key == edit.ref.document_id,
            SourceSentenceRow.n == edit.ref.n,
        )
    ).one_or_none()
    if row is None:
        raise no_sentence(edit.topic, edit.ref)
    row_id, stored = row
    if stored != edit.old:
        raise StaleEdit.of(
            "Source sentence “{ref}” has been changed in the meantime.",
            "Look at it again, then repeat the action.",
            ref=str(edit.ref),
        )
    is_sentence = SourceSentenceRow.id == row_id
    connection.execute(update(SourceSentenceRow).where(is_sentence).values(text=edit.new))
    _refresh_digests(connection, edit.topic)
    return Changes(topics=frozenset([edit.topic]))


def _write_parts(connection: Connection, edit: TopicEdit) -> Changes:
    topics = read_topics(connection, only=edit.topic)
    if not topics:
        raise InputError.of("The corpus has no topic “{topic}”.", topic=edit.topic)
    if not has_parts(topics[0], edit.old):
        raise StaleEdit.of(
            "Topic “{topic}” has been changed in the meantime.",
            "Look at it again, then repeat the action.",
            topic=edit.topic,
        )
    after = with_parts(topics[0], edit.old, edit.new)  # refuses what could not be read again
    exchange_parts(connection, after, edit.old, edit.new)
    stamp(connection, changed_entries(topics[0], after), at=now())
    ranks: set[str | None] = set()
    for abstract in edit.new.abstracts.parts:
        ranks |= {sentence.rank for sentence in abstract.sentences}
        ranks |= {entry.rank for entry, _ in abstract.entries()}
    for rank in ranks:
        _check_rank(connection, rank)
    return Changes(topics=frozenset([edit.topic]))


def _write_guidelines(connection: Connection, edit: GuidelinesEdit) -> Changes:
    Corpus(guidelines=edit.new)  # refuses what could not be read again
    if connection.execute(select(CorpusRow.guidelines)).scalar_one() != edit.old:
        raise StaleEdit.of(
            "The guidelines have been changed in the meantime.",
            "Look at them again, then repeat the action.",
        )
    connection.execute(update(CorpusRow).values(guidelines=edit.new))
    write_frame_digest(connection, read_frame(connection))
    return Changes(corpus=True)


def _refresh_digests(connection: Connection, topic_id: str) -> None:
    for topic in read_topics(connection, only=topic_id):
        write_topic_digests(connection, topic)


def _place(connection: Connection, edit: EditOfSentence, n: int) -> tuple[int, int, int]:
    row = connection.execute(
        select(TopicRow.id, AbstractRow.id, AbstractSentenceRow.position)
        .join(AbstractRow, AbstractRow.topic_id == TopicRow.id)
        .join(AbstractSentenceRow, AbstractSentenceRow.abstract_id == AbstractRow.id)
        .where(
            TopicRow.key == edit.topic,
            AbstractRow.key == edit.abstract,
            AbstractSentenceRow.n == n,
        )
    ).one_or_none()
    if row is None:
        raise no_place(edit, n)
    return row[0], row[1], row[2]

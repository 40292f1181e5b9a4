"""Edits of any kind, made and taken back, within one transaction."""

from collections.abc import Callable

from sqlalchemy import Connection, select, update

from awase.core.errors import InputError
from awase.core.progress import Reporter, Silent
from awase.core.records.abstract import AbstractSentence
from awase.core.records.corpus import Corpus
from awase.core.records.differences import (
    has_corpus_parts,
    has_parts,
    on_present_head,
    on_present_places,
    with_corpus_parts,
    with_parts,
)
from awase.core.records.edits.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.edits.ownership import EntryKey, changed_entries
from awase.core.records.edits.verbs import MERGE
from awase.core.records.encoding.digests import gold_digest
from awase.core.records.source import SourceSentence
from awase.storage.changing.entries import (
    EditOfSentence,
    StaleEdit,
    check_rank,
    check_refs,
    no_place,
    no_sentence,
    stale,
    stale_corpus,
    write_alignment,
    write_decision,
)
from awase.storage.log.operations import REDO, UNDO, History, Operation, log_reversal
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.digests import write_frame_digest, write_topic_digests
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
    CorpusRow,
    DocumentRow,
    SourceSentenceRow,
    TopicRow,
)
from awase.storage.rows.versions import set_known, stamp
from awase.storage.rows.writing import exchange_parts, write_difference


def write_parts(connection: Connection, edit: TopicEdit) -> None:
    """Puts the edit's new parts in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
    """
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


def write_corpus_edit(
    connection: Connection, edit: CorpusEdit, reporter: Reporter | None = None
) -> Changes:
    """Puts the edit's new parts of the corpus in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
    """
    old, new = edit.old, edit.new
    is_reweighted = old.head.rank_weights != new.head.rank_weights
    named = {*old.topic_ids, *new.topic_ids}
    corpus = read_corpus(connection) if is_reweighted else corpus_around(connection, named)
    old, new = on_present_places(corpus, *on_present_head(corpus, old, new))
    if not has_corpus_parts(corpus, old):
        raise stale_corpus()
    after = with_corpus_parts(corpus, old, new)
    return write_difference(connection, corpus, after, reporter or Silent())


def write_edit(connection: Connection, edit: Edit, reporter: Reporter | None = None) -> Changes:
    """Writes the edit's new value.

    Raises:
        StaleEdit: The stored value is not the edit's old one.
    """
    if isinstance(edit, AlignmentEdit):
        return write_alignment(connection, edit)
    if isinstance(edit, GoldEdit):
        return _write_decision(connection, edit)
    if isinstance(edit, CorpusEdit):
        return write_corpus_edit(connection, edit, reporter)
    if isinstance(edit, RankEdit):
        return _write_rank(connection, edit)
    if isinstance(edit, AbstractTextEdit):
        return _write_abstract_text(connection, edit)
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
        check_rank(connection, edit.new.entry.rank)
    write_decision(
        connection,
        abstract_row_id=abstract_row_id,
        n=edit.n,
        position=position,
        decided=edit.new,
    )
    key = EntryKey(edit.topic, edit.abstract, None, edit.n)
    stamp(connection, [(key, gold_digest(edit.new))], at=now())
    return Changes(gold=frozenset([(edit.topic, edit.abstract, edit.n)]))


def _write_rank(connection: Connection, edit: RankEdit) -> Changes:
    _, abstract_row_id, _ = _place(connection, edit, edit.n)
    is_sentence = (AbstractSentenceRow.abstract_id == abstract_row_id) & (
        AbstractSentenceRow.n == edit.n
    )
    stored = connection.execute(select(AbstractSentenceRow.rank).where(is_sentence)).scalar_one()
    if stored != edit.old:
        raise stale(edit, edit.n)
    check_rank(connection, edit.new)
    connection.execute(update(AbstractSentenceRow).where(is_sentence).values(rank=edit.new))
    _refresh_digests(connection, edit.topic)
    return Changes(ranks=frozenset([(edit.topic, edit.abstract, edit.n)]))


def _write_abstract_text(connection: Connection, edit: AbstractTextEdit) -> Changes:
    AbstractSentence(n=edit.n, text=edit.new)  # refuses what could not be read again
    _, abstract_row_id, _ = _place(connection, edit, edit.n)
    is_sentence = (AbstractSentenceRow.abstract_id == abstract_row_id) & (
        AbstractSentenceRow.n == edit.n
    )
    stored = connection.execute(select(AbstractSentenceRow.text).where(is_sentence)).scalar_one()
    if stored != edit.old:
        raise stale(edit, edit.n)
    connection.execute(update(AbstractSentenceRow).where(is_sentence).values(text=edit.new))
    _refresh_digests(connection, edit.topic)
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
    write_parts(connection, edit)
    ranks: set[str | None] = set()
    for abstract in edit.new.abstracts.parts:
        ranks |= {sentence.rank for sentence in abstract.sentences}
        ranks |= {rank for rank, _ in abstract.judged_ranks()}
    for rank in ranks:
        check_rank(connection, rank)
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


def reverse(
    connection: Connection,
    history: History,
    kind: str,
    edit_of: Callable[[Connection, Operation], Edit],
    *,
    who: str,
    reporter: Reporter | None,
) -> tuple[Changes, int]:
    """Returns what changed by a person's next step, and the row of the log that says so.

    Args:
        reporter: Told of each topic of an import.
    """
    operation = history.next_of(kind)
    if operation is None and kind == UNDO:
        raise InputError.of("There is nothing to undo.")
    if operation is None:
        raise InputError.of("There is nothing to redo.")
    edit = edit_of(connection, operation)
    if operation.edit.verb == MERGE:  # what was taken back may come again
        set_known(connection, operation.id, is_known=kind == REDO)
    changes = write_edit(connection, edit.inverse() if kind == UNDO else edit, reporter or Silent())
    return changes, log_reversal(connection, who=who, kind=kind, operation=operation)

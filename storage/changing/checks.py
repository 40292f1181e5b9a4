"""What an edit has to fit: ranks with a weight, sentences that there are, the value it is about."""

import json
from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select

from awase.core.errors import InputError, Listing
from awase.core.records.edits.edit import AbstractTextEdit, AlignmentEdit, GoldEdit, RankEdit
from awase.core.records.identifiers import SentenceRef
from awase.storage.changing.conflicts import StaleEdit
from awase.storage.rows.schema import CorpusRow, DocumentRow, SourceSentenceRow

EditOfSentence = AlignmentEdit | GoldEdit | RankEdit | AbstractTextEdit
"""Edits that are about one sentence of an abstract."""

# Made once: to put a question together takes SQLAlchemy longer than the answer.
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


def check_rank(connection: Connection, rank: str | None) -> None:
    """Raises an InputError when a rank has no weight in the corpus."""
    check_rank_of(connection.execute(select(CorpusRow.rank_weights)).scalar_one(), rank)


def check_rank_of(rank_weights: str, rank: str | None) -> None:
    """Raises an InputError when a rank is not among the weights, given as they are stored."""
    ranks = [known for known, _ in json.loads(rank_weights)]
    if rank is not None and rank not in ranks:
        raise InputError.of(
            "Rank “{rank}” has no weight.",
            "Add it to rank_weights or use one of {ranks}.",
            rank=rank,
            ranks=Listing(ranks),
        )


def check_refs(
    connection: Connection,
    topic_row_id: int,
    edit: AlignmentEdit | GoldEdit,
    refs: Iterable[SentenceRef],
) -> None:
    """Does nothing when the topic's row has all these sentences.

    Raises:
        InputError: It lacks one, the first of which is named.
    """
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

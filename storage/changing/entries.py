"""The one entry that an annotator's or adjudicator's edit changes, within a transaction."""

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from awase.core.records.alignment import SentenceAlignment
from awase.core.records.gold import GoldEntry
from awase.storage.rows.inserting import entry_values, insert_gold, insert_with_keys
from awase.storage.rows.schema import (
    AbstractSentenceRow,
    AlignmentRow,
    GoldEntryRow,
    SentenceAlignmentRow,
)
from awase.storage.sharing.locks import lock_more


def write_entry(
    connection: Connection,
    *,
    abstract_row_id: int,
    annotator: str,
    position: int,
    entry: SentenceAlignment,
) -> None:
    """Makes `entry` the annotator's; `position` is its sentence's in the abstract.

    An entry that says nothing is not stored: it is what a missing one means.
    """
    alignment_id = connection.execute(
        select(AlignmentRow.id).where(
            AlignmentRow.abstract_id == abstract_row_id, AlignmentRow.annotator == annotator
        )
    ).scalar_one_or_none()
    if alignment_id is None:
        alignment_id = _append_alignment(connection, abstract_row_id, annotator)
    connection.execute(
        delete(SentenceAlignmentRow).where(
            SentenceAlignmentRow.alignment_id == alignment_id, SentenceAlignmentRow.n == entry.n
        )
    )
    if entry != SentenceAlignment(n=entry.n):
        connection.execute(
            insert(SentenceAlignmentRow).values(
                alignment_id=alignment_id, position=position, **entry_values(entry)
            )
        )
        sort_entries(connection, alignment_id, abstract_row_id)
    else:
        _drop_empty_alignment(connection, alignment_id)


def write_decision(
    connection: Connection,
    *,
    abstract_row_id: int,
    n: int,
    position: int,
    decided: GoldEntry | None,
) -> None:
    """Makes `decided` the gold layer's entry for a sentence; None takes it away.

    Args:
        connection: Within the caller's transaction.
        abstract_row_id: The abstract's key.
        n: Number of the abstract sentence.
        position: Where the entry stands until they are sorted.
        decided: The decision.
    """
    connection.execute(
        delete(GoldEntryRow).where(GoldEntryRow.abstract_id == abstract_row_id, GoldEntryRow.n == n)
    )
    if decided is not None:
        insert_gold(connection, abstract_row_id, position, decided)
        of_abstract = GoldEntryRow.abstract_id == abstract_row_id
        _sort(connection, GoldEntryRow, of_abstract, abstract_row_id)


def sort_entries(connection: Connection, alignment_id: int, abstract_row_id: int) -> None:
    """Puts the entries of an alignment in the order of the abstract."""
    of_alignment = SentenceAlignmentRow.alignment_id == alignment_id
    _sort(connection, SentenceAlignmentRow, of_alignment, abstract_row_id)


def _sort(
    connection: Connection,
    row: type[SentenceAlignmentRow] | type[GoldEntryRow],
    is_concerned: ColumnElement[bool],
    abstract_row_id: int,
) -> None:
    """Puts entries, which an import may bring in any order, in the order of the abstract."""
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
    lock_more(connection, f"alignments {abstract_row_id}")
    position = connection.execute(
        select(func.coalesce(func.max(AlignmentRow.position) + 1, 0)).where(
            AlignmentRow.abstract_id == abstract_row_id
        )
    ).scalar_one()
    row = {"abstract_id": abstract_row_id, "annotator": annotator, "position": position}
    (key,) = insert_with_keys(connection, "alignment", [row])
    return key


def _drop_empty_alignment(connection: Connection, alignment_id: int) -> None:
    has_entries = select(SentenceAlignmentRow.id).where(
        SentenceAlignmentRow.alignment_id == alignment_id
    )
    connection.execute(
        delete(AlignmentRow).where(AlignmentRow.id == alignment_id, ~has_entries.exists())
    )

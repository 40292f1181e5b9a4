"""The one entry that an annotator's edit changes, within the caller's transaction."""

from sqlalchemy import Connection, delete, func, insert, select, update

from awase.core.records.alignment import SentenceAlignment
from awase.storage.rows.schema import AbstractSentenceRow, AlignmentRow, SentenceAlignmentRow
from awase.storage.rows.writing import entry_values, new_row_id


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
        _sort_entries(connection, abstract_row_id, alignment_id)
    else:
        _drop_empty_alignment(connection, alignment_id)


def _sort_entries(connection: Connection, abstract_row_id: int, alignment_id: int) -> None:
    """Puts entries, which an import may bring in any order, in the order of the abstract."""
    place = (
        select(AbstractSentenceRow.position)
        .where(
            AbstractSentenceRow.abstract_id == abstract_row_id,
            AbstractSentenceRow.n == SentenceAlignmentRow.n,
        )
        .scalar_subquery()
    )
    connection.execute(
        update(SentenceAlignmentRow)
        .where(
            SentenceAlignmentRow.alignment_id == alignment_id,
            SentenceAlignmentRow.position != place,
        )
        .values(position=place)
    )


def _append_alignment(connection: Connection, abstract_row_id: int, annotator: str) -> int:
    position = connection.execute(
        select(func.coalesce(func.max(AlignmentRow.position) + 1, 0)).where(
            AlignmentRow.abstract_id == abstract_row_id
        )
    ).scalar_one()
    return new_row_id(
        connection,
        AlignmentRow,
        {"abstract_id": abstract_row_id, "annotator": annotator, "position": position},
    )


def _drop_empty_alignment(connection: Connection, alignment_id: int) -> None:
    has_entries = select(SentenceAlignmentRow.id).where(
        SentenceAlignmentRow.alignment_id == alignment_id
    )
    connection.execute(
        delete(AlignmentRow).where(AlignmentRow.id == alignment_id, ~has_entries.exists())
    )

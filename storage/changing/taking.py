"""Somebody takes the next free topic, within the caller's transaction."""

from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection, select

from awase.core.errors import InputError
from awase.core.project.next_free import Next, next_free
from awase.core.records.differences import CorpusParts, Frame, runs
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.edits.verbs import ASSIGN
from awase.storage.log.operations import Operation, log_edit
from awase.storage.rows.digests import write_frame_digest
from awase.storage.rows.reading import read_frame
from awase.storage.rows.schema import CorpusRow
from awase.storage.rows.work import read_pool
from awase.storage.rows.writing import write_assignments


class Taken(NamedTuple):
    """What somebody is to align next, and the people and their work afterwards."""

    next: Next
    frame: Frame


def take_free(
    connection: Connection, who: str, *, most: int | None
) -> tuple[Taken, Operation | None]:
    """Gives `who` the next free topic; the caller sees to it that nobody else takes one meanwhile.

    Raises:
        InputError: Nothing is free, or this is a copy, or as `next_free` says.
    """
    handed_to = connection.execute(select(CorpusRow.handed_to)).scalar_one()
    if handed_to is not None:
        raise InputError.of(
            "This file was handed out to “{person}”: what is free stands in the main file.",
            "Take topics there, and have them handed out.",
            person=handed_to,
        )
    frame = read_frame(connection)
    found = next_free(read_pool(connection, frame), who, most=most)
    if not found.taken:
        return Taken(found, frame), None
    after = replace(frame, assignments=(*frame.assignments, *found.taken))
    old, new = runs(frame.assignments, after.assignments)
    edit = CorpusEdit(
        verb=ASSIGN,
        old=CorpusParts(head=frame.head, assignments=old),
        new=CorpusParts(head=frame.head, assignments=new),
        subject=f"{who}: {found.topic}",
    )
    write_assignments(connection, frame.assignments, after.assignments)
    write_frame_digest(connection, after)
    return Taken(found, after), log_edit(connection, who=who, edit=edit)

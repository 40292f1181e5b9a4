"""Takes edits back and makes them again, within one transaction."""

from collections.abc import Callable

from sqlalchemy import Connection

from awase.core.errors import InputError
from awase.core.progress import Reporter, Silent
from awase.core.records.edits.edit import Edit
from awase.core.records.edits.verbs import MERGE
from awase.storage.changing.applying import write_edit
from awase.storage.log.operations import REDO, UNDO, History, Operation, log_reversal
from awase.storage.rows.changes import Changes
from awase.storage.rows.versions import set_known


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
        connection: In which it is made.
        history: What the person can undo and redo.
        kind: `UNDO` or `REDO`.
        edit_of: Reads the edit that an operation made.
        who: The person.
        reporter: Told of each topic of an import.

    Raises:
        InputError: There is no such step.
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

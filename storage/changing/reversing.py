"""Takes edits back and makes them again, within one transaction."""

from sqlalchemy import Connection

from awase.core.annotation.corpus_edits import MERGE
from awase.core.progress import Reporter
from awase.core.records.edits.edit import Edit
from awase.storage.changing.applying import write_edit
from awase.storage.log.operations import REDO, UNDO, Operation, log_reversal, whole_edit
from awase.storage.rows.changes import Changes
from awase.storage.rows.versions import set_known


def take_back(
    connection: Connection, operation: Operation, *, who: str, reporter: Reporter | None
) -> tuple[Changes, int]:
    """Returns what changed by undoing an operation, and the row of the log that says so."""
    edit = whole_edit(connection, operation).inverse()
    return _write(connection, operation, edit, reporter, who=who, kind=UNDO)


def make_again(
    connection: Connection, operation: Operation, *, who: str, reporter: Reporter | None
) -> tuple[Changes, int]:
    """Returns what changed by redoing an operation, and the row of the log that says so."""
    edit = whole_edit(connection, operation)
    return _write(connection, operation, edit, reporter, who=who, kind=REDO)


def _write(
    connection: Connection,
    operation: Operation,
    edit: Edit,
    reporter: Reporter | None,
    *,
    who: str,
    kind: str,
) -> tuple[Changes, int]:
    if operation.edit.verb == MERGE:  # what was taken back may come again
        set_known(connection, operation.id, is_known=kind == REDO)
    changes = write_edit(connection, edit, reporter)
    return changes, log_reversal(connection, who=who, kind=kind, operation=operation)

"""Edits of the corpus in the log: a row each, or several where one is long.

Portions of a long edit are logged before it, and its row names theirs where others have a value.
A program that knows no portions finds no value there and refuses to undo it, so that nothing is
undone by halves.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection, select

from awase.core.records.assist import Effort
from awase.core.records.edits.edit import CorpusEdit, Edit
from awase.core.records.encoding.packed_parts import Portion
from awase.core.records.parts.corpus_parts import CorpusParts
from awase.storage.log.acts import add_to_log
from awase.storage.log.logged_edits import unlogged
from awase.storage.log.operations import PORTION, Operation, edit_values, log_edit
from awase.storage.rows.clock import time_of
from awase.storage.rows.schema import OperationRow

ReadEdit = Callable[[], Edit]
"""Reads an edit of the log, within the transaction in which it was found."""

_PORTIONS: Final = "portions:"


class LongEdit:
    """Takes the portions of an edit of the corpus into the log, and the edit when it has all."""

    def __init__(self, connection: Connection, *, who: str, verb: str, subject: str) -> None:
        """Logs nothing yet.

        Args:
            connection: Within a transaction.
            who: The person.
            verb: What they do.
            subject: What it is about.
        """
        self._connection, self._who = connection, who
        self._verb, self._subject = verb, subject
        self._rows: list[int] = []

    def take(self, portion: Portion) -> None:
        """Logs a portion that is not the last."""
        values = self._values(portion)
        self._rows.append(add_to_log(self._connection, {**values, "kind": PORTION}))

    def end(self, last: Portion) -> Operation | None:
        """Logs the last portion, and the edit; None = nothing is different and nothing logged."""
        if not self._rows:
            before, after = last
            if before == after:
                return None
            return log_edit(self._connection, who=self._who, edit=self._edit(last))
        self.take(last)
        nothing = CorpusParts(), CorpusParts()
        values = {**self._values(nothing), "old": f"{_PORTIONS}{json.dumps(self._rows)}"}
        row = add_to_log(self._connection, {**values, "new": None})
        return Operation(id=row, at=str(values["at"]), who=self._who, edit=self._edit(nothing))

    def _edit(self, portion: Portion) -> CorpusEdit:
        old, new = portion
        return CorpusEdit(verb=self._verb, old=old, new=new, subject=self._subject)

    def _values(self, portion: Portion) -> dict[str, object]:
        edit = self._edit(portion)
        return edit_values(at=time_of(self._connection), who=self._who, edit=edit, effort=Effort())


def edits_of(connection: Connection, operation: Operation) -> list[ReadEdit]:
    """Returns what reads the edits that an operation made, with their values, in their order.

    Args:
        connection: Within a transaction.
        operation: As a history has it.
    """
    edit = operation.edit
    if not isinstance(edit, CorpusEdit):
        return [lambda: edit]
    begins = OperationRow.old.startswith(_PORTIONS)
    query = select(OperationRow.old).where(OperationRow.id == operation.id, begins)
    named = connection.execute(query).scalar_one_or_none()
    rows = [operation.id] if named is None else json.loads(named.removeprefix(_PORTIONS))
    return [partial(_edit_in, connection, row) for row in rows]


def _edit_in(connection: Connection, row: int) -> Edit:
    query = select(*OperationRow.__table__.columns).where(OperationRow.id == row)
    return unlogged(dict(connection.execute(query).mappings().one()))

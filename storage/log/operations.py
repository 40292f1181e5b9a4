"""The operation log: what was done, in rows that undo, audit and recovery read.

Undoing adds a row of its own, so the log only ever grows. What can be undone now follows from
reading a person's rows in order: an edit joins the done ones and forgets the undone ones, an undo
moves the last done edit over, a redo moves it back.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, case, func, or_, select

from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.annotation.times import LoggedTime
from awase.core.records.assist import Effort, LoggedSuggestion
from awase.core.records.differences import CorpusParts
from awase.core.records.edits.edit import AlignmentEdit, CorpusEdit, Edit
from awase.core.records.encoding.json_values import dumps
from awase.storage.databases.access import ROWS_NOT_UNDERSTOOD
from awase.storage.log.acts import add_to_log
from awase.storage.log.logged_edits import logged, unlogged, whole
from awase.storage.rows.clock import time_of
from awase.storage.rows.inserting import insert_with_keys
from awase.storage.rows.schema import OperationRow, SuggestionRow

EDIT, UNDO, REDO = "edit", "undo", "redo"
MAX_UNDO_STEPS = 1000
_NO_EFFORT = Effort()
_IS_OF_CORPUS = OperationRow.topic.is_(None) & (OperationRow.verb != EDIT_GUIDELINES)
_IS_OURS = OperationRow.replica.is_(None)  # what came from another copy is undone there
NEWEST_STEP = select(func.max(OperationRow.id)).where(
    OperationRow.who == bindparam("of_who"),
    or_(*(OperationRow.kind == kind for kind in (EDIT, UNDO, REDO))),
    _IS_OURS,
)
"""The number of the newest edit, undo or redo of `of_who`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An edit as the log has it.

    Attributes:
        id: Its row; grows with time.
        at: ISO 8601, UTC.
        who: The person.
        edit: What was changed; of an edit of the corpus the values are read by `edit_of`, as
            they may be as long as an import.
        active_ms: Milliseconds the person worked on it.
    """

    id: int
    at: str
    who: str
    edit: Edit
    active_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What a person can undo and redo, oldest first; the last one is next."""

    done: tuple[Operation, ...] = ()
    undone: tuple[Operation, ...] = ()

    def after_edit(self, operation: Operation) -> "History":
        """Returns the history once `operation` has been done."""
        return History(done=(*self.done, operation)[-MAX_UNDO_STEPS:])

    def next_of(self, kind: str) -> Operation | None:
        """Returns what `UNDO` takes back or `REDO` makes again; None when there is nothing."""
        steps = self.done if kind == UNDO else self.undone
        return steps[-1] if steps else None

    def after(self, kind: str) -> "History":
        """Returns the history once the next step of this kind, which exists, has been done."""
        if kind == UNDO:
            return History(done=self.done[:-1], undone=(*self.undone, self.done[-1]))
        return History(done=(*self.done, self.undone[-1]), undone=self.undone[:-1])


def log_edit(
    connection: Connection, *, who: str, edit: Edit, effort: Effort = _NO_EFFORT
) -> Operation:
    """Adds an edit to the log, with the suggestion behind it, and returns it."""
    at, active_ms = time_of(connection), effort.active_ms
    values = edit_values(at=at, who=who, edit=edit, effort=effort)
    values |= _seen(connection, edit, effort, at)
    if isinstance(edit, CorpusEdit):  # as `history_of` tells of it
        edit = replace(edit, old=CorpusParts(), new=CorpusParts())
    return Operation(
        id=add_to_log(connection, values), at=at, who=who, edit=edit, active_ms=active_ms
    )


def edit_values(*, at: str, who: str, edit: Edit, effort: Effort) -> dict[str, object]:
    """Returns an edit as the columns of its row in the log, but for suggestion and digest."""
    counted: dict[str, object] = {} if effort.n_keys is None else {"n_keys": effort.n_keys}
    return {
        "at": at,
        "who": who,
        "kind": EDIT,
        "verb": edit.verb,
        "topic": edit.topic or None,
        "abstract": edit.abstract,
        "subject": edit.subject,
        "active_ms": effort.active_ms,
        **logged(edit),
        **counted,
    }


def _seen(connection: Connection, edit: Edit, effort: Effort, at: str) -> dict[str, object]:
    """Returns the columns about what the annotator saw; none when nothing is to be told."""
    shown = effort.shown
    if shown is None or not isinstance(edit, AlignmentEdit):
        return {}
    row = {
        "at": at,
        "topic": edit.topic,
        "abstract": edit.abstract,
        "annotator": edit.annotator,
        "n": edit.new.n,
        "kind": shown.kind,
        "family": dumps(shown.family),
        "confidence": shown.confidence,
        "source": shown.source,
        "model": shown.model,
    }
    (key,) = insert_with_keys(connection, "suggestion", [row])
    return {"suggestion_id": key, "shown_ms": shown.shown_ms}


def log_reversal(connection: Connection, *, who: str, kind: str, operation: Operation) -> int:
    """Adds the undoing (`UNDO`) or redoing (`REDO`) of an edit to the log; returns its row."""
    edit = operation.edit
    return add_to_log(
        connection,
        {
            "at": time_of(connection),
            "who": who,
            "kind": kind,
            "verb": edit.verb,
            "topic": edit.topic or None,
            "abstract": edit.abstract,
            "subject": edit.subject,
            "active_ms": 0,
            "target_id": operation.id,
        },
    )


def history_of(connection: Connection, who: str) -> History:
    """Returns what `who` can undo and redo."""
    latest = (
        select(OperationRow.id)
        .where(OperationRow.who == who, OperationRow.kind.in_((EDIT, UNDO, REDO)), _IS_OURS)
        .order_by(OperationRow.id.desc())
        .limit(4 * MAX_UNDO_STEPS)
        .subquery()
    )
    columns = [
        case((_IS_OF_CORPUS, None), else_=column).label(column.name)
        if column.name in ("old", "new")
        else column
        for column in OperationRow.__table__.columns
    ]
    rows = connection.execute(
        select(*columns).where(OperationRow.id.in_(select(latest.c.id))).order_by(OperationRow.id)
    ).mappings()
    return _replayed(dict(row) for row in rows)


def _replayed(rows: Iterable[dict[str, object]]) -> History:
    done: list[Operation] = []
    undone: list[Operation] = []
    for row in rows:
        if row["kind"] == EDIT:
            with suppress(*ROWS_NOT_UNDERSTOOD):  # `find_damage` names it
                done.append(_operation(row))
            undone.clear()
        elif row["kind"] == UNDO and done and done[-1].id == row["target_id"]:
            undone.append(done.pop())
        elif row["kind"] == REDO and undone and undone[-1].id == row["target_id"]:
            done.append(undone.pop())
    return History(done=tuple(done[-MAX_UNDO_STEPS:]), undone=tuple(undone))


def _operation(row: dict[str, object]) -> Operation:
    return Operation(
        id=whole(row["id"]),
        at=str(row["at"]),
        who=str(row["who"]),
        edit=unlogged(row),
        active_ms=whole(row["active_ms"]),
    )


def logged_times(connection: Connection) -> Sequence[LoggedTime]:
    """Returns how long each edit took, oldest first."""
    columns = (
        OperationRow.who,
        OperationRow.active_ms,
        OperationRow.topic,
        OperationRow.abstract,
        OperationRow.n,
    )
    is_work = (OperationRow.kind == EDIT) & ~_IS_OF_CORPUS
    edits = select(*columns).where(is_work).order_by(OperationRow.id)
    return tuple(
        [
            LoggedTime(annotator=who, active_ms=active_ms, topic=topic, abstract=abstract, n=n)
            for who, active_ms, topic, abstract, n in connection.execute(edits)
        ]
    )


def logged_suggestions(connection: Connection) -> Sequence[LoggedSuggestion]:
    """Returns each edit of an entry with the keys it took and the suggestion behind it."""
    row, shown = OperationRow, SuggestionRow
    names = ("topic", "abstract", "annotator", "n", "active_ms", "n_keys")
    query = (
        select(*(getattr(row, name) for name in names), shown.family, shown.model)
        .outerjoin(shown, shown.id == row.suggestion_id)
        .where(row.kind == EDIT, row.annotator.is_not(None))
        .order_by(row.id)
    )
    return tuple([LoggedSuggestion(**one) for one in connection.execute(query).mappings()])


def edit_of(connection: Connection, operation: Operation) -> Edit:
    """Returns the edit that an operation made, with its values.

    Args:
        connection: Within a transaction.
        operation: As a history has it.
    """
    if not isinstance(operation.edit, CorpusEdit):
        return operation.edit
    query = select(*OperationRow.__table__.columns).where(OperationRow.id == operation.id)
    return unlogged(dict(connection.execute(query).mappings().one()))


def newest_step(connection: Connection, who: str) -> int:
    """Returns the person's newest edit, undo or redo, 0 when there is none."""
    return connection.execute(NEWEST_STEP, {"of_who": who}).scalar_one() or 0

"""The operation log, for undo, audit and recovery."""

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, insert, select
from sqlalchemy.exc import MultipleResultsFound, NoResultFound

from awase.core.annotation.actions import RANK
from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.errors import batches
from awase.core.records.abstract import EditEffort, GoldEntry, LoggedSuggestion
from awase.core.records.edits import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    CorpusParts,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.json_values import (
    corpus_parts_of,
    corpus_parts_pieces,
    dumps,
    entry_of,
    entry_value,
    gold_entry_of,
    gold_entry_value,
    topic_parts_of,
    topic_parts_value,
)
from awase.core.records.source import SentenceRef
from awase.core.team.handing_out import RankStep
from awase.core.team.progress import LoggedTime
from awase.storage.querying import (
    NOT_UNDERSTOOD,
    add_to_log,
    insert_with_keys,
    only_row_of,
    operation_digest,
    time_of,
)
from awase.storage.rows.schema import OperationRow, SuggestionRow

_Row = Mapping[str, object]
_TEXT: Final = "text"
_GOLD: Final = "gold"
_PACKED: Final = "zlib:"
# Characters from which a value is packed: an import is as long as what it brings.
LONG: Final = 10_000


# What rows raise that are no corpus, when SQLAlchemy reads them.
ROWS_NOT_UNDERSTOOD: Final = (
    *NOT_UNDERSTOOD, NoResultFound, MultipleResultsFound,
)  # fmt: skip


class _Codec(NamedTuple):
    """How a value of one kind of edit stands in the log."""

    dump: Callable[[Any], str | None]  # Any: each kind has values of its own type
    load: Callable[[str], Any]


def logged(edit: Edit) -> dict[str, object]:
    """Returns the columns that are special to the kind of `edit`."""
    dump = _CODECS[type(edit)].dump
    columns: dict[str, object] = {"old": dump(edit.old), "new": dump(edit.new)}
    if isinstance(edit, AlignmentEdit):
        return {"annotator": edit.annotator, "n": edit.new.n, **columns}
    return {"n": edit.n, **columns} if hasattr(edit, "n") else columns


def unlogged(row: _Row) -> Edit:
    """Returns the edit of a log row."""
    kind = _kind_of(row)
    old, new = _optional(row["old"]), _optional(row["new"])
    values: dict[str, Any] = {"old": old, "new": new}  # Any: the columns differ in type
    if kind is CorpusEdit and old is None:  # its values were not loaded
        values = {"old": CorpusParts(), "new": CorpusParts()}
    elif kind is not RankEdit:
        load = _CODECS[kind].load
        values = {"old": load(str(old)), "new": load(str(new))}
    for field in fields(kind):
        if field.name not in values:
            values[field.name] = _COLUMNS[field.name](row)
    return kind(**values)


def _kind_of(row: _Row) -> type[Edit]:
    old, new = str(row["old"]), str(row["new"])
    is_text = _has_key(old, _TEXT)
    if row["annotator"] is not None:
        return AlignmentEdit
    if row["n"] is not None:
        if is_text and _has_key(new, _TEXT):
            return AbstractTextEdit
        return GoldEdit if _has_key(old, _GOLD) and _has_key(new, _GOLD) else RankEdit
    if row["topic"] is None:
        return GuidelinesEdit if is_text else CorpusEdit
    return SourceTextEdit if is_text else TopicEdit


def _parts(text: str) -> CorpusParts:
    return corpus_parts_of(json.loads(_unpacked(text) if text.startswith(_PACKED) else text))


def _decision_text(decided: GoldEntry | None) -> str:
    return dumps({_GOLD: None if decided is None else gold_entry_value(decided)})


def _decision(value: str) -> GoldEntry | None:
    decided = json.loads(value)[_GOLD]
    return None if decided is None else gold_entry_of(decided)


def _packed(pieces: Iterable[str]) -> str:
    first = ""
    for piece in (rest := iter(pieces)):
        first += piece
        if len(first) >= LONG:
            break
    else:
        return first
    packer, packed = zlib.compressobj(6), bytearray()
    for piece in chain((first,), rest):
        packed += packer.compress(piece.encode("utf-8"))
    packed += packer.flush()
    return _PACKED + base64.b64encode(packed).decode("ascii")


def _unpacked(text: str) -> str:
    """Returns an unpacked value; ValueError if damaged."""
    try:
        return zlib.decompress(base64.b64decode(text[len(_PACKED) :])).decode("utf-8")
    except zlib.error as error:
        raise ValueError("the packed value is damaged") from error


def _has_key(value: str, key: str) -> bool:
    return value.startswith(f'{{"{key}":')


def _optional(value: object) -> str | None:
    return None if value is None else str(value)


def whole(value: object) -> int:
    """Returns an integer column; TypeError for others."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


_TEXTS: Final = _Codec(
    lambda text: dumps({_TEXT: text}), lambda value: str(json.loads(value)[_TEXT])
)
_CODECS: Final[Mapping[type[Edit], _Codec]] = {
    AlignmentEdit: _Codec(
        lambda entry: dumps(entry_value(entry)), lambda value: entry_of(json.loads(value))
    ),
    GoldEdit: _Codec(_decision_text, _decision),
    RankEdit: _Codec(_optional, _optional),
    AbstractTextEdit: _TEXTS,
    SourceTextEdit: _TEXTS,
    GuidelinesEdit: _TEXTS,
    TopicEdit: _Codec(
        lambda parts: dumps(topic_parts_value(parts)),
        lambda value: topic_parts_of(json.loads(value)),
    ),
    CorpusEdit: _Codec(lambda parts: _packed(corpus_parts_pieces(parts)), _parts),
}


def _text_in(column: str) -> Callable[[_Row], str]:
    return lambda row: str(row[column])


# Fields of edits but for their values.
_COLUMNS: Final[Mapping[str, Callable[[_Row], object]]] = {
    **{name: _text_in(name) for name in ("verb", "topic", "annotator", "subject")},
    "abstract": lambda row: _optional(row["abstract"]),
    "n": lambda row: whole(row["n"]),
    "ref": lambda row: SentenceRef.parse(str(row["subject"])),
}


EDIT, UNDO, REDO = "edit", "undo", "redo"
MAX_UNDO_STEPS = 1000
_NO_EFFORT = EditEffort()
_IS_OF_CORPUS = OperationRow.topic.is_(None) & (OperationRow.verb != EDIT_GUIDELINES)
_IS_OURS = OperationRow.replica.is_(None)  # other copies' rows are undone there
# The number of the newest edit, undo or redo of `of_who`.
NEWEST_STEP: Final = f"""
    SELECT MAX(id) FROM operation
    WHERE who = :of_who AND kind IN ('{EDIT}', '{UNDO}', '{REDO}') AND replica IS NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An edit as the log has it."""

    id: int  # its row; grows with time
    at: str
    who: str
    # The edit; values of a corpus edit are loaded by `edit_of`, as they may be as long as an
    # import.
    edit: Edit
    active_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A person's undo and redo stacks, oldest first."""

    done: tuple[Operation, ...] = ()
    undone: tuple[Operation, ...] = ()

    def after_edit(self, operation: Operation) -> "History":
        """Returns the history after `operation`."""
        return History(done=(*self.done, operation)[-MAX_UNDO_STEPS:])

    def next_of(self, kind: str) -> Operation | None:
        """Returns the next operation to undo or redo; None without any."""
        steps = self.done if kind == UNDO else self.undone
        return steps[-1] if steps else None

    def after(self, kind: str) -> "History":
        """Returns the history after the next step of this kind, which must exist."""
        if kind == UNDO:
            return History(done=self.done[:-1], undone=(*self.undone, self.done[-1]))
        return History(done=(*self.done, self.undone[-1]), undone=self.undone[:-1])


def log_edit(
    connection: Connection, *, who: str, edit: Edit, effort: EditEffort = _NO_EFFORT
) -> Operation:
    """Logs an edit with its suggestion, and returns the operation."""
    at, active_ms = time_of(connection), effort.active_ms
    values = edit_values(at=at, who=who, edit=edit, effort=effort)
    values |= _seen(connection, edit, effort, at)
    if isinstance(edit, CorpusEdit):  # as in `history_of`
        edit = replace(edit, old=CorpusParts(), new=CorpusParts())
    return Operation(
        id=add_to_log(connection, values), at=at, who=who, edit=edit, active_ms=active_ms
    )


def edit_values(*, at: str, who: str, edit: Edit, effort: EditEffort) -> dict[str, object]:
    """Returns an edit as the columns of its row in the log, but for suggestion and digest."""
    counted: dict[str, object] = {} if effort.n_keys is None else {"n_keys": effort.n_keys}
    row = _row_of(edit, at=at, who=who, kind=EDIT, active_ms=effort.active_ms)
    return {**row, **logged(edit), **counted}


def _row_of(edit: Edit, *, at: str, who: str, kind: str, active_ms: int = 0) -> dict[str, object]:
    """Returns the columns that an edit and its undoing and redoing have in common."""
    return {
        "at": at,
        "who": who,
        "kind": kind,
        "verb": edit.verb,
        "topic": edit.topic or None,
        "abstract": edit.abstract,
        "subject": edit.subject,
        "active_ms": active_ms,
    }


def _seen(connection: Connection, edit: Edit, effort: EditEffort, at: str) -> dict[str, object]:
    """Returns the columns about the suggestion shown; empty without."""
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
    row = _row_of(operation.edit, at=time_of(connection), who=who, kind=kind)
    return add_to_log(connection, {**row, "target_id": operation.id})


def history_of(connection: Connection, who: str) -> History:
    """Returns the undo history of `who`."""
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
    """Returns the time of each edit, oldest first."""
    row = OperationRow
    is_work = (row.kind == EDIT) & ~_IS_OF_CORPUS
    columns = (row.who.label("annotator"), row.active_ms, row.topic, row.abstract, row.n)
    edits = select(*columns).where(is_work).order_by(row.id)
    return tuple([LoggedTime(**one) for one in connection.execute(edits).mappings()])


def logged_suggestions(connection: Connection) -> Sequence[LoggedSuggestion]:
    """Returns each edit of an entry with its keys and suggestion."""
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
    """Returns an operation's edit with its values."""
    if not isinstance(operation.edit, CorpusEdit):
        return operation.edit
    query = select(*OperationRow.__table__.columns).where(OperationRow.id == operation.id)
    return unlogged(dict(connection.execute(query).mappings().one()))


class Histories:
    """Histories by person, each good as long as its person's newest row in the log is the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, History]] = {}

    def history_of(self, connection: Connection, who: str) -> History:
        """Returns the present undo history of `who`, cached, in the transaction of `connection`."""
        newest = only_row_of(connection, NEWEST_STEP, of_who=who)[0] or 0
        known = self.known(who, newest)
        if known is not None:
            return known
        history = history_of(connection, who)
        self._known[who] = (newest, history)
        return history

    def known(self, who: str, newest: int) -> History | None:
        """Returns the cached history at row `newest`; None = unknown."""
        known = self._known.get(who)
        return known[1] if known is not None and known[0] == newest else None

    def remember(self, who: str, newest: int, history: History) -> None:
        """Caches a history at the committed row `newest`."""
        self._known[who] = (newest, history)


Reads = Callable[[], AbstractContextManager[Connection]]  # opens a read transaction

# A row of the log by its columns, `id` included; an older file has fewer.
LogRow = Mapping[str, object]

ROWS_AT_ONCE: Final = 500
# Characters of values behind which no more rows are read with those: an import is as long.
_LONG: Final = 1_000_000


def each_log_row(read: Reads) -> Iterator[LogRow]:
    """Yields the whole log, oldest first; `read` opens a read for each chunk."""
    row = OperationRow
    query = select(*row.__table__.columns).order_by(row.id).limit(ROWS_AT_ONCE)
    rest = query
    while True:
        with read() as connection, connection.execute(rest) as found:
            some = [*_until_long(dict(one) for one in found.mappings())]
        if not some:
            return
        yield from some
        rest = query.where(row.id > some[-1]["id"])


def _until_long(rows: Iterable[LogRow]) -> Iterator[LogRow]:
    n_characters = 0
    for row in rows:
        yield row
        n_characters += sum(len(str(row[name] or "")) for name in ("old", "new"))
        if n_characters > _LONG:
            return


_COPIED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms",
)  # fmt: skip

_COPIED_LATER = ("shown_ms", "n_keys")  # what was suggested stays in the copy where it was


def log_rows(connection: Connection) -> tuple[LogRow, ...]:
    """Returns the whole log, rows of other copies included, oldest first."""
    return tuple(each_log_row(lambda: nullcontext(connection)))


def rank_steps(rows: Iterable[LogRow]) -> Iterator[RankStep]:
    """Yields changes of ranks in this copy, oldest first."""
    edits: dict[object, RankStep] = {}
    for row in rows:
        if row["verb"] != RANK or row.get("replica") is not None:
            continue
        who, key = str(row["who"]), whole(row["id"])
        if row["kind"] == EDIT:
            place = str(row["topic"]), str(row["abstract"]), whole(row["n"])
            old, new = (None if row[name] is None else str(row[name]) for name in ("old", "new"))
            edits[key] = step = RankStep(row=key, who=who, place=place, old=old, new=new)
            yield step
        elif (done := edits.get(row["target_id"])) is not None:
            undoes = done.row if row["kind"] == UNDO else None
            yield replace(done, row=key, who=who, undoes=undoes)


def join_log(connection: Connection, rows: Iterable[LogRow], replica: str) -> int:
    """Inserts rows from another copy's log, and returns how many are new."""
    # They count for times and audit; undoing is for the copy where they were done.
    row = OperationRow
    known: set[tuple[object, ...]] = set(
        connection.execute(select(row.replica, row.replica_row)).tuples()
    )
    here = _own_rows(connection)

    def added() -> Iterator[dict[str, object]]:
        for one in rows:
            origin = (one.get("replica") or replica, one.get("replica_row") or one["id"])
            if origin in known or (one["at"], one["who"], one["verb"], one["subject"]) in here:
                continue
            known.add(origin)
            values = {column: one[column] for column in _COPIED}
            later = {name: one[name] for name in _COPIED_LATER if one.get(name) is not None}
            values |= {**later, "replica": origin[0], "replica_row": origin[1]}
            # Rows that are written together have the same columns.
            empty = dict.fromkeys(_COPIED_LATER)
            yield {**empty, **values, "digest": operation_digest(values)}

    n_added = 0
    for some in batches(added(), ROWS_AT_ONCE):
        connection.execute(insert(row), some)
        n_added += len(some)
    return n_added


def _own_rows(connection: Connection) -> set[tuple[object, ...]]:
    """Returns the identity of our own rows, which a copy of the whole file has, too."""
    row = OperationRow
    query = select(row.at, row.who, row.verb, row.subject).where(row.replica.is_(None))
    return set(connection.execute(query).tuples())

"""Rows of the log that were written in another copy of the corpus."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, insert, select

from awase.core.annotation.actions import RANK
from awase.core.merging.handing_out import RankStep
from awase.storage.log.logged_edits import whole
from awase.storage.log.operations import EDIT, UNDO
from awase.storage.log.rows import LogRow, Reads, logged_rows
from awase.storage.rows.digests import operation_digest
from awase.storage.rows.schema import OperationRow

_ROWS_AT_ONCE: Final = 500

_COPIED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms",
)  # fmt: skip

_COPIED_LATER = ("shown_ms", "n_keys")  # what was suggested stays in the copy where it was


def log_rows(connection: Connection) -> tuple[LogRow, ...]:
    """Returns the whole log, what came from other copies included, oldest first."""
    return tuple(each_log_row(lambda: nullcontext(connection)))


def each_log_row(read: Reads) -> Iterator[LogRow]:
    """Yields what `log_rows` returns, some read at a time."""
    return logged_rows(read)


def rank_steps(rows: Iterable[LogRow]) -> Iterator[RankStep]:
    """Yields what was done to ranks in this copy, oldest first."""
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
    """Adds those rows that are not here yet and returns how many they were.

    They count for times and audit; what they did is undone where it was done.

    Args:
        connection: Within a transaction.
        rows: The other copy's.
        replica: The other copy.
    """
    row = OperationRow
    known: set[tuple[object, ...]] = set(
        connection.execute(select(row.replica, row.replica_row)).tuples()
    )
    here = _own_rows(connection)
    added: list[dict[str, object]] = []
    n_added = 0

    def write() -> None:
        nonlocal n_added
        if added:
            connection.execute(insert(row), added)
        n_added += len(added)
        added.clear()

    for one in rows:
        origin = (one.get("replica") or replica, one.get("replica_row") or one["id"])
        values = {column: one[column] for column in _COPIED}
        values |= {column: one[column] for column in _COPIED_LATER if one.get(column) is not None}
        act = one["at"], one["who"], one["verb"], one["subject"]
        if origin in known or act in here:
            continue
        values |= {"replica": origin[0], "replica_row": origin[1]}
        # Rows that are written together have the same columns.
        empty = dict.fromkeys(_COPIED_LATER)
        added.append({**empty, **values, "digest": operation_digest(values)})
        known.add(origin)
        if len(added) == _ROWS_AT_ONCE:
            write()
    write()
    return n_added


def _own_rows(connection: Connection) -> set[tuple[object, ...]]:
    """Returns what tells our own rows, which a copy of the whole file has, too."""
    row = OperationRow
    query = select(row.at, row.who, row.verb, row.subject).where(row.replica.is_(None))
    return set(connection.execute(query).tuples())

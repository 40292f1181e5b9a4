"""What was changed while nobody listened, from the log."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, func, select

from awase.core.annotation.actions import RANK
from awase.core.annotation.content import EDIT_GUIDELINES
from awase.storage.log.operations import EDIT, REDO, UNDO
from awase.storage.rows.changes import Changes
from awase.storage.rows.schema import OperationRow, TopicRow

_OVERLAP: Final = 200
"""Rows that are looked at again: one may be committed after a later one. It is numbered in the last
moment of a transaction that nobody interrupts, so that not so many can be in between."""
_GOLD: Final = "gold_"
_OF_PARSES: Final = ("parse", "remove-parses")


def newest_row(connection: Connection) -> int:
    """Returns the newest row of the log, 0 when there is none."""
    return connection.execute(select(func.max(OperationRow.id))).scalar_one() or 0


def changes_after(connection: Connection, row: int) -> tuple[Changes, int]:
    """Returns what may have changed after `row` of the log was written, and the newest row.

    It names too much rather than too little: whoever asks reads again what it names.
    """
    known = OperationRow
    columns = (
        known.id, known.kind, known.verb, known.topic, known.abstract, known.annotator, known.n,
        known.target_id, known.who,
    )  # fmt: skip
    recent = select(*columns).where(known.id > row - _OVERLAP, known.replica.is_(None))
    rows = connection.execute(recent.order_by(known.id)).mappings().all()
    if not rows or rows[-1]["id"] <= row:
        return Changes(), row
    targets = [one["target_id"] for one in rows if one["target_id"] is not None]
    found = connection.execute(select(*columns).where(known.id.in_(targets))).mappings()
    edits = {one["id"]: one for one in found}
    every_topic = frozenset(connection.execute(select(TopicRow.key)).scalars())
    changes = Changes()
    for one in rows:
        if one["kind"] in _OF_PARSES:
            changes |= Changes(parses=True)
        if one["kind"] in (EDIT, UNDO, REDO):
            changes |= _changes_of(dict(edits.get(one["target_id"], one)), every_topic)
    by = dict.fromkeys(one["who"] for one in rows if one["id"] > row)
    return replace(changes, by=tuple(by)), rows[-1]["id"]


def _changes_of(row: Mapping[str, object], every_topic: frozenset[str]) -> Changes:
    topic, n, verb = row["topic"], row["n"], str(row["verb"])
    if topic is None:
        is_small = verb == EDIT_GUIDELINES
        return Changes(corpus=True, topics=frozenset() if is_small else every_topic)
    if isinstance(n, int):
        abstract, annotator = str(row["abstract"]), row["annotator"]
        if annotator is not None:
            return Changes(alignments=frozenset([(str(topic), abstract, str(annotator), n)]))
        if verb.startswith(_GOLD):
            return Changes(gold=frozenset([(str(topic), abstract, n)]))
        if verb == RANK:
            return Changes(ranks=frozenset([(str(topic), abstract, n)]))
    return Changes(topics=frozenset([str(topic)]))

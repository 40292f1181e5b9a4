"""What was changed while nobody listened, from the log."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection, select

from awase.core.annotation.actions import RANK
from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.batches import batches
from awase.storage.log.operations import EDIT, REDO, UNDO
from awase.storage.rows.changes import Changes
from awase.storage.rows.schema import OperationRow, TopicRow

_ROWS_AT_ONCE: Final = 5000
_GOLD: Final = "gold_"
_OF_PARSES: Final = ("parse", "remove-parses")


def known_rows(connection: Connection) -> frozenset[int]:
    """Returns the numbers of the rows of the log that were written here.

    All of them: a row may be committed after one with a higher number, so that the highest says
    nothing of the others.
    """
    row = OperationRow
    return frozenset(connection.execute(select(row.id).where(row.replica.is_(None))).scalars())


def changes_after(connection: Connection, before: frozenset[int]) -> tuple[Changes, frozenset[int]]:
    """Returns what may have changed since the log had the rows `before`, and the rows of now.

    It names too much rather than too little: whoever asks reads again what it names.
    """
    now = known_rows(connection)
    if now <= before:
        return Changes(), now
    known = OperationRow
    columns = (
        known.id, known.kind, known.verb, known.topic, known.abstract, known.annotator, known.n,
        known.target_id, known.who,
    )  # fmt: skip
    rows = [
        row
        for some in batches(sorted(now - before), _ROWS_AT_ONCE)
        for row in connection.execute(select(*columns).where(known.id.in_(some))).mappings()
    ]
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
    by = dict.fromkeys(one["who"] for one in rows)
    return replace(changes, by=tuple(by)), now


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

"""Notifications between clients of a server, and catching up from the log."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, func, select

from awase.core.annotation.actions import RANK
from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.errors import batches
from awase.core.records.edits import Changes
from awase.storage.rows.log import EDIT, REDO, UNDO
from awase.storage.rows.schema import OperationRow, TopicRow

CHANNEL: Final = "awase"
_MOST_BYTES: Final = 7900  # the server's limit is 7,999 bytes
# Named when changed; older programs ignore them.
_BESIDE: Final = ("parses", "kept_scores")
_LONGEST_NAME: Final = 300
_LONGEST_ROW: Final = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A committed change by somebody."""

    window: str
    who: str
    row: int  # the newest row of the log then; 0 = what is no edit has no row that others follow
    changes: Changes | None  # None = too much to name, see the log


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Somebody's position in the corpus."""

    window: str
    who: str
    host: str = ""
    topic: str = ""  # id; empty = nowhere in particular
    abstract: str = ""
    n: int = 0  # number of the abstract sentence; 0 likewise
    is_leaving: bool = False
    asks: bool = False


Word = Notice | Presence
_Read = Callable[[object], Any]  # Any: a name, a number, or a key of these; TypeError = neither


def text_of(word: Word) -> str:
    """Returns the payload; a too long one names nothing in particular."""
    value: dict[str, object]
    if isinstance(word, Presence):
        value = {
            "kind": "here", **{name: getattr(word, name) for name in _HERE},
            "leaving": word.is_leaving, "asks": word.asks,
        }  # fmt: skip
        shorter = {**value, "topic": "", "abstract": "", "n": 0, "host": word.host[:99]}
    else:
        value = {"kind": "changed", "window": word.window, "who": word.who, "row": word.row}
        shorter = {**value, "who": word.who[:99]}
        changes = word.changes
        if changes is not None:
            value["changes"] = {
                **{name: sorted(getattr(changes, name)) for name in _KEYS},
                "corpus": changes.corpus,
                **{name: True for name in _BESIDE if getattr(changes, name)},
            }
    text = _dumps(value)
    return text if len(text.encode("utf-8")) <= _MOST_BYTES else _dumps(shorter)


def text_around_row(notice: Notice) -> tuple[str, str]:
    """Returns the payload before and after the row number, which the server inserts."""
    mark = f'"row":{_LONGEST_ROW}'
    before, _, after = text_of(replace(notice, row=_LONGEST_ROW)).partition(mark)
    return before + mark.removesuffix(str(_LONGEST_ROW)), after


def word_of(text: str) -> Word | None:
    """Parses a payload; None = not Awase's."""
    try:
        said = json.loads(text)
        if not isinstance(said, dict):
            return None
        if said["kind"] == "changed":
            return _notice_of(said)
        if said["kind"] == "here":
            return _presence_of(said)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return None


def send_word(connection: Connection, word: Word) -> None:
    """Sends a word with the caller's transaction: it arrives when that is committed."""
    connection.execute(select(func.pg_notify(CHANNEL, text_of(word))))


def _notice_of(said: Mapping[str, object]) -> Notice:
    found = said.get("changes")
    changes = None
    if isinstance(found, dict):
        keys: dict[str, Any] = {
            name: frozenset(map(read, found[name])) for name, read in _KEYS.items()
        }
        beside: dict[str, Any] = {name: found.get(name) is True for name in _BESIDE}
        changes = Changes(**keys, corpus=found["corpus"] is True, **beside)
    return Notice(
        window=_name(said["window"]), who=_name(said["who"]), row=_number(said["row"]),
        changes=changes,
    )  # fmt: skip


def _presence_of(said: Mapping[str, object]) -> Presence:
    names = {name: read(said[name]) for name, read in _HERE.items()}
    return Presence(**names, is_leaving=said["leaving"] is True, asks=said["asks"] is True)


def _key_of(*reads: _Read) -> _Read:
    def read_key(key: object) -> tuple[object, ...]:
        if not isinstance(key, list):
            raise TypeError("no key of a sentence")
        return tuple(read(part) for read, part in zip(reads, key, strict=True))

    return read_key


def _name(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_NAME:
        raise TypeError("no name")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("no number")
    return value


# Parts of words to what reads them, in their order there.
_HERE: Final[Mapping[str, _Read]] = {
    "window": _name, "who": _name, "host": _name, "topic": _name, "abstract": _name, "n": _number,
}  # fmt: skip
_KEYS: Final[Mapping[str, _Read]] = {
    "alignments": _key_of(_name, _name, _name, _number),
    "ranks": _key_of(_name, _name, _number),
    "gold": _key_of(_name, _name, _number),
    "topics": _name,
}


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_ROWS_AT_ONCE: Final = 5000
_GOLD: Final = "gold_"
_OF_PARSES: Final = ("parse", "remove-parses")


def known_rows(connection: Connection) -> frozenset[int]:
    """Returns the numbers of all known log rows."""
    # Not just the highest: a row may be committed after one with a higher number.
    row = OperationRow
    return frozenset(connection.execute(select(row.id).where(row.replica.is_(None))).scalars())


def changes_after(connection: Connection, before: frozenset[int]) -> tuple[Changes, frozenset[int]]:
    """Returns possible changes (a superset) since the log had `before`, and the present rows."""
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

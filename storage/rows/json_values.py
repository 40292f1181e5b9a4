"""Record values as the JSON text that rows hold."""

import json
from collections.abc import Mapping
from typing import Any

from awase.core.records.alignment import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.identifiers import SentenceRef

RefByName = Mapping[str, SentenceRef]
"""Known addresses by their text, so that thousands need no parsing; others are parsed."""

_NONE_KNOWN: RefByName = {}


def dumps(value: object) -> str:
    """Returns compact JSON that keeps Japanese readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def alternatives_text(alternatives: tuple[Alternative, ...]) -> str:
    """Returns alternatives as a JSON list of lists of addresses."""
    return dumps([[str(ref) for ref in alternative.members] for alternative in alternatives])


def alternatives_of(text: str, known: RefByName = _NONE_KNOWN) -> tuple[Alternative, ...]:
    """Returns the alternatives that `alternatives_text` wrote."""
    if text == "[]":
        return ()
    return tuple(Alternative(refs_of(names, known)) for names in json.loads(text))


def refs_of(names: list[str], known: RefByName = _NONE_KNOWN) -> tuple[SentenceRef, ...]:
    """Returns the addresses with these texts."""
    return tuple([known.get(name) or SentenceRef.parse(name) for name in names])


def entry_text(entry: SentenceAlignment) -> str:
    """Returns an alignment's entry for the operation log."""
    return dumps(entry_value(entry))


def entry_value(entry: SentenceAlignment) -> dict[str, object]:
    """Returns an alignment's entry as plain JSON values."""
    return {
        "n": entry.n,
        "state": entry.state.value,
        "alternatives": [[str(ref) for ref in a.members] for a in entry.alternatives],
        "note": entry.note,
    }


def entry_of(text: str) -> SentenceAlignment:
    """Returns the entry that `entry_text` wrote."""
    return entry_of_value(json.loads(text))


def entry_of_value(value: Mapping[str, Any]) -> SentenceAlignment:  # Any: JSON
    """Returns the entry that `entry_value` gave."""
    return SentenceAlignment(
        n=value["n"],
        state=AlignmentState(value["state"]),
        alternatives=tuple(Alternative(refs_of(names)) for names in value["alternatives"]),
        note=value["note"],
    )

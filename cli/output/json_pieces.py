"""JSON written piece by piece, the same to the byte as `json.dumps` with two blanks makes it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import isfinite

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).encode


def json_pieces(members: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yields an object with these members, and a line end.

    Args:
        members: Key and value; an iterator as a value becomes a list, record by record.
    """
    yield "{"
    separator = "\n"
    for key, value in members:
        yield f"{separator}  {_dumps(key)}: "
        separator = ",\n"
        if isinstance(value, Iterator):
            yield from _list(value)
        else:
            yield _below(_indented(value), 2)
    yield "}\n" if separator == "\n" else "\n}\n"


def _list(records: Iterator[object]) -> Iterator[str]:
    separator = "[\n"
    for record in records:
        yield separator
        yield _record(record)
        separator = ",\n"
    yield "[]" if separator == "[\n" else "\n  ]"


def _record(record: object) -> str:
    """Returns a record of a list in an object; flat ones, of which there are many, fast."""
    if not isinstance(record, Mapping) or not record:
        return "    " + _below(_indented(record), 4)
    lines = []
    for key, value in record.items():
        if isinstance(value, str):
            text = _string(value)
        elif isinstance(value, float) and isfinite(value):
            text = float.__repr__(value)
        elif value is None or isinstance(value, int | float):
            text = _plain(value)
        else:
            text = _below(_indented(value), 6)
        lines.append(f"      {_string(key)}: {text}")
    return "    {\n" + ",\n".join(lines) + "\n    }"


def _below(text: str, n_blanks: int) -> str:
    return text.replace("\n", "\n" + " " * n_blanks)


@lru_cache(maxsize=4096, typed=True)
def _plain(value: float | None) -> str:
    return _dumps(value)


@lru_cache(maxsize=4096)
def _string(text: str) -> str:
    return _dumps(text)

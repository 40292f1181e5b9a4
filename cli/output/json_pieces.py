"""JSON written piece by piece, as `json.dumps` with two blanks makes it.

Fractions in records are spelled otherwise where they are below .0001: 1e-5 for 1e-05.
"""

import json
from collections.abc import Iterable, Iterator

import orjson

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).encode


class Written(str):
    """Records of a list as they stand in it, indented, with `,` and a line end between them."""

    __slots__ = ()


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
        yield record if isinstance(record, Written) else record_text(record)
        separator = ",\n"
    yield "[]" if separator == "[\n" else "\n  ]"


def record_text(record: object) -> str:
    """Returns a record of a list in an object, indented; there are many of them."""
    try:
        text = orjson.dumps(record, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # a lone surrogate, or a whole number that takes more than 64 bits
        text = _indented(record)
    return "    " + _below(text, 4)


def compact_text(value: object) -> str:
    """Returns a value of a record on one line, spelled as there."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return _dumps(value)


def _below(text: str, n_blanks: int) -> str:
    return text.replace("\n", "\n" + " " * n_blanks)

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


class InPieces(dict[str, object]):
    """A record of which some members are iterators, written as those of the whole are."""


def json_pieces(members: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yields an object with these members, and a line end.

    Args:
        members: Key and value; an iterator as a value becomes a list, record by record.
    """
    yield from _object(members, 0)
    yield "\n"


def json_list(records: Iterator[object]) -> Iterator[str]:
    """Yields a list of these records, and a line end."""
    yield from _list(records, 0)
    yield "\n"


def _object(members: Iterable[tuple[str, object]], n_blanks: int) -> Iterator[str]:
    blanks = " " * n_blanks
    yield "{"
    separator = "\n"
    for key, value in members:
        yield f"{separator}{blanks}  {_dumps(key)}: "
        separator = ",\n"
        if isinstance(value, Iterator):
            yield from _list(value, n_blanks + 2)
        else:
            yield _below(_indented(value), n_blanks + 2)
    yield "}" if separator == "\n" else f"\n{blanks}}}"


def _list(records: Iterator[object], n_blanks: int) -> Iterator[str]:
    blanks = " " * n_blanks
    separator = "[\n"
    for record in records:
        yield separator
        if isinstance(record, InPieces):
            yield f"{blanks}  "
            yield from _object(record.items(), n_blanks + 2)
        else:
            yield record if isinstance(record, Written) else record_text(record, n_blanks + 2)
        separator = ",\n"
    yield "[]" if separator == "[\n" else f"\n{blanks}]"


def record_text(record: object, n_blanks: int = 4) -> str:
    """Returns a record of a list in an object, indented so far; there are many of them."""
    try:
        text = orjson.dumps(record, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # a lone surrogate, or a whole number that takes more than 64 bits
        text = _indented(record)
    return " " * n_blanks + _below(text, n_blanks)


def exact_record(record: object) -> Written:
    """Returns a record of a list in an object, its fractions spelled as everywhere else."""
    return Written("    " + _below(_indented(record), 4))


def compact_text(value: object) -> str:
    """Returns a value of a record on one line, spelled as there."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return _dumps(value)


def _below(text: str, n_blanks: int) -> str:
    return text.replace("\n", "\n" + " " * n_blanks)

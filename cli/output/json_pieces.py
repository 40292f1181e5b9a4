"""JSON written piece by piece, as `json.dumps` with two blanks makes it.

Fractions in records are spelled otherwise where they are below .0001: 1e-5 for 1e-05.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

import orjson

from awase.core.errors import Cancelled

VERSION: Final = 1
"""Of what commands print as JSON: another number when something is called or means otherwise."""

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).encode


class Written(str):
    """Records of a list as they stand in it, indented, with `,` and a line end between them."""

    __slots__ = ()


class InPieces(dict[str, object]):
    """A record of which some members are iterators, written as those of the whole are."""


def json_pieces(
    members: Iterable[tuple[str, object]], *, is_complete: bool = True
) -> Iterator[str]:
    """Yields what a command prints as JSON: an object with these members, and a line end.

    Work that is stopped while records are made leaves a whole object, which says that it is not
    complete; it is raised that it was stopped when the object is written.

    Args:
        members: Key and value; an iterator as a value becomes a list, record by record.
        is_complete: Whether nothing was left out so far.
    """
    stops: list[BaseException] = []

    def marked() -> Iterator[tuple[str, object]]:
        yield "awase_output", VERSION
        yield from members
        yield "complete", is_complete and not stops

    yield from _object(marked(), 0, stops)
    yield "\n"
    if stops:
        raise stops[0]


def _object(
    members: Iterable[tuple[str, object]], n_blanks: int, stops: list[BaseException]
) -> Iterator[str]:
    blanks = " " * n_blanks
    yield "{"
    separator = "\n"
    for key, value in members:
        yield f"{separator}{blanks}  {_dumps(key)}: "
        separator = ",\n"
        if isinstance(value, Iterator):
            yield from _list(value, n_blanks + 2, stops)
        else:
            yield _below(_indented(value), n_blanks + 2)
    yield "}" if separator == "\n" else f"\n{blanks}}}"


def _list(records: Iterator[object], n_blanks: int, stops: list[BaseException]) -> Iterator[str]:
    blanks = " " * n_blanks
    separator = "[\n"
    for record in _until_stopped(records, stops):
        yield separator
        if isinstance(record, InPieces):
            yield f"{blanks}  "
            yield from _object(record.items(), n_blanks + 2, stops)
        else:
            yield record if isinstance(record, Written) else record_text(record, n_blanks + 2)
        separator = ",\n"
    yield "[]" if separator == "[\n" else f"\n{blanks}]"


def _until_stopped(records: Iterator[object], stops: list[BaseException]) -> Iterator[object]:
    try:
        yield from records
    except (KeyboardInterrupt, Cancelled) as error:
        stops.append(error)


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

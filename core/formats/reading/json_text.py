"""JSON parsing that detects what other parsers overlook."""

import json
import re
from collections import Counter
from collections.abc import Iterator

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.reading.findings import FilePosition


class NotFinite(float):
    """NaN or Infinity, which JSON lacks; reported once, by `load`."""


class _Repeating(dict[str, object]):
    """An object with duplicate keys; reported once, by `load`."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.keys_twice = [key for key in self if counts[key] > 1]


def load(text: str) -> tuple[object, list[Problem]]:
    """Parses JSON, and returns problems that JSON parsers overlook."""
    is_odd = False

    def make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal is_odd
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
        is_odd = True
        return _Repeating(pairs)

    def make_constant(name: str) -> NotFinite:
        nonlocal is_odd
        is_odd = True
        return NotFinite(name)

    decoder = json.JSONDecoder(object_pairs_hook=make_object, parse_constant=make_constant)
    try:
        value = decoder.decode(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise CorpusFormatError([_syntax_problem(text, error)]) from error
    except RecursionError as error:
        raise CorpusFormatError.of(
            "The JSON is nested too deeply to be a corpus.", "Choose an Awase JSON file."
        ) from error
    except ValueError as error:  # a number beyond Python's limit of 4300 digits
        raise CorpusFormatError([_long_number_problem(text)]) from error
    return value, [*_oddities_in(value)] if is_odd else []


def _long_number_problem(text: str) -> Problem:
    match = re.search(r"[0-9]{4000}", text)
    line = text.count("\n", 0, match.start()) + 1 if match else None
    return Problem(what="A number has thousands of digits.", hint="Correct the number.", line=line)


def _syntax_problem(text: str, error: json.JSONDecodeError) -> Problem:
    if not text.strip():
        return Problem(what="The file is empty.", hint="Choose an Awase JSON file.")
    is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    if is_cut_off:
        hint = "The file seems to be cut off: get it again, or close what is open."
    else:
        hint = "Look for a comma, quotation mark or bracket that is missing or too many there."
    return Problem(
        what="The text is not JSON at column {column}: {reason}.",
        hint=hint,
        fields={"column": error.colno, "reason": error.msg[:1].lower() + error.msg[1:]},
        line=error.lineno,
    )


def _oddities_in(root: object) -> Iterator[Problem]:
    waiting: list[tuple[object, FilePosition]] = [(root, FilePosition())]
    while waiting:
        value, at = waiting.pop()
        if isinstance(value, NotFinite):
            yield Problem(
                what="{value} is not a number that JSON knows.",
                hint="Leave the entry out when there is no value.",
                fields={"value": str(float(value))},
                path=at.path,
            )
        elif isinstance(value, list):
            waiting += [(part, at.at(index)) for index, part in enumerate(value)][::-1]
        elif isinstance(value, dict):
            for key in value.keys_twice if isinstance(value, _Repeating) else ():
                yield Problem(
                    what="The key “{key}” stands twice in one object.",
                    hint="Keep one: the other would be lost.",
                    fields={"key": key},
                    path=at.at(key).path,
                )
            waiting += [(part, at.at(key)) for key, part in value.items()][::-1]

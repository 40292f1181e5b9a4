"""JSON text to values, and typed access to them that notes every fault with its path."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Final, TypeVar

from awase.core.errors import CorpusFormatError, Listing, Problem
from awase.core.formats.reading.findings import FilePosition, Findings

_Record = TypeVar("_Record")

STAND_IN: Final = "stand-in of "
"""Begins the name of a record in the place of one that could not be read."""

_MOST_SUGGESTIONS: Final = 100
_LONGEST_KEY_TOLD: Final = 200

LARGEST = 999_999_999
"""The largest whole number taken: every database column holds it, and sentence ids name it."""


class _NotFinite(float):
    """NaN or Infinity, which JSON does not know; refused once, by `load`."""


class _Repeating(dict[str, object]):
    """An object in which keys stand twice; refused once, by `load`."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.keys_twice = [key for key in self if counts[key] > 1]


class JsonDecoder:
    """Decodes JSON text, and tells what other readers of JSON overlook."""

    def __init__(self) -> None:
        """Has read nothing yet."""
        self._is_odd = False
        decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._constant)
        self.decode: Final[Callable[[str], object]] = decoder.decode
        """Returns the value of a text; raises as `json.loads`."""
        self.decode_at: Final[Callable[[str, int], tuple[object, int]]] = decoder.raw_decode
        """Returns the value that begins somewhere in a text, and where it ends; raises likewise."""

    def oddities_in(self, value: object, path: str = "") -> list[Problem]:
        """Returns the problems of the value that was read last, which stands at `path`."""
        if not self._is_odd:
            return []
        self._is_odd = False
        return [*_oddity_problems(value, path)]

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
        self._is_odd = True
        return _Repeating(pairs)

    def _constant(self, name: str) -> _NotFinite:
        self._is_odd = True
        return _NotFinite(name)


def load(text: str) -> tuple[object, list[Problem]]:
    """Returns the value that JSON text stands for, and the problems that JSON readers overlook."""
    decoder = JsonDecoder()
    try:
        value = decoder.decode(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise CorpusFormatError([syntax_problem(text, error)]) from error
    except RecursionError as error:
        raise too_deep() from error
    except ValueError as error:  # a number beyond Python's limit of 4300 digits
        raise CorpusFormatError([long_number_problem(text)]) from error
    return value, decoder.oddities_in(value)


def too_deep() -> CorpusFormatError:
    """Returns that JSON has too many brackets within each other."""
    return CorpusFormatError.of(
        "The JSON is nested too deeply to be a corpus.", "Choose an Awase JSON file."
    )


def long_number_problem(text: str) -> Problem:
    """Returns that a number in a text has more digits than Python reads."""
    match = re.search(r"[0-9]{4000}", text)
    line = text.count("\n", 0, match.start()) + 1 if match else None
    return Problem(what="A number has thousands of digits.", hint="Correct the number.", line=line)


def syntax_problem(text: str, error: json.JSONDecodeError) -> Problem:
    """Returns what is wrong with a text that is no JSON."""
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


def _oddity_problems(root: object, path: str) -> Iterator[Problem]:
    waiting: list[tuple[object, str]] = [(root, path)]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, _NotFinite):
            yield Problem(
                what="{value} is not a number that JSON knows.",
                hint="Leave the entry out when there is no value.",
                fields={"value": str(float(value))},
                path=path,
            )
        elif isinstance(value, list):
            waiting += [(part, f"{path}[{index}]") for index, part in enumerate(value)][::-1]
        elif isinstance(value, dict):
            if isinstance(value, _Repeating):
                yield from _repetition_problems(value, path)
            waiting += [(part, below(path, key)) for key, part in value.items()][::-1]


def _repetition_problems(value: _Repeating, path: str) -> Iterator[Problem]:
    for key in value.keys_twice:
        yield repetition_problem(key, path)


def repetition_problem(key: str, path: str = "") -> Problem:
    """Returns that a key stands twice in the object at `path`."""
    return Problem(
        what="The key “{key}” stands twice in one object.",
        hint="Keep one: the other would be lost.",
        fields={"key": key},
        path=below(path, key),
    )


def below(path: str, key: str) -> str:
    """Returns the path of `key` in the object at `path`."""
    if len(key) > _LONGEST_KEY_TOLD:
        key = f"{key[:_LONGEST_KEY_TOLD]}…"
    return f"{path}.{key}" if path else key


def type_name(value: object) -> str:
    """Returns what JSON calls the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | float):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"


class JsonFindings(Findings):
    """Collects what is wrong in a JSON file; a place is a JSON path."""

    __slots__ = ("_n_suggestions",)

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._n_suggestions = 0

    def suggestion(self, key: str, known: tuple[str, ...]) -> str:
        """Returns what may have been meant, empty = nothing is near; told for the first only."""
        self._n_suggestions += 1
        if self._n_suggestions > _MOST_SUGGESTIONS:
            return ""
        return next(iter(get_close_matches(key, known, n=1)), "")

    def wrong_type(self, value: object, wanted: str, path: str, hint: str = "") -> None:
        """Notes that `value` is not `wanted`; NaN has been noted by `load`."""
        if not isinstance(value, _NotFinite):
            if _is_bare(value, wanted):
                hint = 'Write it in quotation marks: "{value}".'
            elif not hint:
                hint = "Correct the value."
            self.add(
                FilePosition(path),
                what="This must be {wanted}, not {found}.",
                hint=hint,
                wanted=wanted,
                found=type_name(value),
                value=str(value)[:40],
            )

    def build(
        self,
        make: Callable[[], _Record],
        path: str,
        *,
        is_spurious: Callable[[Problem], bool] = lambda problem: False,
    ) -> _Record | None:
        """Returns what `make` makes; None when it breaks its own rules, which is noted.

        Args:
            is_spurious: Whether a problem only follows from one that was noted before.
        """
        try:
            return make()
        except CorpusFormatError as error:
            new = [problem for problem in error.problems if not is_spurious(problem)]
            self.note_below(FilePosition(path), map(_without_stand_ins, new))
            return None


def _without_stand_ins(problem: Problem) -> Problem:
    """Returns the problem with “?” for the names of what could not be read."""
    fields = {
        key: "?" if str(value).startswith(STAND_IN) else value
        for key, value in problem.fields.items()
    }
    return replace(problem, fields=fields)


def _is_bare(value: object, wanted: str) -> bool:
    return wanted == "a string" and isinstance(value, int | float) and not isinstance(value, bool)


class Fields:
    """An object's parts by key; null stands for an absent key."""

    def __init__(
        self, value: dict[str, object], path: str, problems: JsonFindings, known: tuple[str, ...]
    ) -> None:
        self._value = value
        self._problems = problems
        self.path = path
        self.is_sound = True
        if not all(map(known.__contains__, value)):
            self._refuse_unknown(known)

    @classmethod
    def of(
        cls, value: object, path: str, problems: JsonFindings, known: tuple[str, ...]
    ) -> "Fields | None":
        """Returns the parts of `value`; None, and a problem noted, when it is no object."""
        if isinstance(value, dict):
            return cls(value, path, problems, known)
        problems.wrong_type(value, "an object", path)
        return None

    def _refuse_unknown(self, known: tuple[str, ...]) -> None:
        for key in self._value:
            if key not in known:
                close = self._problems.suggestion(key.lower(), known)
                hint = "Did you mean “{close}”?" if close else "Remove it, or use one of {known}."
                self._problems.add(
                    FilePosition(below(self.path, key)),
                    what="The key “{key}” is not known here.",
                    hint=hint,
                    key=key,
                    close=close,
                    known=Listing(known),
                )

    def has(self, key: str) -> bool:
        """Whether the key is there and not null."""
        return self._value.get(key) is not None

    def raw(self, key: str) -> object:
        """Returns the value of `key` as it is, None when absent."""
        return self._value.get(key)

    def at(self, key: str) -> str:
        """Returns the path of `key`."""
        return below(self.path, key)

    def text(self, key: str) -> str | None:
        """Returns a string, None when absent or wrong."""
        value = self._value.get(key)
        if value is None or isinstance(value, str):
            return value
        self._wrong(value, "a string", key)
        return None

    def integer(self, key: str) -> int | None:
        """Returns a whole number, None when absent or wrong."""
        value = self._value.get(key)
        if value is None or (type(value) is int and abs(value) <= LARGEST):
            return value
        self._wrong(value, f"a whole number up to {LARGEST}", key)
        return None

    def number(self, key: str) -> float | None:
        """Returns a number, None when absent or wrong."""
        value = self._value.get(key)
        if value is None:
            return None
        number = number_of(value)
        if number is None:
            self._wrong(value, "a number", key)
        return number

    def truth(self, key: str) -> bool:
        """Returns true or false, false when absent or wrong."""
        value = self._value.get(key)
        if value is not None and not isinstance(value, bool):
            self._wrong(value, "true or false", key)
        return value is True

    def integers(self, key: str) -> tuple[int, ...]:
        """Returns a list of whole numbers, without those that are none."""
        found = []
        for value, path in self.each(key):
            if type(value) is int and abs(value) <= LARGEST:
                found.append(value)
            else:
                self.is_sound = False
                self._problems.wrong_type(value, f"a whole number up to {LARGEST}", path)
        return tuple(found)

    def one_of(self, key: str, known: Mapping[str, _Record], *, what: str) -> _Record | None:
        """Returns what a name stands for, None when absent or wrong; `what` then says so."""
        name = self.text(key)
        if name is None or name in known:
            return None if name is None else known[name]
        self._problems.add(
            FilePosition(self.at(key)),
            what=what,
            hint="Use one of {known}.",
            known=Listing(known),
            **{key: name},
        )
        return None

    def items(self, key: str) -> list[object]:
        """Returns a list, empty when absent or wrong."""
        value = self._value.get(key)
        if value is None:
            return []
        if isinstance(value, list):
            return value
        self._wrong(value, "a list", key)
        return []

    def each(self, key: str) -> Iterator[tuple[object, str]]:
        """Yields each item of a list with its path; nothing when the list is absent or wrong."""
        at = self.at(key)
        return ((item, f"{at}[{index}]") for index, item in enumerate(self.items(key)))

    def part(self, key: str, known: tuple[str, ...]) -> "Fields | None":
        """Returns an object's parts, None when it is absent or wrong."""
        if not self.has(key):
            return None
        return Fields.of(self._value[key], self.at(key), self._problems, known)

    def parts(self, key: str, known: tuple[str, ...]) -> "Iterator[Fields]":
        """Yields the parts of each object of a list, without what is none."""
        for item, path in self.each(key):
            fields = Fields.of(item, path, self._problems, known)
            if fields is not None:
                yield fields

    def required(self, key: str, why: str) -> bool:
        """Whether `key` is there; notes a problem when it is not."""
        if self.has(key):
            return True
        self.is_sound = False
        self._problems.add(
            FilePosition(self.path),
            what="The key “{key}” is missing.",
            hint="Add it: {why}.",
            key=key,
            why=why,
        )
        return False

    def _wrong(self, value: object, wanted: str, key: str) -> None:
        self.is_sound = False
        self._problems.wrong_type(value, wanted, self.at(key))


def number_of(value: object) -> float | None:
    """Returns a JSON number as a float; None when it is none or too large."""
    if isinstance(value, bool | _NotFinite) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None

"""Files of records, a line each, and of JSON; signs of formats, and file names of DUC and TAC.

A format declares its sign in the registry; `importing` tests it. A sign looks at the name and at
the beginning of the text only. Names of DUC and TAC tell documents and systems as well:
`D30001.M.100.T.A`, `d061jb/200e`.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import orjson

from awase.core.errors import CorpusFormatError, FilePosition, Findings, Problem

if TYPE_CHECKING:
    from _csv import Reader as CsvReader


_BLANKS: Final = re.compile(r"\s*")
# How much is divided into lines at once, so that a file and all its lines are not held both.
LETTERS_AT_ONCE: Final = 1 << 20
# Types that both JSON parsers agree on; they differ in numbers beyond 64 bits.
_TOLD_ALIKE: Final = frozenset({str, bool, type(None)})
_LONGEST_CELL: Final = (1 << 31) - 1
NOT_JSON: Final = object()  # marks invalid JSON, as any value is valid


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields (line number, line) of each line that is not blank, without its end."""
    body = text.removeprefix("\ufeff")
    before = at = 0
    while at < len(body):
        end = body.find("\n", at + LETTERS_AT_ONCE)
        end = len(body) if end < 0 else end
        lines = body[at:end].split("\n")
        for number, line in enumerate(lines, start=before + 1):
            if line and not line.isspace():
                yield number, line.removesuffix("\r")
        before, at = before + len(lines), end + 1


def csv_rows(lines: Iterable[str], heading: str) -> "CsvReader":
    """Returns a CSV or TSV reader without a limit of cells; `heading` tells the separator."""
    csv.field_size_limit(_LONGEST_CELL)  # of the process; a cell may hold a whole document
    separator = next((mark for mark in "\t,;" if mark in heading), ",")
    return csv.reader(lines, delimiter=separator, strict=True)


def unclosed_quote(error: csv.Error) -> Problem:
    """Returns the problem that `csv_rows` cannot go on."""
    return Problem(
        what="The table cannot be read: {reason}.",
        hint="Is a quotation mark never closed?",
        fields={"reason": str(error)},
    )


def data_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields (line number, columns) of each line that is neither blank nor a # comment."""
    for number, line in filled_lines(text):
        if not line.startswith("#"):
            yield number, line.split("\t")


def json_objects(text: str, problems: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (line number, object) of each non-blank line.

    Invalid JSON is recorded in the problems; other values than objects count as empty ones.
    """
    for number, line in filled_lines(text):
        value = json_value(line)
        if value is NOT_JSON:
            problems.add(
                number,
                what="The line is not JSON.",
                hint="Write one object per line, without line breaks.",
            )
        else:
            yield number, value if isinstance(value, dict) else {}


def is_json(text: str) -> bool:
    """Returns whether a text begins as JSON records, not as a table."""
    return text.removeprefix("\ufeff").lstrip()[:1] in ("{", "[")


def json_records(text: str) -> Iterator[tuple[int, object]]:
    """Yields (line number, value) of each record, in any layout.

    A record a line, over several lines each, or in one list; `NOT_JSON` is an unreadable one, the
    last unless records are a line each.
    """
    body = text.removeprefix("\ufeff")
    first = next((line for _, line in filled_lines(body)), "")
    if first.lstrip().startswith("{") and json_value(first) is not NOT_JSON:
        yield from ((number, json_value(line)) for number, line in filled_lines(text))
        return
    decoder = json.JSONDecoder()
    at, line = 0, 1
    while at < len(body):
        begin = at + _BLANKS.match(body, at).end() - at  # type: ignore[union-attr]  # matches always
        line += body.count("\n", at, begin)
        if begin == len(body):
            return
        try:
            value, at = decoder.raw_decode(body, begin)
        except (ValueError, RecursionError):
            yield line, NOT_JSON
            return
        if isinstance(value, list) and begin == len(body) - len(body.lstrip()):
            yield from ((line, one) for one in value)
        else:
            yield line, value
        line += body.count("\n", begin, at)


def first_record(text: str) -> object:
    """Returns the first record of a file's beginning, of a list its first element."""
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith("["):
        body = body[1:].lstrip()
    try:
        value: object = json.JSONDecoder().raw_decode(body)[0]
    except (ValueError, RecursionError):
        return NOT_JSON
    return value


def are_places_by_number(value: object) -> bool:
    """Returns whether a record has numbers for keys, and lists of positions from 0 as values.

    >>> are_places_by_number({"0": [4, 1], "7": []}), are_places_by_number({"0": [0.5]})
    (True, False)
    """
    if not isinstance(value, Mapping) or not value:
        return False
    return all(
        isinstance(key, str)
        and key.isdecimal()
        and isinstance(places, list)
        and all(type(place) is int and place >= 0 for place in places)
        for key, places in value.items()
    )


def json_value(text: str) -> object:
    """Parses JSON; `NOT_JSON` if invalid or nested too deep."""
    try:
        value: object = orjson.loads(text)
        if type(value) is dict and _is_of_texts(value):
            return value
    except ValueError:
        pass  # a lone surrogate or a huge number: json accepts them
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return NOT_JSON
    return value


def _is_of_texts(record: dict[str, object]) -> bool:
    """Returns whether a record has only texts and lists of them, no numbers."""
    lists = [value for value in record.values() if type(value) is list]
    rest = {*map(type, record.values())} - {list}
    return rest <= _TOLD_ALIKE and _TOLD_ALIKE.issuperset(map(type, chain.from_iterable(lists)))


BEGINNING: Final = 2000  # characters that contain a root element or a first tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A sign of a format.

    Attributes:
        test: Returns whether a file (name, beginning of its text) shows it.
        is_weak: Whether it counts only where no other format has a sign.
    """

    test: Callable[[str, str], bool]
    wants: str = ""
    is_weak: bool = False


def has_key_in_first_line(ending: str, word: str) -> Sign:
    """Returns the sign of a file of records, a line each, that have this key."""
    return Sign(
        test=lambda name, text: _ends(name, ending) and _says(text, word),
        wants=f"{word} in its records",
    )


def has_word_near_beginning(ending: str, word: str) -> Sign:
    """Returns the sign of a word near a file's beginning, case-insensitively."""
    return Sign(
        test=lambda name, text: _ends(name, ending) and word.upper() in text[:BEGINNING].upper(),
        wants=f"{word} near its beginning",
    )


def has_records(
    endings: tuple[str, ...],
    test: Callable[[Mapping[str, object]], bool],
    wants: str,
    *,
    is_weak: bool = False,
) -> Sign:
    """Returns the sign of a file of JSON objects whose first one passes a test."""

    def is_shown(name: str, text: str) -> bool:
        record = first_record(text) if name.lower().endswith(endings) else None
        return isinstance(record, Mapping) and test(record)

    return Sign(test=is_shown, wants=wants, is_weak=is_weak)


def has_columns(
    test: Callable[[Sequence[str]], bool],
    wants: str,
    record_test: Callable[[Mapping[str, object]], bool] | None = None,
) -> Sign:
    """Returns the sign of a table (CSV, TSV or JSON objects) whose columns pass a test.

    Of JSON objects the first passes `record_test` instead, if there is one.
    """

    def is_shown(name: str, text: str) -> bool:
        if name.lower().endswith((".csv", ".tsv")):
            line = first_line(text).lstrip("\ufeff")
            mark = next((mark for mark in "\t,;" if mark in line), ",")
            return test([cell.strip().strip('"') for cell in line.split(mark)])
        record = first_record(text) if name.lower().endswith((".jsonl", ".json")) else None
        if not isinstance(record, Mapping):
            return False
        return test([*map(str, record)]) if record_test is None else record_test(record)

    return Sign(test=is_shown, wants=wants)


def _says(text: str, word: str) -> bool:
    if word in first_line(text):
        return True
    record = first_record(text)
    return isinstance(record, Mapping) and word.strip('"') in record


def first_line(text: str) -> str:
    """Returns the first line that is not blank, empty when there is none."""
    return next((line for line in text.splitlines() if line.strip("\ufeff \t")), "")


def _ends(name: str, ending: str) -> bool:
    return name.lower().endswith(ending)


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
            "The JSON is nested too deeply to be a corpus.", "Choose another file."
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
        return Problem(what="The file is empty.", hint="Choose another file.")
    is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    if is_cut_off:
        hint = "The file seems to be cut off: get it again, or close what is open."
    else:
        hint = "Look for a missing or extra comma, quotation mark or bracket there."
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
                what="{value} is not a valid JSON number.",
                hint="Leave the entry out when there is no value.",
                fields={"value": str(float(value))},
                path=at.path,
            )
        elif isinstance(value, list):
            waiting += [(part, at.at(index)) for index, part in enumerate(value)][::-1]
        elif isinstance(value, dict):
            for key in value.keys_twice if isinstance(value, _Repeating) else ():
                yield Problem(
                    what="The key “{key}” appears twice in one object.",
                    hint="Keep one: the other would be lost.",
                    fields={"key": key},
                    path=at.at(key).path,
                )
            waiting += [(part, at.at(key)) for key, part in value.items()][::-1]


_ENDINGS = re.compile(r"(\.(html?|txt|pan|pyr|sgml?|xml|s|sum))+$", re.IGNORECASE)
_DOCSET = r"[A-Za-z]{1,3}[0-9]+[A-Za-z]*(?:-[A-Za-z0-9]+)?"
# Kinds are `M`, of the whole set, and `P`, of one document; the length is in words (bytes in some
# years).
_SUMMARY = re.compile(
    rf"(?P<docset>{_DOCSET})\.(?P<kind>[MP])\.(?P<length>[0-9]+)\.(?P<selector>[A-Za-z])"
    r"\.(?P<summarizer>[A-Za-z0-9]+)(?:\.(?P<document>.+))?"
)
_SHORT = re.compile(rf"(?P<docset>{_DOCSET})\.[A-Za-z]")
_FOLDER = re.compile(r"(?P<number>[dD][0-9]{2,6})(?P<selector>[A-Za-z]?)(?P<summarizer>[A-Za-z]?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderName:
    """Parsed folder name of DUC 2001 and 2002: `d061j` for documents, `d061jb` for summaries."""

    number: str
    selector: str  # `j`, the letter of the person who chose the documents; may be empty
    summarizer: str  # `b`, the letter of the person who wrote; empty in folders of documents

    @property
    def docset(self) -> str:
        """The document set: `d061j`."""
        return self.number + self.selector


def base_name(source: str) -> str:
    """Returns a file's name without folders and endings such as `.pan`.

    >>> base_name("peers/D30001.M.100.T.11.pan")
    'D30001.M.100.T.11'
    """
    return _ENDINGS.sub("", re.split(r"[/\\]", source)[-1])


def summary_name(name: str) -> re.Match[str] | None:
    """Parses the name of a summary: docset, kind, length, summarizer, document; None for others."""
    return _SUMMARY.fullmatch(name)


def docset_in(name: str) -> str | None:
    """Returns the document set in `D30001.M.100.T.A` or `D30001.A`, None when there is none."""
    match = _SUMMARY.fullmatch(name) or _SHORT.fullmatch(name)
    return match["docset"] if match is not None else None


def docset_of_file(source: str) -> str | None:
    """Returns the document set at the start of a file's name, or None."""
    match = re.match(rf"{_DOCSET}(?![A-Za-z0-9-])", base_name(source))
    return match[0] if match is not None else None


def folder_name(source: str) -> FolderName | None:
    """Parses the name of the file's folder, or of its parent; None for others."""
    for part in reversed(re.split(r"[/\\]", source)[-3:-1]):
        match = _FOLDER.fullmatch(part)
        if match is not None:
            return FolderName(**match.groupdict())
    return None


def system_called(summarizer: str) -> str:
    """Returns the system's name: a number, or `human-B` for people.

    Correlations exclude such names, as references are no systems.
    """
    return f"human-{summarizer.upper()}" if summarizer.isalpha() else summarizer


_SIGNED_ENDINGS: Final = (".sgml", ".sgm", ".html", ".htm")
_OF_OTHERS: Final = (".pan", ".pyr", ".xml", ".json", ".jsonl", ".tsv", ".csv")


def sign_of(format_id: str) -> Sign:
    """Returns the sign of one of DUC's formats."""
    return Sign(test=lambda name, text: kind_of(name, text) == format_id)


def kind_of(name: str, text: str) -> str:
    """Returns the id of the format that a file of DUC has; empty = it is none."""
    if name.lower().endswith(_OF_OTHERS):
        return ""
    if summary_name(base_name(name)) is not None:
        return "duc-abstracts"
    if "." in name and not name.lower().endswith(_SIGNED_ENDINGS):
        return ""
    begin = text[:BEGINNING].lower()
    has_sentences = "<s docid=" in begin
    if has_sentences and "<doc>" not in begin:
        return "duc-extracts"
    if "<sum " in begin:
        return "duc-abstracts"
    return "duc-documents" if has_sentences and "." not in name else ""

"""Detection of formats by content, where the ending does not decide.

A format declares its sign in the registry; `recognition` tests it. A sign looks at the name and at
the beginning of the text only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.formats.reading.records import first_record

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


def says_in_first_line(ending: str, word: str, *, is_weak: bool = False) -> Sign:
    """Returns the sign of a file of records, a line each, that have this key."""
    return Sign(
        test=lambda name, text: _ends(name, ending) and _says(text, word),
        wants=f"{word} in its records",
        is_weak=is_weak,
    )


def says_at_its_beginning(ending: str, word: str) -> Sign:
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

    Args:
        record_test: Of the first JSON object instead.
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

"""Texts without what does not belong into them: controls, guards of spreadsheets."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Control characters but tab and line end, halves of surrogate pairs, byte order marks and what is
# no character; and what turns the direction of all text behind it, which garbles other sentences.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\u202a-\u202e\u2066-\u2069]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    r"""A text without what cannot be stored or shown.

    Attributes:
        text: With `\n` at the line ends.
        removed: (code such as `U+0000`, how often) of each character that was left out.
    """

    text: str
    removed: tuple[tuple[str, int], ...] = ()

    @property
    def n_removed(self) -> int:
        """How many characters were left out."""
        return sum(count for _, count in self.removed)


def cleaned(text: str) -> Cleaned:
    r"""Returns `text` with plain line ends and without control characters.

    Emoji, combining marks, and right-to-left letters and marks stay.

    >>> cleaned("a\x00b\r\n").text
    'ab\n'
    """
    plain = _LINE_ENDS.sub("\n", text)
    counts = Counter(_UNWANTED.findall(plain))
    removed = tuple((f"U+{ord(char):04X}", count) for char, count in sorted(counts.items()))
    return Cleaned(text=_UNWANTED.sub("", plain) if removed else plain, removed=removed)


def on_one_line(text: str) -> str:
    """Returns a clean text on one line, without outer blanks and tabs."""
    return " ".join(cleaned(text).text.split("\n")).replace("\t", " ").strip()


_RUNS: Final = re.compile(r"'*[=+\-@\t\r＝＋－＠](?s:.)")
_GUARD: Final = "'"


def to_cell(text: str) -> str:
    """Returns `text` as a cell that a spreadsheet takes for a text or a number.

    >>> to_cell("=1+1"), to_cell("-0.5"), to_cell("lead")
    ("'=1+1", '-0.5', 'lead')
    """
    is_taken = _RUNS.match(text) and not is_number(text.lstrip(_GUARD))
    return _GUARD + text if is_taken else text


def from_cell(cell: str) -> str:
    """Returns the text of which `to_cell` made this.

    >>> from_cell("'=1+1"), from_cell("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith(_GUARD) and to_cell(cell[1:]) == cell else cell


def as_cells(rows: Iterable[Sequence[str]]) -> str:
    """Returns the rows for pasting into a spreadsheet: a line each, cells parted by tabs."""
    lines = ("\t".join(to_cell(" ".join(cell.split())) for cell in row) for row in rows)
    return "".join(f"{line}\n" for line in lines)


def is_number(text: str) -> bool:
    """Returns whether a text is one number as programs write it."""
    try:
        float(text)
    except ValueError:
        return False
    return True

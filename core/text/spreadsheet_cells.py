"""Cells for spreadsheets: a text in them stays a text.

A spreadsheet runs a cell that begins like a formula, whoever wrote it: a system that is called
`=HYPERLINK(…)` in a file from a stranger would act in the table that is made of it. pandas and R
run nothing, so plain CSV and TSV keep every text as it is; only what is made for a spreadsheet is
changed, and `from_cell` takes the change back.

Source: OWASP, "CSV Injection".
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

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

"""The cells of a table of scores, with the line that each row ends in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final

from awase.core.formats.reading.findings import Findings
from awase.core.text.spreadsheet_cells import from_cell

_BYTE_ORDER_MARK: Final = "\ufeff"
_MOST_COLUMNS: Final = 1 << 14
"""As many as Excel takes; more cost seconds before anything is known of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A row of the table.

    Attributes:
        line: 1-based; the last one of a row with line breaks in its cells.
        texts: What stands in the cells, without outer blanks; as many as the line has.
    """

    line: int
    texts: tuple[str, ...]

    def at(self, roles: Mapping[str, int], role: str) -> str:
        """Returns the cell of a role; empty when the table or the row has none."""
        place = roles.get(role)
        return self.texts[place] if place is not None and place < len(self.texts) else ""


def rows_of_cells(text: str, problems: Findings) -> list[Cells]:
    """Returns the rows that are not blank, the heading first.

    Cells are parted by tabs or else by commas or semicolons, whichever the heading has. Quotation
    marks around a cell, and what guards a text from a spreadsheet, are taken off.

    Args:
        text: Of the file.
        problems: Gets what keeps the table from being read.
    """
    from pandas.errors import ParserError

    lines = text.removeprefix(_BYTE_ORDER_MARK)
    first = next((line for line in lines.split("\n") if line.strip()), "")
    separator = next((mark for mark in "\t,;" if mark in first), ",")
    # Only what begins with a mark was made for a spreadsheet, and has texts guarded from it.
    is_for_spreadsheet = text.startswith(_BYTE_ORDER_MARK)
    n_columns = _most_cells(lines, separator)
    if n_columns > _MOST_COLUMNS:
        problems.add(
            None,
            what="A row has up to {n} cells; a table has at most {most} columns.",
            hint="Is this a table?",
            n=n_columns,
            most=_MOST_COLUMNS,
        )
        return []
    try:
        rows = [*_rows(lines, separator, n_columns)]
    except ParserError as error:
        problems.add(
            None,
            what="The table cannot be read: {reason}.",
            hint="Is a quotation mark never closed?",
            reason=str(error),
        )
        return []
    return [
        Cells(line=line, texts=tuple(map(from_cell, cells)) if is_for_spreadsheet else (*cells,))
        for line, cells in rows
    ]


def _rows(text: str, separator: str, n_columns: int) -> Iterator[tuple[int, Sequence[str]]]:
    import pandas as pd

    frame = pd.read_csv(
        StringIO(text, newline=""),
        sep=separator,
        header=None,
        names=range(n_columns),
        dtype=str,
        keep_default_na=False,
        skip_blank_lines=False,
        engine="python",  # the other one cannot tell a row that is too short
    )
    line = 0
    for row in frame.to_numpy(object).tolist():
        cells = [cell for cell in row if isinstance(cell, str)]  # a missing one is NaN
        line += 1 + sum(_n_breaks(cell) for cell in cells)
        if any(cell.strip() for cell in cells):
            yield line, [cell.strip() for cell in cells]


def _n_breaks(cell: str) -> int:
    return cell.count("\n") + cell.count("\r") - cell.count("\r\n")


def _most_cells(text: str, separator: str) -> int:
    """Returns at least as many cells as any row has; a cell in quotes may go over several lines."""
    most, n_cells, n_quotes = 1, 1, 0
    for line in text.split("\n"):
        n_cells += line.count(separator)
        n_quotes += line.count('"')
        most = max(most, n_cells)
        if n_quotes % 2 == 0:
            n_cells = 1
    return most

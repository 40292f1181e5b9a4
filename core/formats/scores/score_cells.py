"""The cells of a table of scores, CSV, TSV or JSON, with the line that each row ends in.

By `csv`: pandas tells neither lines nor more than one bad row, and takes twice as long (ADR 22).
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from typing import Final

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import csv_rows, is_json, json_records
from awase.core.text.cleaning import from_cell

_BYTE_ORDER_MARK: Final = "\ufeff"
_MOST_COLUMNS: Final = 1 << 14
"""As many as Excel takes."""


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
    marks around a cell, and what guards a text from a spreadsheet, are taken off. In JSON a row is
    an object, its keys are the heading; objects stand a line each, in a list, or in the list
    `scores` of one object.

    Args:
        text: Of the file.
        problems: Gets what keeps the table from being read; then there are no rows.
    """
    if is_json(text):
        return _rows_of_json(text, problems)
    lines = text.lstrip(_BYTE_ORDER_MARK)
    heading = next((line for line in lines.split("\n") if line.strip()), "")
    n_before = len(problems.found)
    rows = [*rows_of_lines(StringIO(lines, newline=""), heading, problems)]
    if len(problems.found) > n_before:
        return []
    # Only what begins with a mark was made for a spreadsheet, and has texts guarded from it.
    if not text.startswith(_BYTE_ORDER_MARK):
        return rows
    return [replace(row, texts=tuple(map(from_cell, row.texts))) for row in rows]


def rows_of_lines(lines: Iterable[str], heading: str, problems: Findings) -> Iterator[Cells]:
    """Yields the rows that are not blank, the heading first, as they are read.

    Args:
        lines: Of CSV or TSV, with their ends.
        heading: The first that is not blank.
        problems: Gets what keeps the table from being read, behind the last row that was.
    """
    reader = csv_rows(lines, heading)
    try:
        for row in reader:
            if len(row) > _MOST_COLUMNS:
                problems.add(
                    None,
                    what="A row has up to {n} cells; a table has at most {most} columns.",
                    hint="Is this a table?",
                    n=len(row),
                    most=_MOST_COLUMNS,
                )
                return
            texts = tuple([cell.strip() for cell in row])
            if any(texts):
                yield Cells(line=reader.line_num, texts=texts)
    except csv.Error as error:
        problems.add(
            None,
            what="The table cannot be read: {reason}.",
            hint="Is a quotation mark never closed?",
            reason=str(error),
        )


def _rows_of_json(text: str, problems: Findings) -> list[Cells]:
    found = [*json_records(text)]
    for line, whole in found[:1]:
        if isinstance(whole, dict) and isinstance(whole.get("scores"), list):
            found = [(line, one) for one in whole["scores"]]
    records: list[tuple[int, dict[str, object]]] = []
    for line, one in found:
        if not isinstance(one, dict):
            problems.add(
                line, what="The line is not a JSON object.", hint="Write an object an item."
            )
            return []
        records.append((line, one))
    heading = (*dict.fromkeys(name for _, one in records for name in one),)
    rows = [
        Cells(line=line, texts=tuple(_text_of(one.get(name)) for name in heading))
        for line, one in records
    ]
    return [Cells(line=1, texts=heading), *rows]


def _text_of(value: object) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value)

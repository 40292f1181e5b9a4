"""Tables for people: aligned, never with a number cut, plain where there is no terminal."""

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, Final

from awase.cli.output.forms import print_pieces
from awase.cli.output.messages import visible
from awase.core.reports.grid import Column, Grid

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH_OF_A_PIPE = 100_000
_LEAST_WIDTH_OF_TEXT = 16
_BETWEEN: Final = "   "
"""Columns, where no rules stand between them."""
_SIMPLE: Final = re.compile(r"[ -~¡-¬®-ÿ–…]*")
ROWS_AT_ONCE: Final = 500

_Row = Sequence[str]


def print_table(columns: Sequence[Column], groups: Iterable[Iterable[_Row]]) -> None:
    """Prints the rows of each group, a line between the groups; they are taken as they are made."""
    rows: list[_Row] = []
    breaks = set()
    for group in groups:
        for row in group:
            rows.append([*map(visible, row)])
        breaks.add(len(rows) - 1)
    _print(columns, rows, breaks)


def print_grid(grid: Grid) -> None:
    """Prints the table, a line between its groups of rows."""
    rows = [[visible(cell.full_text()) for cell in row] for row in grid.rows]
    _print(grid.columns, rows, grid.breaks)


def _print(columns: Sequence[Column], rows: Sequence[_Row], breaks: Collection[int]) -> None:
    columns = [replace(column, title=visible(column.title)) for column in columns]
    if not sys.stdout.isatty() and _has_lines() and _is_simple(columns, rows):
        print_pieces(_plain(columns, rows, breaks))
        return
    from rich.text import Text

    widths = _widths(columns, rows, lambda text: Text(text).cell_len)
    least = [
        width if column.is_number else None for width, column in zip(widths, columns, strict=True)
    ]
    if sys.stdout.isatty() or len(rows) <= ROWS_AT_ONCE:
        table = _table(columns, least)
        _add_rows(table, rows, breaks, range(len(rows)))
        width = sum((one or _LEAST_WIDTH_OF_TEXT) + 3 for one in least)
        print_pieces([_rendered(table, width)])
        return
    # Nothing is broken in a pipe, so that a part is rendered as it is within the whole; what is
    # made of a row there takes thirty times the room of its text.
    widest = _widths(columns, rows, _width_of)
    for part in _parts(len(rows), breaks):
        table = _table(columns, widest, has_header=not part.start)
        _add_rows(table, rows, breaks, part)
        print_pieces([_rendered(table, 0)])


def _widths(
    columns: Sequence[Column], rows: Iterable[_Row], width_of: Callable[[str], int]
) -> list[int]:
    """Returns the width of the widest text of each column, title included."""
    widths = [width_of(column.title) for column in columns]
    for row in rows:
        widths = [max(width, width_of(text)) for width, text in zip(widths, row, strict=True)]
    return widths


def _has_lines() -> bool:
    """Returns whether rules are drawn."""
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def _is_simple(columns: Sequence[Column], rows: Iterable[_Row]) -> bool:
    """Returns whether there is a table, and every text a line as wide as it has letters."""
    texts = chain([[column.title for column in columns]], rows)
    return bool(columns) and all(_SIMPLE.fullmatch("".join(row)) for row in texts)


def _plain(
    columns: Sequence[Column], rows: Iterable[_Row], breaks: Collection[int]
) -> Iterator[str]:
    """Yields the lines of a table of simple texts as `_rendered` has them without a terminal.

    rich takes longer to load than most corpora take to be scored.
    """
    widths = _widths(columns, rows, len)
    yield _line([column.title for column in columns], widths, columns)
    yield f"{'─' * (sum(widths) + len(_BETWEEN) * (len(widths) - 1))}\n"
    is_break = False
    for row_idx, row in enumerate(rows):
        if is_break:
            yield "\n"
        yield _line(row, widths, columns)
        is_break = row_idx in breaks


def _line(row: _Row, widths: Sequence[int], columns: Sequence[Column]) -> str:
    cells = [
        text.rstrip().rjust(width) if column.is_number else text.ljust(width)
        for text, width, column in zip(row, widths, columns, strict=True)
    ]
    return f"{_BETWEEN.join(cells).rstrip()}\n"


def _parts(n_rows: int, breaks: Collection[int]) -> Iterator[range]:
    """Yields the numbers of rows in portions; none ends with a group, whose line would be lost."""
    begin = 0
    while begin < n_rows:
        end = min(begin + ROWS_AT_ONCE, n_rows)
        while end < n_rows and end - 1 in breaks:
            end += 1
        yield range(begin, end)
        begin = end


def _width_of(text: str) -> int:
    """Returns the width of the widest line."""
    from rich.text import Text

    if "\n" not in text:
        return Text(text).cell_len
    return max((Text(line).cell_len for line in text.splitlines()), default=0)


def _table(
    columns: Sequence[Column], least: Sequence[int | None], *, has_header: bool = True
) -> "Table":
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD if _has_lines() else ASCII,
        pad_edge=False,
        show_edge=False,
        show_header=has_header,
    )
    for column, min_width in zip(columns, least, strict=True):
        table.add_column(
            Text(column.title),
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number,
            min_width=min_width,
            overflow="fold",
        )
    return table


def _add_rows(table: "Table", rows: Sequence[_Row], breaks: Collection[int], part: range) -> None:
    from rich.text import Text

    for idx in part:
        table.add_row(*map(Text, rows[idx]), end_section=idx in breaks)


def _rendered(table: "Table", least_width: int) -> str:
    """Returns the table as text; rich is kept from writing it.

    It would replace what the encoding lacks, and end the process with an error of its own on a
    closed pipe.
    """
    from rich.console import Console

    is_terminal = sys.stdout.isatty()
    text = StringIO()
    console = Console(file=text, force_terminal=is_terminal, highlight=False)
    console.width = max(console.width, least_width) if is_terminal else _WIDTH_OF_A_PIPE
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())

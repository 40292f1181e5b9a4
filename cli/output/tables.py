"""Tables for people: aligned, never with a number cut, plain where there is no terminal."""

import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

import click

from awase.core.reports.grid import Column, Grid, text_grid

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH_OF_A_PIPE = 100_000
_LEAST_WIDTH_OF_TEXT = 16


def print_table(columns: Sequence[Column], groups: Sequence[Sequence[Sequence[str]]]) -> None:
    """Prints the rows of each group, a line between the groups."""
    print_grid(text_grid(columns, groups))


def print_grid(grid: Grid) -> None:
    """Prints the table, a line between its groups of rows."""
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    has_lines = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    table = Table(box=SIMPLE_HEAD if has_lines else ASCII, pad_edge=False, show_edge=False)
    width = 0
    for idx, column in enumerate(grid.columns):
        cells = [column.title, *(row[idx].full_text() for row in grid.rows)]
        least = max(Text(cell).cell_len for cell in cells) if column.is_number else None
        width += (least or _LEAST_WIDTH_OF_TEXT) + 3
        table.add_column(
            Text(column.title),
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number,
            min_width=least,
            overflow="fold",
        )
    for row_idx, row in enumerate(grid.rows):
        is_last = row_idx in grid.breaks
        table.add_row(*(Text(cell.full_text()) for cell in row), end_section=is_last)
    click.echo(_rendered(table, width), nl=False)


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

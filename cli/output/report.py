"""Reports of commands, rendered in the requested form.

Aligned tables are for people, and no number in them is cut; JSON is for programs.
"""

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import orjson

from awase.cli.output.messages import note_printed, visible
from awase.core.errors import Cancelled
from awase.core.reports.grid import (
    Cell,
    Column,
    Field,
    Fields,
    Grid,
    R,
    Shown,
    TableRows,
    Value,
    grid_of,
    grid_of_records,
    records_of,
    rows_of_grid,
    rows_of_records,
)

if TYPE_CHECKING:
    from awase.jobs.files.writing import TableForm, Target


_LETTERS_AT_ONCE: Final = 1 << 18
_ESCAPE: Final = "\x1b"
_LEAST_WIDTH_OF_TEXT = 16
_SIMPLE: Final = re.compile(r"[ -~¡-¬®-ÿ–…]*")

_Row = Sequence[str]


def grid_of_rows(table: TableRows, notes: Sequence[str]) -> Grid:
    """Returns the rows as documents hold them, numbers with four decimals."""
    rows = [*table.rows]
    columns = (
        Column(title=name, is_number=any(isinstance(row[at], int | float) for row in rows))
        for at, name in enumerate(table.columns)
    )
    return grid_of(columns, ([_cell(value) for value in row] for row in rows), notes)


def _cell(value: Value) -> Cell:
    if isinstance(value, float):
        return Cell(text=f"{value:.4f}", value=value)
    text = "" if value is None else str(value)
    return Cell(text=text, value=value if isinstance(value, int) else None)


def print_shown(shown: Shown) -> None:
    """Prints tables, a line between the groups of their rows, and lines."""
    is_terminal, encoding = sys.stdout.isatty(), (sys.stdout.encoding or "utf-8").lower()
    for one in shown:
        print_pieces(
            shown_pieces([one], is_terminal=is_terminal, has_lines=encoding.startswith("utf"))
        )


def shown_pieces(
    shown: Shown, *, is_terminal: bool = False, has_lines: bool = True
) -> Iterator[str]:
    """Yields the text of tables and lines; rules and dashes are drawn if `has_lines`."""
    for one in shown:
        if isinstance(one, str):
            yield f"{visible(one)}\n"
        else:
            yield from _table_pieces(one, is_terminal=is_terminal, has_lines=has_lines)


def _table_pieces(grid: Grid, *, is_terminal: bool, has_lines: bool) -> Iterator[str]:
    clean = cache(visible)
    rows = [[clean(title) for title in grid.headings]]
    rows += ([clean(cell.full_text()) for cell in row] for row in grid.rows)
    if is_terminal:
        yield _wrapped(grid.columns, rows, grid.breaks, has_lines=has_lines)
    elif grid.columns:
        yield from _unwrapped(grid.columns, rows, grid.breaks, has_lines=has_lines)
    else:
        yield "\n"


def _unwrapped(
    columns: Sequence[Column], rows: Sequence[_Row], breaks: Collection[int], *, has_lines: bool
) -> Iterator[str]:
    """Yields the lines of a table, titles first, drawn as on a terminal of any width."""
    width_of = _width_of(rows)
    widths = _widths(rows, width_of)
    between, dash = ("   ", "─") if has_lines else (" | ", "-")
    rule = between.join(dash * width for width in widths).replace(" ", dash).replace("|", "+")
    for n, row in enumerate(rows):
        for texts in zip_longest(*[text.split("\n") for text in row], fillvalue=""):
            cells = []
            for text, width, column in zip(texts, widths, columns, strict=True):
                shown = text.rstrip() if column.is_number else text
                blanks = " " * (width - width_of(shown))
                cells.append(blanks + shown if column.is_number else shown + blanks)
            yield f"{between.join(cells).rstrip()}\n"
        if not n:
            yield f"{rule}\n"
        elif n - 1 in breaks and n + 1 < len(rows):
            yield "\n" if has_lines else f"{rule}\n"


def _width_of(rows: Iterable[_Row]) -> Callable[[str], int]:
    """Returns what measures a line of these texts."""
    # Importing rich takes longer than scoring most corpora.
    if all(_SIMPLE.fullmatch("".join(row)) for row in rows):
        return len
    from rich.cells import cell_len

    return cell_len


def _widths(rows: Sequence[_Row], width_of: Callable[[str], int]) -> list[int]:
    """Returns each column's maximal line width."""
    widths = [0] * len(rows[0])
    for row in rows:
        widths = [
            max(width, *map(width_of, text.split("\n")))
            for width, text in zip(widths, row, strict=True)
        ]
    return widths


def _wrapped(
    columns: Sequence[Column], rows: Sequence[_Row], breaks: Collection[int], *, has_lines: bool
) -> str:
    """Returns a table, titles first, as wide as the terminal; no number is cut."""
    # rich's own output would replace unencodable characters, and exit with an error of its own on a
    # closed pipe.
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD if has_lines else ASCII, pad_edge=False, show_edge=False)
    least_width = 0
    widths = _widths(rows, _width_of(rows))
    for column, title, width in zip(columns, rows[0], widths, strict=True):
        table.add_column(
            Text(title),
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number,
            min_width=width if column.is_number else None,
            overflow="fold",
        )
        least_width += (width if column.is_number else _LEAST_WIDTH_OF_TEXT) + 3
    for row_idx, row in enumerate(rows[1:]):
        table.add_row(*map(Text, row), end_section=row_idx in breaks)
    text = StringIO()
    console = Console(file=text, force_terminal=True, highlight=False)
    console.width = max(console.width, least_width)
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def print_pieces(pieces: Iterable[str]) -> None:
    """Prints text in chunks."""
    some: list[str] = []
    n_letters = 0
    try:
        for piece in pieces:
            some.append(piece)
            n_letters += len(piece)
            if n_letters > _LETTERS_AT_ONCE:
                _print_text("".join(some))
                some, n_letters = [], 0
    except (KeyboardInterrupt, Cancelled):
        _print_text("".join(some))
        raise
    _print_text("".join(some))
    sys.stdout.flush()


def print_data(pieces: Iterable[str]) -> None:
    """Prints text for programs; on a terminal without what would command it."""
    print_pieces(map(visible, pieces) if sys.stdout.isatty() else pieces)


def _print_text(text: str) -> None:
    # Where there is no colour in it, click need not look for it by a regular expression.
    click.echo(text, nl=False, color=None if _ESCAPE in text else True)
    note_printed()


# Of what commands print as JSON: another number when something is called or means otherwise.
VERSION: Final = 1

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).encode


class Written(str):
    """Serialised records of a list, indented, separated by `,` and a line end."""

    __slots__ = ()


class InPieces(dict[str, object]):
    """A record with iterators as members, streamed like the whole."""


def json_pieces(
    members: Iterable[tuple[str, object]], *, is_complete: bool = True
) -> Iterator[str]:
    """Yields a command's JSON: an object with these members, and a line end.

    An iterator as a value becomes a list, record by record. Cancelled while records are computed,
    it ends as a valid object marked incomplete; the cancellation is raised afterwards.
    """
    stops: list[BaseException] = []

    def marked() -> Iterator[tuple[str, object]]:
        yield "awase_output", VERSION
        yield from members
        yield "complete", is_complete and not stops

    yield from _object(marked(), 0, stops)
    yield "\n"
    if stops:
        raise stops[0]


def _object(
    members: Iterable[tuple[str, object]], n_blanks: int, stops: list[BaseException]
) -> Iterator[str]:
    blanks = " " * n_blanks
    yield "{"
    separator = "\n"
    for key, value in members:
        yield f"{separator}{blanks}  {_dumps(key)}: "
        separator = ",\n"
        if isinstance(value, Iterator):
            yield from _list(value, n_blanks + 2, stops)
        else:
            yield _below(_indented(value), n_blanks + 2)
    yield "}" if separator == "\n" else f"\n{blanks}}}"


def _list(records: Iterator[object], n_blanks: int, stops: list[BaseException]) -> Iterator[str]:
    blanks = " " * n_blanks
    separator = "[\n"
    for record in _until_stopped(records, stops):
        yield separator
        if isinstance(record, InPieces):
            yield f"{blanks}  "
            yield from _object(record.items(), n_blanks + 2, stops)
        else:
            yield record if isinstance(record, Written) else record_text(record, n_blanks + 2)
        separator = ",\n"
    yield "[]" if separator == "[\n" else f"\n{blanks}]"


def _until_stopped(records: Iterator[object], stops: list[BaseException]) -> Iterator[object]:
    try:
        yield from records
    except (KeyboardInterrupt, Cancelled) as error:
        stops.append(error)


def record_text(record: object, n_blanks: int = 4) -> str:
    """Returns a record of a list in an object, indented so far; there are many of them."""
    try:
        text = orjson.dumps(record, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # a lone surrogate, or an integer of more than 64 bits
        text = _indented(record)
    return " " * n_blanks + _below(text, n_blanks)


def exact_record(record: object) -> Written:
    """Returns a record of a list in an object, its fractions spelled as everywhere else."""
    return Written("    " + _below(_indented(record), 4))


def _below(text: str, n_blanks: int) -> str:
    return text.replace("\n", "\n" + " " * n_blanks)


# Parameters that name what is written; whatever else names a file is read.
TARGETS: Final = ("output_file", "target", "page", "be_folder")


def output_target(path: Path, *endings: str, force: bool = False) -> "Target":
    """Returns the target of the running command's output; `force` allows replacing a file.

    What can be written there has one of the `endings`; none = any.
    """
    from awase.jobs.files.writing import Target

    context = click.get_current_context()
    read = (
        one
        for name, value in context.params.items()
        if name not in TARGETS
        for one in _places(value)
    )
    return Target(path=path, replaces=force, inputs=tuple(dict.fromkeys(read)), endings=endings)


def _places(value: object) -> Iterator[Path]:
    """Yields the files that a parameter may name, directly or as `NAME=FILE`."""
    if isinstance(value, tuple):
        for one in value:
            yield from _places(one)
    elif str(value) == "-":
        yield Path("/dev/stdin")
    elif isinstance(value, str | Path) and str(value):
        yield Path(value)
        _, equals, behind = str(value).partition("=")
        if equals and behind:
            yield Path(behind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Destination and form of a report.

    UsageError for a binary form to a terminal, Excel options for other forms than CSV, or an ending
    without a form.
    """

    # The requested form; None = by the file's ending.
    chosen: "TableForm | None" = None
    target: "Target | None" = None  # where it is written; None = to standard output
    for_spreadsheet: bool = False
    force: bool = False  # whether what is there may be replaced

    def __post_init__(self) -> None:
        from awase.jobs.files.writing import BINARY_FORMS

        if self.form in BINARY_FORMS and self.target is None:
            raise click.UsageError(f"--output-format {self.form.value} needs a file: -o FILE.")
        if self.for_spreadsheet and self.form.value not in ("csv", "tsv"):
            raise click.UsageError("--bom goes with --output-format csv or tsv.")

    @property
    def form(self) -> "TableForm":
        """The form in which it is printed or written."""
        from awase.jobs.files.writing import ENDINGS, TableForm, is_stream_or_device

        if self.chosen is not None:
            return self.chosen
        if self.target is None:
            return TableForm.TABLE
        form = ENDINGS.get(self.target.path.suffix.lower())
        if form is None and not is_stream_or_device(self.target.path):
            raise click.UsageError(
                f"The ending of “{self.target.path}” does not show the format: use one of "
                f"{', '.join(ENDINGS)}, or add --output-format."
            )
        return form or TableForm.TABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A command's report, rendered lazily in one form."""

    shown: Callable[[], Shown]  # makes what people read
    # Makes the members of the JSON object that programs read, as `json_pieces` has them.
    json: Callable[[], Iterable[tuple[str, object]]]
    # Makes what CSV, TSV, JSON lines, Parquet and Excel hold; None = as the grid has it.
    rows: Callable[[], TableRows] | None = None
    # Makes what LaTeX, Markdown and HTML hold; None = as the rows have it.
    grid: Callable[[], Grid] | None = None
    notes: Sequence[str] = ()  # below the rows
    is_complete: bool = True  # whether everything requested is included


def report_of(
    fields: Fields[R],
    rows: Iterable[R],
    key: str = "",
    *,
    empty: str = "",
    shown: Callable[[], Shown] | None = None,
    json: Callable[[], Iterable[tuple[str, object]]] | None = None,
    notes: Sequence[str] = (),
    is_complete: bool = True,
) -> Report:
    """Returns the report of records, a row each, in any form; they are iterated once.

    In JSON their list is called `key`, unless `json` is given. People read `shown`, or the table
    alone; `empty` instead of one without rows.
    """

    def table() -> Shown:
        return [grid_of_records(fields, rows) if rows or not empty else empty]

    return Report(
        shown=shown or table,
        json=json or (lambda: [(key, records_of(fields, rows))]),
        rows=lambda: rows_of_records(fields, rows),
        notes=notes,
        is_complete=is_complete,
    )


def report_of_facts(facts: Mapping[str, object]) -> Report:
    """Returns the report of a few facts by name: a line each for people, else one record."""
    fields = [Field(name, value=itemgetter(name)) for name in facts]
    return Report(
        shown=lambda: [f"{name}  {value}" for name, value in facts.items()],
        json=facts.items,
        rows=lambda: rows_of_records(fields, [facts]),
    )


def emit(report: Report, output: Output) -> None:
    """Prints or writes the report in the requested form."""
    from awase.jobs.files.writing import BINARY_FORMS, TableForm, write_binary, write_whole_file

    if output.form in BINARY_FORMS:
        assert output.target is not None
        write_binary(_rows(report), output.form, output.target)
    elif output.target is not None:
        write_whole_file(output.target, _pieces(report, output))
    elif output.form is TableForm.TABLE:
        print_shown(report.shown())
    else:
        print_data(_pieces(report, output))


def _pieces(report: Report, output: Output) -> Iterable[str]:
    from awase.jobs.files.writing import TableForm, grid_text, text_lines

    match output.form:
        case TableForm.TABLE:
            return shown_pieces(report.shown())
        case TableForm.JSON:
            return json_pieces(report.json(), is_complete=report.is_complete)
        case TableForm.LATEX | TableForm.MARKDOWN | TableForm.HTML:
            return [grid_text(_grid(report), output.form)]
        case _:
            return text_lines(_rows(report), output.form, for_spreadsheet=output.for_spreadsheet)


def _rows(report: Report) -> TableRows:
    return rows_of_grid(_grid(report)) if report.rows is None else report.rows()


def _grid(report: Report) -> Grid:
    return grid_of_rows(_rows(report), report.notes) if report.grid is None else report.grid()

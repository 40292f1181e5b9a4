"""Reports of commands, rendered in the requested form.

Aligned tables are for people, and no number in them is cut; JSON is for programs.
"""

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO
from itertools import chain
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
    from rich.table import Table

    from awase.jobs.files.writing import TableForm, Target


_LETTERS_AT_ONCE: Final = 1 << 18
_ESCAPE: Final = "\x1b"
_WIDTH_OF_A_PIPE = 100_000
_LEAST_WIDTH_OF_TEXT = 16
_BETWEEN: Final = "   "  # column gap without rules
_SIMPLE: Final = re.compile(r"[ -~¡-¬®-ÿ–…]*")
ROWS_AT_ONCE: Final = 500

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
    rows = [[clean(cell.full_text()) for cell in row] for row in grid.rows]
    columns = [replace(column, title=clean(column.title)) for column in grid.columns]
    if not is_terminal and has_lines and _is_simple(columns, rows):
        yield from _plain(columns, rows, grid.breaks)
        return
    from rich.text import Text

    widths = _widths(columns, rows, lambda text: Text(text).cell_len)
    least = [
        width if column.is_number else None for width, column in zip(widths, columns, strict=True)
    ]
    if is_terminal or len(rows) <= ROWS_AT_ONCE:
        table = _table(columns, least, has_lines=has_lines)
        _add_rows(table, rows, grid.breaks, range(len(rows)))
        width = sum((one or _LEAST_WIDTH_OF_TEXT) + 3 for one in least)
        yield _rendered(table, width, is_terminal=is_terminal)
        return
    # A pipe is not wrapped, so that a batch is rendered as within the whole; rendering takes thirty
    # times the memory of its text.
    widest = _widths(columns, rows, _width_of)
    for part in _parts(len(rows), grid.breaks):
        table = _table(columns, widest, has_lines=has_lines, has_header=not part.start)
        _add_rows(table, rows, grid.breaks, part)
        yield _rendered(table, 0, is_terminal=is_terminal)


def _widths(
    columns: Sequence[Column], rows: Iterable[_Row], width_of: Callable[[str], int]
) -> list[int]:
    """Returns each column's maximal text width, title included."""
    widths = [width_of(column.title) for column in columns]
    for row in rows:
        widths = [max(width, width_of(text)) for width, text in zip(widths, row, strict=True)]
    return widths


def _is_simple(columns: Sequence[Column], rows: Iterable[_Row]) -> bool:
    """Returns whether all texts are single lines without wide characters."""
    texts = chain([[column.title for column in columns]], rows)
    return bool(columns) and all(_SIMPLE.fullmatch("".join(row)) for row in texts)


def _plain(
    columns: Sequence[Column], rows: Iterable[_Row], breaks: Collection[int]
) -> Iterator[str]:
    """Yields the lines of a simple table, equal to `_rendered` off a terminal."""
    # Importing rich takes longer than scoring most corpora.
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
    """Yields batches of row numbers, none ending with a group, whose rule would be lost."""
    begin = 0
    while begin < n_rows:
        end = min(begin + ROWS_AT_ONCE, n_rows)
        while end < n_rows and end - 1 in breaks:
            end += 1
        yield range(begin, end)
        begin = end


def _width_of(text: str) -> int:
    """Returns the maximal line width."""
    from rich.text import Text

    if "\n" not in text:
        return Text(text).cell_len
    return max((Text(line).cell_len for line in text.splitlines()), default=0)


def _table(
    columns: Sequence[Column],
    least: Sequence[int | None],
    *,
    has_lines: bool,
    has_header: bool = True,
) -> "Table":
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD if has_lines else ASCII,
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


def _rendered(table: "Table", least_width: int, *, is_terminal: bool) -> str:
    """Renders the table to text with rich."""
    # rich's own output would replace unencodable characters, and exit with an error of its own on a
    # closed pipe.
    from rich.console import Console

    text = StringIO()
    console = Console(file=text, force_terminal=is_terminal, highlight=False)
    console.width = max(console.width, least_width) if is_terminal else _WIDTH_OF_A_PIPE
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
                f"The ending of “{self.target.path}” tells no form: end it in one of "
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

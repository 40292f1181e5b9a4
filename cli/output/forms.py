"""What a command found, printed or written in the form that was asked for."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

import click
import orjson

from awase.cli.output.messages import note_printed, say
from awase.core.errors import Cancelled
from awase.core.reports.grid import Cell, Column, Grid, grid_of
from awase.jobs.files.tables import (
    ENDINGS,
    TableForm,
    TableRows,
    Value,
    grid_text,
    rows_of_grid,
    text_lines,
    write_binary,
)
from awase.jobs.files.writing import Target, is_stream_or_device, write_whole_file

_LETTERS_AT_ONCE: Final = 1 << 18
_ESCAPE: Final = "\x1b"


TARGETS: Final = ("output_file", "target", "page", "be_folder")
"""Parameters that name what is written; whatever else names a file is read."""


def output_target(path: Path, *, force: bool = False) -> Target:
    """Returns where the command that runs writes.

    Args:
        force: Whether a file may be replaced.
    """
    context = click.get_current_context()
    read = (
        one
        for name, value in context.params.items()
        if name not in TARGETS
        for one in _places(value)
    )
    return Target(path=path, replaces=force, inputs=tuple(dict.fromkeys(read)))


def _places(value: object) -> Iterator[Path]:
    """Yields what a parameter may name: a file, or a file behind `NAME=`."""
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
    """Where what is found goes, and in which form.

    Attributes:
        chosen: The form that was asked for; None = as the file's ending tells.
        target: Where it is written; None = to standard output.
        force: Whether what is there may be replaced.

    Raises:
        UsageError: A form for files would go to a terminal, another than CSV to Excel, or the
            ending of the file tells no form.
    """

    chosen: TableForm | None = None
    target: Target | None = None
    for_spreadsheet: bool = False
    force: bool = False

    def __post_init__(self) -> None:
        if self.form.is_binary and self.target is None:
            raise click.UsageError(f"--output-format {self.form.value} needs a file: -o FILE.")
        if self.for_spreadsheet and self.form not in (TableForm.CSV, TableForm.TSV):
            raise click.UsageError("--bom goes with --output-format csv or tsv.")

    @property
    def form(self) -> TableForm:
        """The form in which it is printed or written."""
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


def chosen_output(
    output_format: str | None,
    *,
    as_json: bool,
    output_file: Path | None,
    bom: bool,
    force: bool,
) -> Output:
    """Returns what the options of `output_options` choose.

    Raises:
        UsageError: They contradict each other.
    """
    if as_json and output_format not in (None, TableForm.JSON):
        raise click.UsageError(f"Choose one of --json and --output-format {output_format}.")
    chosen = TableForm.JSON.value if as_json else output_format
    output = Output(
        chosen=TableForm(chosen) if chosen else None,
        target=None if output_file is None else output_target(output_file, force=force),
        for_spreadsheet=bom,
        force=force,
    )
    if output.target is not None:
        output.target.check()  # before any work is done
    return output


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """What a command found, made in the form that is asked for and in no other.

    Attributes:
        json: Returns the members of the JSON object that programs read, as `json_pieces` has them.
        rows: Returns it for CSV, TSV, JSON lines, Parquet and Excel; None = as the grid has it.
        is_complete: Whether all that was asked for is there.
    """

    table: Callable[[], object]
    json: Callable[[], Iterable[tuple[str, object]]]
    grid: Callable[[], Grid]
    rows: Callable[[], TableRows] | None = None
    is_complete: bool = True


def of_facts(facts: Mapping[str, object]) -> CommandResult:
    """Returns a few facts by name: a line each for people, one record for programs."""

    def show() -> None:
        for name, value in facts.items():
            say(f"{name}  {value}")

    return of_records(show, facts, [facts], columns=tuple(facts))


def of_records(
    table: Callable[[], object],
    json: Mapping[str, object],
    records: Sequence[Mapping[str, object]],
    notes: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
) -> CommandResult:
    """Returns what a command found as records: a row each, whatever the form.

    Args:
        records: By column, all with the same; lists are set apart by blanks.
        columns: Their names, where there may be no record; none = those of the records.
    """
    return of_many_records(
        table,
        json.items,
        lambda: records,
        notes,
        columns=columns or [*dict.fromkeys(name for record in records for name in record)],
    )


def of_many_records(
    table: Callable[[], object],
    json: Callable[[], Iterable[tuple[str, object]]],
    records: Callable[[], Iterable[Mapping[str, object]]],
    notes: Sequence[str] = (),
    *,
    columns: Sequence[str],
    is_complete: bool = True,
) -> CommandResult:
    """Returns what a command found as records of which few are held at a time.

    Args:
        records: Makes them anew each time, by column.
        is_complete: Whether the work was not stopped.
    """

    def values() -> Iterator[list[Value]]:
        return ([_flat(record.get(name)) for name in columns] for record in records())

    def grid() -> Grid:
        held = [*values()]
        numbers = [
            any(isinstance(row[at], int | float) for row in held) for at in range(len(columns))
        ]
        return grid_of(
            (Column(title=name, is_number=one) for name, one in zip(columns, numbers, strict=True)),
            ([_cell(value) for value in row] for row in held),
            notes,
        )

    return CommandResult(
        table=table,
        json=json,
        grid=grid,
        rows=lambda: TableRows(columns=tuple(columns), rows=values()),
        is_complete=is_complete,
    )


def _flat(value: object) -> Value:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return _dumps(value)
    return " ".join(map(str, value)) if isinstance(value, Iterable) else str(value)


def _cell(value: Value) -> Cell:
    if isinstance(value, float):
        return Cell(text=f"{value:.4f}", value=value)
    text = "" if value is None else str(value)
    return Cell(text=text, value=value if isinstance(value, int) else None)


def give(found: CommandResult, output: Output) -> None:
    """Prints or writes what was found."""
    if output.form.is_binary:
        assert output.target is not None
        write_binary(_rows(found), output.form, output.target)
    elif output.target is not None:
        write_whole_file(output.target, _pieces(found, output))
    elif output.form is TableForm.TABLE:
        found.table()
    else:
        print_pieces(_pieces(found, output))


def _pieces(found: CommandResult, output: Output) -> Iterable[str]:
    match output.form:
        case TableForm.TABLE:
            return _printed(found.table)
        case TableForm.JSON:
            return json_pieces(found.json(), is_complete=found.is_complete)
        case TableForm.LATEX | TableForm.MARKDOWN | TableForm.HTML:
            return [grid_text(found.grid(), output.form)]
        case _:
            return text_lines(_rows(found), output.form, for_spreadsheet=output.for_spreadsheet)


def _rows(found: CommandResult) -> TableRows:
    return rows_of_grid(found.grid()) if found.rows is None else found.rows()


def _printed(table: Callable[[], object]) -> Iterator[str]:
    """Yields what a function prints."""
    text = StringIO()
    with redirect_stdout(text):
        table()
    yield text.getvalue()


def print_pieces(pieces: Iterable[str]) -> None:
    """Prints text piece by piece, so that none of it needs to be held."""
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


def _print_text(text: str) -> None:
    # Where there is no colour in it, click need not look for it by a regular expression.
    click.echo(text, nl=False, color=None if _ESCAPE in text else True)
    note_printed()


VERSION: Final = 1
"""Of what commands print as JSON: another number when something is called or means otherwise."""

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).encode


class Written(str):
    """Records of a list as they stand in it, indented, with `,` and a line end between them."""

    __slots__ = ()


class InPieces(dict[str, object]):
    """A record of which some members are iterators, written as those of the whole are."""


def json_pieces(
    members: Iterable[tuple[str, object]], *, is_complete: bool = True
) -> Iterator[str]:
    """Yields what a command prints as JSON: an object with these members, and a line end.

    Work that is stopped while records are made leaves a whole object, which says that it is not
    complete; it is raised that it was stopped when the object is written.

    Args:
        members: Key and value; an iterator as a value becomes a list, record by record.
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
    except TypeError:  # a lone surrogate, or a whole number that takes more than 64 bits
        text = _indented(record)
    return " " * n_blanks + _below(text, n_blanks)


def exact_record(record: object) -> Written:
    """Returns a record of a list in an object, its fractions spelled as everywhere else."""
    return Written("    " + _below(_indented(record), 4))


def compact_text(value: object) -> str:
    """Returns a value of a record on one line, spelled as there."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return _dumps(value)


def _below(text: str, n_blanks: int) -> str:
    return text.replace("\n", "\n" + " " * n_blanks)

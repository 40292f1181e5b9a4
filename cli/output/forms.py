"""What a command found, printed or written in the form that was asked for."""

import json as json_module
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

import click

from awase.cli.output.json_pieces import json_pieces
from awase.cli.output.streams import note_printed, say
from awase.core.errors import Cancelled
from awase.core.reports.grid import Cell, Column, Grid, grid_of
from awase.jobs.files.tables import (
    ENDINGS,
    Rows,
    TableForm,
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
        path: What was typed.
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
        for_spreadsheet: Whether CSV is made for Excel.
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
        InputError: Nothing may be written to the file.
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
class Found:
    """What a command found, made in the form that is asked for and in no other.

    Attributes:
        table: Prints it for people.
        json: Returns the members of the JSON object that programs read, as `json_pieces` has them.
        grid: Returns it for LaTeX, Markdown and HTML.
        rows: Returns it for CSV, TSV, JSON lines, Parquet and Excel; None = as the grid has it.
        is_complete: Whether the work was not stopped.
    """

    table: Callable[[], object]
    json: Callable[[], Iterable[tuple[str, object]]]
    grid: Callable[[], Grid]
    rows: Callable[[], Rows] | None = None
    is_complete: bool = True


def of_facts(facts: Mapping[str, object]) -> Found:
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
) -> Found:
    """Returns what a command found as records: a row each, whatever the form.

    Args:
        table: Prints it for people.
        json: What programs read as JSON.
        records: By column, all with the same; lists are set apart by blanks.
        notes: Lines below the table.
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
) -> Found:
    """Returns what a command found as records of which few are held at a time.

    Args:
        table: Prints it for people.
        json: Returns the members of the JSON object that programs read.
        records: Makes them anew each time, by column.
        notes: Lines below the table.
        columns: Their names.
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

    return Found(
        table=table,
        json=json,
        grid=grid,
        rows=lambda: Rows(columns=tuple(columns), rows=values()),
        is_complete=is_complete,
    )


def _flat(value: object) -> Value:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return json_module.dumps(value, ensure_ascii=False)
    return " ".join(map(str, value)) if isinstance(value, Iterable) else str(value)


def _cell(value: Value) -> Cell:
    if isinstance(value, float):
        return Cell(text=f"{value:.4f}", value=value)
    text = "" if value is None else str(value)
    return Cell(text=text, value=value if isinstance(value, int) else None)


def give(found: Found, output: Output) -> None:
    """Prints or writes what was found.

    Raises:
        InputError: The form cannot hold it.
        EnvironmentProblem: The file cannot be written, or a package is missing.
    """
    if output.form.is_binary:
        assert output.target is not None
        write_binary(_rows(found), output.form, output.target)
    elif output.target is not None:
        write_whole_file(output.target, _pieces(found, output))
    elif output.form is TableForm.TABLE:
        found.table()
    else:
        print_pieces(_pieces(found, output))


def _pieces(found: Found, output: Output) -> Iterable[str]:
    match output.form:
        case TableForm.TABLE:
            return _printed(found.table)
        case TableForm.JSON:
            return json_pieces(found.json(), is_complete=found.is_complete)
        case TableForm.LATEX | TableForm.MARKDOWN | TableForm.HTML:
            return [grid_text(found.grid(), output.form)]
        case _:
            return text_lines(_rows(found), output.form, for_spreadsheet=output.for_spreadsheet)


def _rows(found: Found) -> Rows:
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

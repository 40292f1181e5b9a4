"""Reports of commands, and their rendering in the requested form."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from awase.core.reports.grid import (
    Field,
    Fields,
    Grid,
    R,
    Shown,
    TableRows,
    grid_of_records,
    records_of,
    rows_of_grid,
    rows_of_records,
)

if TYPE_CHECKING:
    from awase.jobs.files.writing import TableForm, Target

# Parameters that name what is written; whatever else names a file is read.
TARGETS: Final = ("output_file", "target", "page", "be_folder")


def output_target(path: Path, *, force: bool = False) -> "Target":
    """Returns the target of the running command's output; `force` allows replacing a file."""
    from awase.jobs.files.writing import Target

    context = click.get_current_context()
    read = (
        one
        for name, value in context.params.items()
        if name not in TARGETS
        for one in _places(value)
    )
    return Target(path=path, replaces=force, inputs=tuple(dict.fromkeys(read)))


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

    Raises:
        UsageError: A binary form to a terminal, Excel options for other forms than CSV, or an
            ending without a form.
    """

    # The requested form; None = by the file's ending.
    chosen: "TableForm | None" = None
    target: "Target | None" = None  # where it is written; None = to standard output
    for_spreadsheet: bool = False
    force: bool = False  # whether what is there may be replaced

    def __post_init__(self) -> None:
        if self.form.is_binary and self.target is None:
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
    """Returns the report of records, a row each, in any form.

    Args:
        rows: Iterated once.
        key: Of their list in JSON, unless `json` is given.
        empty: Text instead of a table without rows.
        shown: Text for people; None = the table alone.
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
    from awase.cli.output.render import print_pieces, print_shown
    from awase.jobs.files.writing import TableForm, write_binary, write_whole_file

    if output.form.is_binary:
        assert output.target is not None
        write_binary(_rows(report), output.form, output.target)
    elif output.target is not None:
        write_whole_file(output.target, _pieces(report, output))
    elif output.form is TableForm.TABLE:
        print_shown(report.shown())
    else:
        print_pieces(_pieces(report, output))


def _pieces(report: Report, output: Output) -> Iterable[str]:
    from awase.cli.output.render import json_pieces, shown_pieces
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
    from awase.cli.output.render import grid_of_rows

    return grid_of_rows(_rows(report), report.notes) if report.grid is None else report.grid()

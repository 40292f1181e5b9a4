"""The one writer of tables, streaming row by row.

Formats for people (LaTeX, Markdown, HTML) render a `Grid`, those for programs (JSON lines, CSV,
TSV, Parquet, Excel) `TableRows`, unrounded.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from awase.core.errors import InputError
from awase.core.extras import check_installed
from awase.core.reports.grid import Grid, TableRows, Value, csv_pieces
from awase.jobs.files.writing import Target, whole_file

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_EXCEL_ROWS: Final = 1_048_576
_AT_ONCE: Final = 20_000


class TableForm(StrEnum):
    """Output formats of tables."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    LATEX = "latex"
    MARKDOWN = "markdown"
    HTML = "html"
    PARQUET = "parquet"
    XLSX = "xlsx"

    @property
    def is_binary(self) -> bool:
        """Whether the format cannot go to a terminal."""
        return self in (TableForm.PARQUET, TableForm.XLSX)


# Table formats by the ending of a file's name.
ENDINGS: Final[Mapping[str, TableForm]] = MappingProxyType(
    {
        ".json": TableForm.JSON, ".jsonl": TableForm.JSONL, ".csv": TableForm.CSV,
        ".tsv": TableForm.TSV, ".tex": TableForm.LATEX, ".md": TableForm.MARKDOWN,
        ".html": TableForm.HTML, ".htm": TableForm.HTML, ".parquet": TableForm.PARQUET,
        ".xlsx": TableForm.XLSX, ".txt": TableForm.TABLE,
    }
)  # fmt: skip


def text_lines(
    table: TableRows, form: TableForm, *, for_spreadsheet: bool = False
) -> Iterator[str]:
    """Yields pieces of text that together are the table as CSV, TSV or JSON lines.

    Args:
        form: `CSV`, `TSV` or `JSONL`.
        for_spreadsheet: Whether a byte order mark comes first and no text runs as a formula.
    """
    if form is not TableForm.JSONL:
        delimiter = "\t" if form is TableForm.TSV else ","
        yield from csv_pieces(table, delimiter=delimiter, for_spreadsheet=for_spreadsheet)
        return
    for row in table.rows:
        record = dict(zip(table.columns, row, strict=True))
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def grid_text(grid: Grid, form: TableForm) -> str:
    """Returns the table for people, as LaTeX, Markdown or HTML."""
    from awase.core.reports.table_export import as_html, as_latex, as_markdown

    makers = {
        TableForm.LATEX: as_latex, TableForm.MARKDOWN: as_markdown, TableForm.HTML: as_html,
    }  # fmt: skip
    return makers[form](grid)


def write_binary(table: TableRows, form: TableForm, target: Target) -> None:
    """Writes a Parquet or Excel file that appears when it is whole."""
    from awase.jobs.files.packed import PACKAGES

    package, extra = PACKAGES[f".{form.value}"]
    check_installed(package, extra=extra, needed_for=form.value)
    with whole_file(target) as partial:
        if form is TableForm.PARQUET:
            _write_parquet(table, partial)
        else:
            _write_excel(table, partial)


def _write_parquet(table: TableRows, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = iter(table.rows)
    first = [*islice(rows, _AT_ONCE)]
    schema = pa.schema(
        [
            (name, _arrow_type(table.kinds.get(name), [row[at] for row in first]))
            for at, name in enumerate(table.columns)
        ]
    )
    with pq.ParquetWriter(path, schema) as writer:
        some = first
        while True:
            writer.write_table(_arrow_table(some, schema))
            some = [*islice(rows, _AT_ONCE)]
            if not some:
                return


def _arrow_table(rows: Sequence[Sequence[Value]], schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    columns = [[row[at] for row in rows] for at in range(len(schema))]
    arrays = [
        pa.array(
            [None if value is None else str(value) for value in values]
            if pa.types.is_string(one.type)
            else values,
            one.type,
        )
        for values, one in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _arrow_type(kind: type | None, values: Sequence[Value]) -> "pa.DataType":
    import pyarrow as pa

    types = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    if kind is not None:
        return types[kind]
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return pa.float64()
    return types[kinds.pop()] if len(kinds) == 1 else pa.string()


def _write_excel(table: TableRows, path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("awase")
    sheet.append([*table.columns])
    for n_rows, row in enumerate(table.rows, start=2):
        if n_rows > _MOST_EXCEL_ROWS:
            raise InputError.of(
                "A sheet of Excel holds {most} rows, and there are more.",
                "Choose parquet or csv.",
                most=_MOST_EXCEL_ROWS,
            )
        sheet.append([_excel_cell(sheet, one) for one in row])
    with path.open("wb") as file:
        book.save(file)


def _excel_cell(sheet: object, value: Value) -> object:
    """Returns a cell that openpyxl writes as is: it makes formulas of `=…`, and rounds numbers."""
    from openpyxl.cell import WriteOnlyCell

    is_text = isinstance(value, str) and value.startswith("=")
    is_long = isinstance(value, float) and float(f"{value:.16g}") != value
    if not (is_text or is_long):
        return value
    cell = WriteOnlyCell(sheet, value if is_text else repr(value))
    cell.data_type = "s" if is_text else "n"
    return cell

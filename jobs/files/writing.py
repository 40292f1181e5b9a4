"""The one writer of outputs: files and folders, atomically, and tables, streaming row by row.

Inputs, corpora and their files are never overwritten. Formats of tables for people (LaTeX,
Markdown, HTML) render a `Grid`, those for programs (JSON lines, CSV, TSV, Parquet, Excel)
`TableRows`, unrounded.
"""

import json
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from awase.core.errors import EnvironmentProblem, InputError, Listing, Missing
from awase.core.packages import check_installed
from awase.core.reports.grid import Grid, TableRows, Value, csv_pieces
from awase.storage.files.corpus_file import (
    APPLICATION_ID,
    BESIDE_SUFFIXES,
    CORPUS_ENDING,
    is_beside_corpus,
    read_header,
)

if TYPE_CHECKING:
    import pyarrow as pa


_DESCRIPTORS: Final = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")
_SQLITE: Final = b"SQLite format 3\x00"
_SIDE_FILES: Final = (
    b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83",  # of a write-ahead log, either byte order
    b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",  # of a rollback journal
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a result is written."""

    path: Path  # the file or folder; a link leads to what is written, a device or pipe stays
    replaces: bool = False  # whether a file that is there may be replaced
    # Inputs of the same work; neither they, nor files in these folders, nor corpora are ever
    # replaced.
    inputs: tuple[Path, ...] = ()
    endings: tuple[str, ...] = ()  # of names of what is written; none = any

    def check(self) -> None:
        """Raises unless a file may be written here."""
        path = self.path
        self._check_name()
        if os.path.isdir(path):
            raise InputError.of("“{file}” is a folder.", "Name a file in it.", file=str(path))
        if is_stream_or_device(path):
            return
        self._check_spares_others()
        if self.endings and path.suffix.lower() not in self.endings:
            raise InputError.of(
                "The extension of “{file}” does not show what format to write.",
                "Use the extension {endings}.",
                file=str(path),
                endings=Listing(self.endings),
            )
        if os.path.exists(path) and not self.replaces:
            raise InputError.of(
                "“{file}” already exists.",
                "Choose another name.",
                file=str(path),
                missing=Missing.LEAVE_TO_REPLACE,
            )

    def check_folder(self) -> None:
        """Raises unless a folder may be created here."""
        self._check_name()
        self._check_spares_others()
        if os.path.exists(os.path.realpath(self.path)) and not is_empty_folder(self.path):
            raise InputError.of(
                "“{folder}” exists and is not an empty folder.",
                "Choose another name: files of two exports must not mix.",
                folder=str(self.path),
            )

    def _check_name(self) -> None:
        if "\0" in str(self.path):
            raise InputError.of("A file name cannot contain NUL.", "Choose another name.")

    def _check_spares_others(self) -> None:
        path = self.path
        if belongs_to_corpus(path) or belongs_to_corpus(Path(os.path.realpath(path))):
            raise InputError.of(
                "“{file}” is a corpus or belongs to one, so nothing else is written there.",
                "Choose another name, one that does not end in .awase.",
                file=str(path),
            )
        if any(_is_same_or_within(path, one) for one in self.inputs):
            raise InputError.of(
                "“{file}” is read by the same command, so it is not overwritten.",
                "Choose another name.",
                file=str(path),
            )


def belongs_to_corpus(path: Path) -> bool:
    """Returns whether a file is a corpus, or SQLite's or Awase's file beside one."""
    is_named_so = path.name.lower().endswith(CORPUS_ENDING) and not os.path.isdir(path)
    if is_named_so or is_beside_corpus(path):
        return True
    header = b""
    with suppress(OSError, ValueError):  # not there, or not ours to read
        if stat.S_ISREG(os.stat(path).st_mode):
            header = read_header(path)
    is_corpus = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return (header.startswith(_SQLITE) and is_corpus) or header.startswith(_SIDE_FILES)


def check_corpus_name(path: Path) -> None:
    """Raises unless a new file of a corpus may be called so."""
    if path.suffix.lower() != CORPUS_ENDING and not is_beside_corpus(path):  # said by storage
        raise EnvironmentProblem(
            "“{path}” does not end in .awase, as corpus files do.",
            "Choose another name.",
            path=str(path),
        )


def _is_same_or_within(path: Path, read: Path) -> bool:
    with suppress(OSError, ValueError):
        if os.path.isdir(read):
            is_there = os.path.exists(path)
            return is_there and Path(os.path.realpath(read)) in Path(os.path.realpath(path)).parents
        return any(
            os.path.samefile(path, one)
            for one in (str(read), *(f"{read}{ending}" for ending in BESIDE_SUFFIXES))
            if os.path.exists(one) and os.path.exists(path)
        )
    return False


def is_stream_or_device(path: Path) -> bool:
    """Returns whether something is there that is written straight: a pipe, a device, a terminal."""
    if str(path).startswith(_DESCRIPTORS):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def write_whole_file(target: Target, text: str | Iterable[str]) -> None:
    """Writes `text`, whole or in chunks, as UTF-8; on any error the file stays as it was."""
    with whole_file(target) as place:
        try:
            file = place.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise not_writable(target.path, error) from error
        try:
            for piece in (text,) if isinstance(text, str) else text:
                _write(file.write, piece, target)
        finally:
            _write(lambda _: file.close(), "", target)


def _write(do: Callable[[str], object], piece: str, target: Target) -> None:
    """Distinguishes errors of writing from those of producing chunks, which may read files."""
    try:
        do(piece)
    except BrokenPipeError:  # the reader of a pipe has closed it
        raise
    except OSError as error:
        raise not_writable(target.path, error) from error


@contextmanager
def whole_file(target: Target) -> Iterator[Path]:
    """Yields a temporary path, renamed to `target` on success."""
    target.check()
    if is_stream_or_device(target.path):
        yield target.path
        return
    path = Path(os.path.realpath(target.path))
    partial = _partial_of(path)
    try:
        try:
            partial.touch(exist_ok=False)
            yield partial
            with partial.open("r+b") as file:
                os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                partial.chmod(stat.S_IMODE(path.stat().st_mode))
            target.check()  # a file may have been created meanwhile
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if error.filename is not None and str(error.filename) not in (str(partial), str(path)):
            raise  # what was to be written comes from there
        raise not_writable(target.path, error) from error


def write_folder(target: Target, pieces: Iterable[tuple[str, str]]) -> int:
    """Writes files (relative path with `/`, text) to a new folder; returns their number."""
    target.check_folder()
    path = Path(os.path.realpath(target.path))
    partial = _partial_of(path)
    try:
        partial.mkdir()
        begun: set[str] = set()
        for name, text in pieces:
            file = partial / name
            # On some disks names that differ in case are one file; "x" refuses the second.
            mode = "a" if name in begun else "x"
            if mode == "x":
                file.parent.mkdir(parents=True, exist_ok=True)
                begun.add(name)
            with file.open(mode, encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        if os.path.exists(path):
            path.rmdir()
        partial.rename(path)
        return len(begun)
    except OSError as error:
        raise not_writable(target.path, error) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(partial)


def is_empty_folder(path: Path) -> bool:
    """Returns whether `path` is a readable empty folder."""
    try:
        return os.path.isdir(path) and next(path.iterdir(), None) is None
    except OSError:
        return False


def _partial_of(path: Path) -> Path:
    # Of its own name: the whole one may be as long as names can be.
    return path.with_name(f".awase-{os.getpid()}-{secrets.token_hex(4)}.part")


def not_writable(path: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error why a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be written ({error}).",
        "Choose another location, or free disk space.",
        path=str(path),
        error=error.strerror or str(error),
    )


def write_for_me_alone(path: Path, text: str) -> None:
    """Creates a file readable by this user only; `OSError` if it exists."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def store_own(path: Path, values: object) -> None:
    """Replaces a file of the program's own, for its user alone; raises `EnvironmentProblem`."""
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        write_for_me_alone(partial, json.dumps(values, indent=1, ensure_ascii=False))
        partial.replace(path)
    except OSError as error:
        what, reason = "“{path}” or its folder cannot be written ({error}).", error.strerror
        raise EnvironmentProblem(what, path=str(path), error=reason or str(error)) from error


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


BINARY_FORMS: Final = (TableForm.PARQUET, TableForm.XLSX)  # which cannot go to a terminal
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

    For a spreadsheet a byte order mark comes first, and no text runs as a formula.
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
    from awase.jobs.files.reading import PACKAGES

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
                "An Excel sheet holds at most {most} rows; there are more.",
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

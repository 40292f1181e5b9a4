"""Files and folders from a disk or a pipe, none of which can hang the program or fill memory.

A workbook, an ODS or a Parquet file becomes CSV, or JSON lines where a cell has a list; a pickle of
plain data becomes JSON lines. So every table reader reads them, and messages count the sheet's
rows. A budget of bytes and cells, checked before any package opens the file, bounds decompression
bombs.
"""

import csv
import errno
import gzip
import json
import math
import os
import re
import select
import stat
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader, BytesIO, StringIO
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, Final, Literal, Self
from xml.parsers import expat

from awase.core.errors import CorpusFormatError, EnvironmentProblem
from awase.core.formats.reading.arrow import (
    ArrowRecord,
    ArrowRows,
    decoded_size_problem,
    unreadable_table,
)
from awase.core.packages import check_installed

if TYPE_CHECKING:
    import pandas as pd


# Limit of whole reads; a larger corpus would not fit the memory of most machines.
LARGEST_BYTES: Final = 512 * 1024 * 1024

# Timeout of a pipe's first byte, during which its writer may start.
FIRST_BYTE_S: Final = 30.0

STANDARD_INPUT: Final = "-"

_PIECE_BYTES: Final = 1024 * 1024


def read_file(path: Path) -> bytes:
    """Reads a file of limited size."""
    check_readable(path)
    with path.open("rb", buffering=0) as file:
        n_bytes = max(os.fstat(file.fileno()).st_size, _PIECE_BYTES)
        return _within_limit(path, iter(lambda: file.read(n_bytes), b""))


def check_readable(path: Path, *, is_streamed: bool = False) -> None:
    """Raises unless the file can be read to an end, within the limit if it is not streamed."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise EnvironmentProblem(
            "“{path}” is not a file but a pipe, a socket or a device, so it was not read.",
            "Save its output as a file, and name that.",
            path=str(path),
        )
    if status.st_size > LARGEST_BYTES and not is_streamed:
        raise _too_large(path)


def read_argument(path: Path) -> bytes:
    """Reads a file named by the user, which may be a pipe; standard input without a timeout."""
    if str(path) == STANDARD_INPUT:
        pieces = iter(lambda: sys.stdin.buffer.read(_PIECE_BYTES), b"")
        return _within_limit(Path("standard input"), pieces)
    if not is_stream(path):
        return read_file(path)
    with open_argument(path) as stream:
        return _within_limit(path, iter(lambda: stream.read1(_PIECE_BYTES), b""))


def open_argument(path: Path) -> BufferedReader:
    """Opens a file named by the user, which may be a pipe, for streaming."""
    if not is_stream(path):
        check_readable(path, is_streamed=True)
        return path.open("rb")
    # Without waiting for a writer: opening a pipe would block until there is one.
    stream = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    if not select.select([stream], [], [], FIRST_BYTE_S)[0]:
        stream.close()
        raise EnvironmentProblem(
            "Nothing came from “{path}” within {seconds} seconds.",
            "Check the program that writes into it.",
            path=str(path),
            seconds=round(FIRST_BYTE_S, 1),
        )
    os.set_blocking(stream.fileno(), True)
    return stream


def is_stream(path: Path) -> bool:
    """Returns whether `path` is a pipe or a terminal, which can be read once and only forward."""
    if str(path) == STANDARD_INPUT:
        return True
    if os.name != "posix":
        return False
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or (stat.S_ISCHR(mode) and _is_terminal(path))


def is_plain(path: Path) -> bool:
    """Returns whether `path` is a regular file or missing."""
    return os.path.isfile(path) or not os.path.exists(path)


def _is_terminal(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)


def _within_limit(path: Path, pieces: Iterator[bytes]) -> bytes:
    kept: list[bytes] = []
    n_bytes = 0
    for piece in pieces:
        kept.append(piece)
        n_bytes += len(piece)
        if n_bytes > LARGEST_BYTES:
            raise _too_large(path)
    return b"".join(kept)


def _too_large(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” has more than {largest} bytes, the most that can be read at once.",
        "Divide it into several files, topic by topic for example.",
        path=str(path),
        largest=LARGEST_BYTES,
    )


def _visible(place: str, names: Sequence[str]) -> list[str]:
    from awase.storage.files.corpus_file import is_side_file

    return [name for name in names if not (name.startswith(".") or is_side_file(Path(place, name)))]


class DiskFolder:
    """The files below a folder (a `core.formats.folder.Folder`)."""

    def __init__(self, path: Path, also: Path | None = None) -> None:
        """`also` is a second folder to resolve relative names in."""
        self._path = path
        self._bases = (path,) if also is None else (path, also)
        self._root = _real(path)
        self._spelled: dict[str, str] = {}
        self._names: tuple[str, ...] | None = None

    def names(self) -> Sequence[str]:
        """Returns the relative path of every visible file, sorted, but of corpora's side files."""
        # NFC, whatever form a disk (of macOS) has, unless two names become equal.
        if self._names is None:
            found: list[str] = []
            for place, folders, files in os.walk(self._path, onerror=_refuse):
                folders[:] = _visible(place, folders)
                base = PurePosixPath(Path(place).relative_to(self._path).as_posix())
                found += [str(base / name) for name in _visible(place, files)]
            composed = [unicodedata.normalize("NFC", name) for name in found]
            if len({*composed}) == len(found):
                self._spelled = dict(zip(composed, found, strict=True))
            self._names = tuple(sorted(self._spelled or found))
        return self._names

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, None when it is not there."""
        path = self._found(name)
        try:
            return None if path is None else read_file(path)
        except OSError as error:
            raise unreadable(path or self._path, error) from error

    def leads_outside(self, name: str) -> bool:
        """Returns whether a file is there but not below the folder, links followed."""
        path = self._found(name)
        return path is not None and self._root not in _real(path).parents

    def _found(self, name: str) -> Path | None:
        for base in self._bases:
            path = base / (self._spelled.get(name, name) if base is self._path else name)
            try:
                if os.path.exists(path) and not os.path.isdir(path):
                    return path
            except (OSError, ValueError) as error:
                raise unreadable(path, error) from error
        return None


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _refuse(error: OSError) -> None:
    raise unreadable(Path(str(error.filename)), error) from error


def unreadable(
    path: Path | str, error: Exception, hint: str = "Check the file's permissions."
) -> EnvironmentProblem:
    """Returns the error that the system has of a file."""
    return EnvironmentProblem(
        "“{path}” cannot be read ({error}).",
        hint,
        path=str(path),
        error=getattr(error, "strerror", None) or str(error),
    )


# Ending of a file to the package that reads and writes it, and the extra that brings that.
PACKAGES: Final = {
    ".parquet": ("pyarrow", "parquet"),
    ".xlsx": ("openpyxl", "excel"),
    ".xlsm": ("openpyxl", "excel"),
    ".ods": ("odf", "excel"),
}

_GZIP: Final = b"\x1f\x8b"
_LEAST_BYTES: Final = 64 * 1024 * 1024
_MOST_RATIO: Final = 100
_BYTES_A_CELL: Final = 8
_MOST_ENTRIES: Final = 10_000
_MOST_DIGITS: Final = 19
_UNPACKED_BYTES: Final = 1 << 16
_COLUMN_AND_ROW: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

# Endings of pickles, of which only plain data are read, without loading.
PICKLES: Final = (".pkl", ".pickle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a decoded file."""

    name: str
    n_bytes: int  # how many bytes of text
    n_cells: int  # how many cells of a table, empty ones between others included

    @classmethod
    def of(cls, name: str, n_packed: int) -> Self:
        """Returns the budget by file size: 64 MB, or a hundred times the size."""
        n_bytes = min(LARGEST_BYTES, max(_LEAST_BYTES, _MOST_RATIO * n_packed))
        return cls(name=name, n_bytes=n_bytes, n_cells=n_bytes // _BYTES_A_CELL)

    def check(self, *, n_bytes: int = 0, n_cells: int = 0) -> None:
        """Raises unless within the limits."""
        if n_cells > self.n_cells:
            raise decoded_size_problem(self.name, n_cells, "cells", self.n_cells)
        if n_bytes > self.n_bytes:
            raise decoded_size_problem(self.name, n_bytes, "bytes", self.n_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A decoded file."""

    name: str
    data: bytes


def is_packed(name: str) -> bool:
    """Returns whether a file of this name is compressed or binary."""
    return name.lower().endswith((".gz", *PICKLES, *PACKAGES))


def unpacked(name: str, data: bytes, *, most: int | None = None) -> Unpacked:
    """Decodes a file's content; others are returned unchanged.

    `most` bytes are wanted from the beginning, in whole lines of tables; None = all.
    """
    budget = Budget.of(name, len(data))
    if data[:2] == _GZIP:
        shorter = name[:-3] if name.lower().endswith(".gz") else name
        # Doubly packed files are needed whole: their index is at the end.
        some = None if is_packed(shorter) else most
        return unpacked(shorter, _decompressed(name, data, budget, some), most=most)
    if name.lower().endswith(PICKLES):
        from awase.core.formats.reading.pickles import plain_value

        return Unpacked(name=f"{name}.jsonl", data=_lines_of(plain_value(data, name)))
    ending = next((one for one in PACKAGES if name.lower().endswith(one)), "")
    if not ending:
        return Unpacked(name=name, data=data)
    if ending == ".parquet":
        return _of_arrow(name, BytesIO(data), budget, most)
    package, extra = PACKAGES[ending]
    check_installed(package, extra=extra, needed_for=ending)
    check_package(data, ending, budget)
    frame = _sheet(name, data, ending)
    return Unpacked(name=f"{name}.csv", data=frame.to_csv(index=False).encode("utf-8"))


def unpacked_file(path: Path, *, most: int | None = None) -> Unpacked:
    """Decodes a file; Parquet is read in batches of rows."""
    if not path.name.lower().endswith(".parquet"):
        return unpacked(path.name, read_file(path), most=most)
    check_readable(path)
    with path.open("rb") as file:
        return _of_arrow(path.name, file, Budget.of(path.name, path.stat().st_size), most)


def _of_arrow(name: str, file: BinaryIO, budget: Budget, most: int | None) -> Unpacked:
    table = ArrowRows(file, name, needed_for=".parquet")
    if most is None:
        budget.check(n_cells=(table.n_rows or 0) * len(table.columns))
    written = _as_json if table.holds_lists else _as_csv
    text = bytearray()
    if not table.holds_lists:
        text += _as_csv([{name: name for name in table.columns}])
    for rows in table.portions():
        text += written(rows)
        if most is not None and len(text) >= most:
            break
        budget.check(n_bytes=len(text))
    return Unpacked(name=f"{name}.{'jsonl' if table.holds_lists else 'csv'}", data=bytes(text))


def _as_json(rows: Iterable[ArrowRecord]) -> bytes:
    return b"".join(f"{json.dumps(_plain(row), ensure_ascii=False)}\n".encode() for row in rows)


def _as_csv(rows: Iterable[ArrowRecord]) -> bytes:
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    value = _plain(value)
    return "" if value is None else value


def _plain(value: object) -> object:
    """Converts a value for JSON: NaN is null, dates and the like are texts."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _lines_of(value: object) -> bytes:
    """Returns JSON lines: one for each record of a list or of a dict of dicts, else one."""
    if isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
        records: list[object] = [{"key": key, **record} for key, record in value.items()]
    else:
        records = value if isinstance(value, list) else [value]
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)
    return text.encode("utf-8", "surrogatepass")


def _decompressed(name: str, data: bytes, budget: Budget, most: int | None) -> bytes:
    try:
        with gzip.open(BytesIO(data)) as file:
            content = file.read(budget.n_bytes + 1 if most is None else most)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusFormatError.of(
            "The file is damaged: {reason}.", "Download it again.", source=name, reason=str(error)
        ) from error
    budget.check(n_bytes=len(content))
    return content


def check_package(data: bytes, ending: str, budget: Budget) -> None:
    """Refuses a workbook or an ODS file with sheets over the budget."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            entries = package.infolist()
            # Entries are read up to the size in the directory.
            budget.check(n_bytes=sum(one.file_size for one in entries))
            budget.check(n_cells=max(0, len(entries) - _MOST_ENTRIES) * budget.n_cells)
            for entry in entries:
                is_ods = ending == ".ods" and entry.filename == "content.xml"
                if is_ods or re.fullmatch(r"xl/worksheets/[^/]+\.xml", entry.filename):
                    with package.open(entry) as file:
                        (_OdsSheets(budget) if is_ods else _ExcelSheet(budget)).read(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
            expat.ExpatError, ValueError) as error:  # fmt: skip
        raise unreadable_table(budget.name, error) from error


class _ExcelSheet:
    """Finds the last row and column of a workbook's sheet."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._row, self._column = 0, 0
        self._last_row, self._last_column = 0, 0

    def read(self, file: IO[bytes]) -> None:
        """Reads a sheet piece by piece."""
        _parse(file, self._begin, lambda _name: None)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind == "row":
            self._row = _count(attributes.get("r", "")) or self._row + 1
            self._column = 0
        elif kind == "c":
            place = _COLUMN_AND_ROW.fullmatch(attributes.get("r", "").upper())
            self._column = self._column + 1 if place is None else _column_number(place[1])
            self._row = self._row if place is None else int(place[2])
        else:
            return
        self._last_row = max(self._last_row, self._row)
        self._last_column = max(self._last_column, self._column)
        self._budget.check(n_cells=self._last_row * self._last_column)


class _OdsSheets:
    """Counts the cells of ODS tables, and repeated characters."""

    # Empty ends of rows and tables are not counted: tables end with a million rows stored as one.

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows, self._empty_rows, self._width, self._n_bytes = 0, 0, 0, 0
        self._columns, self._empty_columns, self._row_repeats = 0, 0, 1
        self._repeats, self._n_letters = 1, 0

    def read(self, file: IO[bytes]) -> None:
        """Reads a document piece by piece."""
        _parse(file, self._begin, self._end, self._take_text)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind == "table":
            self._rows, self._empty_rows, self._width = 0, 0, 0
        elif kind == "table-row":
            self._row_repeats = _count(attributes.get("table:number-rows-repeated", "1"))
            self._columns, self._empty_columns = 0, 0
        elif kind in ("table-cell", "covered-table-cell"):
            self._repeats = _count(attributes.get("table:number-columns-repeated", "1"))
            values = (v for k, v in attributes.items() if k.startswith("office:"))
            self._n_letters = sum(map(len, values))
        elif kind == "s":
            self._n_letters += _count(attributes.get("text:c", "1"))
            self._budget.check(n_bytes=self._n_letters)

    def _take_text(self, text: str) -> None:
        self._n_letters += len(text.strip())

    def _end(self, name: str) -> None:
        kind = name.rpartition(":")[2]
        if kind in ("table-cell", "covered-table-cell"):
            if not self._n_letters:
                self._empty_columns += self._repeats
                return
            self._columns += self._empty_columns + self._repeats
            self._empty_columns = 0
            self._n_bytes += self._n_letters * self._repeats * self._row_repeats
            self._n_letters = 0
            self._budget.check(n_bytes=self._n_bytes, n_cells=0)
            self._budget.check(n_cells=self._columns)
        elif kind == "table-row":
            if not self._columns:
                self._empty_rows += self._row_repeats
                return
            self._rows += self._empty_rows + self._row_repeats
            self._empty_rows = 0
            self._width = max(self._width, self._columns)
            self._budget.check(n_cells=self._rows * self._width)


def _parse(
    file: IO[bytes],
    begin: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    take_text: Callable[[str], None] | None = None,
) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    if take_text is not None:
        parser.CharacterDataHandler = take_text
    parser.StartDoctypeDeclHandler = _refuse_doctype  # neither format has one
    while piece := file.read(_UNPACKED_BYTES):
        parser.Parse(piece, False)
    parser.Parse(b"", True)


def _refuse_doctype(*_of_it: object) -> None:
    raise ValueError("a document type")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        return 0
    return int(text[:_MOST_DIGITS])  # a longer one is as much too large


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _sheet(name: str, data: bytes, ending: str) -> "pd.DataFrame":
    import pandas as pd

    engine: Literal["odf", "openpyxl"] = "odf" if ending == ".ods" else "openpyxl"
    try:
        return pd.read_excel(BytesIO(data), dtype=str, keep_default_na=False, engine=engine)
    except Exception as error:  # whatever a file from a stranger makes these packages raise
        raise unreadable_table(name, error) from error

"""Files that are read as the text that they stand for: compressed ones, and tables of binary form.

A workbook, an ODS or a Parquet file becomes CSV, or JSON lines where a cell holds a list; a pickle
of plain data becomes JSON lines. So every reader of tables reads them, and messages count rows as
the sheet does.
"""

import csv
import gzip
import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from awase.core.errors import CorpusFormatError
from awase.core.extras import check_installed
from awase.core.formats.reading.pickles import plain_value
from awase.core.formats.tables.arrow import ArrowRecord, ArrowRows
from awase.jobs.files.reading import LARGEST_BYTES, check_readable, read_file, too_large

if TYPE_CHECKING:
    import pandas as pd

PACKAGES: Final = {
    ".parquet": ("pyarrow", "parquet"),
    ".xlsx": ("openpyxl", "excel"),
    ".xlsm": ("openpyxl", "excel"),
    ".ods": ("odf", "excel"),
}
"""Ending of a file to the package that reads and writes it, and the extra that brings that."""

_GZIP: Final = b"\x1f\x8b"

PICKLES: Final = (".pkl", ".pickle")
"""Endings of pickles, of which only plain data are read, without loading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """What a file stands for.

    Attributes:
        name: That of the file, with the ending of what it stands for.
        data: Its bytes.
    """

    name: str
    data: bytes


def is_packed(name: str) -> bool:
    """Returns whether a file of this name stands for another."""
    return name.lower().endswith((".gz", *PICKLES, *PACKAGES))


def unpacked(name: str, data: bytes, *, most: int | None = None) -> Unpacked:
    """Returns what a file stands for; itself where it is none of these.

    Args:
        name: Of the file.
        data: Its bytes.
        most: How many bytes are wanted of what it stands for, from its beginning, in whole lines
            where it is a table; None = all.

    Raises:
        CorpusFormatError: It is damaged.
        EnvironmentProblem: It, or what it stands for, is larger than can be read, or a package is
            missing that reads it.
    """
    if data[:2] == _GZIP:
        shorter = name[:-3] if name.lower().endswith(".gz") else name
        # What is packed twice is needed whole: its end says where things are.
        some = None if is_packed(shorter) else most
        return unpacked(shorter, _decompressed(name, data, some), most=most)
    if name.lower().endswith(PICKLES):
        return Unpacked(name=f"{name}.jsonl", data=_lines_of(plain_value(data, name)))
    ending = next((one for one in PACKAGES if name.lower().endswith(one)), "")
    if not ending:
        return Unpacked(name=name, data=data)
    if ending == ".parquet":
        return _of_arrow(name, BytesIO(data), most)
    package, extra = PACKAGES[ending]
    check_installed(package, extra=extra, needed_for=ending)
    frame = _sheet(name, data, ending)
    return Unpacked(name=f"{name}.csv", data=frame.to_csv(index=False).encode("utf-8"))


def unpacked_file(path: Path, *, most: int | None = None) -> Unpacked:
    """Returns what a file on the disk stands for; a Parquet file is read some rows at a time.

    Args:
        path: Where it is.
        most: As for `unpacked`.

    Raises:
        OSError: It is not there, or cannot be read.
        CorpusFormatError: As for `unpacked`, and so is the other.
        EnvironmentProblem: See there.
    """
    if not path.name.lower().endswith(".parquet"):
        return unpacked(path.name, read_file(path), most=most)
    check_readable(path)
    with path.open("rb") as file:
        return _of_arrow(path.name, file, most)


def _of_arrow(name: str, file: BinaryIO, most: int | None) -> Unpacked:
    table = ArrowRows(file, name, needed_for=".parquet")
    written = _as_json if table.holds_lists else _as_csv
    text = bytearray()
    if not table.holds_lists:
        text += _as_csv([{name: name for name in table.columns}])
    for rows in table.portions():
        text += written(rows)
        if most is not None and len(text) >= most:
            break
        if len(text) > LARGEST_BYTES:
            raise too_large(Path(name))
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
    """Returns the value as JSON has it: no number is null, dates and the like as texts."""
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
    """Returns JSON lines: a record of a list, or of a dict of dicts, a line; else all in one."""
    if isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
        records: list[object] = [{"key": key, **record} for key, record in value.items()]
    else:
        records = value if isinstance(value, list) else [value]
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)
    return text.encode("utf-8", "surrogatepass")


def _decompressed(name: str, data: bytes, most: int | None) -> bytes:
    try:
        with gzip.open(BytesIO(data)) as file:
            content = file.read(LARGEST_BYTES + 1 if most is None else most)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusFormatError.of(
            "The file is damaged: {reason}.", "Fetch it again.", source=name, reason=str(error)
        ) from error
    if len(content) > LARGEST_BYTES:
        raise too_large(Path(name))
    return content


def _sheet(name: str, data: bytes, ending: str) -> "pd.DataFrame":
    import pandas as pd

    engine: Literal["odf", "openpyxl"] = "odf" if ending == ".ods" else "openpyxl"
    try:
        return pd.read_excel(BytesIO(data), dtype=str, keep_default_na=False, engine=engine)
    except Exception as error:  # whatever a file from a stranger makes these packages raise
        raise CorpusFormatError.of(
            "The table cannot be read: {reason}.",
            "Open it in the program that made it, and save it again.",
            source=name,
            reason=f"{type(error).__name__}: {error}",
        ) from error

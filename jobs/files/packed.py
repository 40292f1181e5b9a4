"""Files that are read as the text that they stand for: compressed ones, and tables of binary form.

A workbook, an ODS or a Parquet file becomes CSV, or JSON lines where a cell holds a list; a pickle
of plain data becomes JSON lines. So every reader of tables reads them, and messages count rows as
the sheet does.
"""

import gzip
import json
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from awase.core.errors import CorpusFormatError, EnvironmentProblem
from awase.core.extras import check_installed
from awase.core.formats.reading.pickles import plain_value
from awase.jobs.files.reading import LARGEST_BYTES

if TYPE_CHECKING:
    import pandas as pd

PACKAGES: Final = {
    ".parquet": ("pyarrow", "parquet"),
    ".xlsx": ("openpyxl", "excel"),
    ".xlsm": ("openpyxl", "excel"),
    ".ods": ("odf", "excel"),
}
"""Ending of a file to the package that reads and writes it, and the extra that brings that."""

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


def unpacked(name: str, data: bytes) -> Unpacked:
    """Returns what a file stands for; itself where it is none of these.

    Raises:
        CorpusFormatError: It is damaged.
        EnvironmentProblem: It is larger than can be read, or a package is missing that reads it.
    """
    if data[:2] == b"\x1f\x8b":
        shorter = name[:-3] if name.lower().endswith(".gz") else name
        return unpacked(shorter, _decompressed(name, data))
    if name.lower().endswith(PICKLES):
        return Unpacked(name=f"{name}.jsonl", data=_lines_of(plain_value(data, name)))
    ending = next((one for one in PACKAGES if name.lower().endswith(one)), "")
    if not ending:
        return Unpacked(name=name, data=data)
    package, extra = PACKAGES[ending]
    check_installed(package, extra=extra, needed_for=ending)
    frame = _frame(name, data, ending)
    if any(_is_nested(value) for column in frame.columns for value in frame[column].head(100)):
        text = frame.to_json(orient="records", lines=True, force_ascii=False)
        return Unpacked(name=f"{name}.jsonl", data=text.encode("utf-8"))
    return Unpacked(name=f"{name}.csv", data=frame.to_csv(index=False).encode("utf-8"))


def _lines_of(value: object) -> bytes:
    """Returns JSON lines: a record of a list, or of a dict of dicts, a line; else all in one."""
    if isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
        records: list[object] = [{"key": key, **record} for key, record in value.items()]
    else:
        records = value if isinstance(value, list) else [value]
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)
    return text.encode("utf-8", "surrogatepass")


def _decompressed(name: str, data: bytes) -> bytes:
    try:
        with gzip.open(BytesIO(data)) as file:
            content = file.read(LARGEST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusFormatError.of(
            "The file is damaged: {reason}.", "Fetch it again.", source=name, reason=str(error)
        ) from error
    if len(content) > LARGEST_BYTES:
        raise EnvironmentProblem(
            "“{path}” has more than {largest} bytes, which is the most that is read at once.",
            "Divide it into several files, topic by topic for example.",
            path=name,
            largest=LARGEST_BYTES,
        )
    return content


def _frame(name: str, data: bytes, ending: str) -> "pd.DataFrame":
    import pandas as pd

    try:
        if ending == ".parquet":
            return pd.read_parquet(BytesIO(data))
        if ending == ".ods":
            return pd.read_excel(BytesIO(data), dtype=str, keep_default_na=False, engine="odf")
        return pd.read_excel(BytesIO(data), dtype=str, keep_default_na=False, engine="openpyxl")
    except Exception as error:  # whatever a file from a stranger makes these packages raise
        raise CorpusFormatError.of(
            "The table cannot be read: {reason}.",
            "Open it in the program that made it, and save it again.",
            source=name,
            reason=f"{type(error).__name__}: {error}",
        ) from error


def _is_nested(value: object) -> bool:
    return not isinstance(value, str | int | float) and hasattr(value, "__len__")

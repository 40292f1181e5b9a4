"""Files that hang or never end are told; pipes that were named are read."""

import gzip
import io
import os
import pickle
import socket
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.in_part import in_part

from awase.core.errors import CorpusFormatError, EnvironmentProblem
from awase.jobs.files import reading
from awase.jobs.files.reading import (
    DiskFolder,
    is_plain,
    is_stream,
    read_argument,
    read_file,
    unpacked,
)
from awase.jobs.files.text_lines import TextFileLayout, TextsOfFile

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    return path


def test_that_a_file_is_read_up_to_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    monkeypatch.setattr(reading, "LARGEST_BYTES", 5)
    assert read_file(path) == read_argument(path) == b"12345"
    monkeypatch.setattr(reading, "LARGEST_BYTES", 4)
    with pytest.raises(EnvironmentProblem, match=r"more than 4 bytes"):
        read_file(path)
    with reading.open_argument(path) as streamed:
        assert streamed.read() == b"12345"
    path.write_bytes(b"a\n" * 50_000 + b"b\n\xff\n")
    with ExitStack() as opened, pytest.raises(CorpusFormatError) as caught:
        [*TextsOfFile(str(path), opened, TextFileLayout())]
    assert caught.value.problems[0].line == 50_002


def test_that_a_file_that_is_not_there_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        read_argument(tmp_path / "x")
    with pytest.raises(IsADirectoryError):
        read_argument(tmp_path)


def test_that_a_pipe_is_no_file(pipe):
    assert is_stream(pipe)
    assert not is_plain(pipe)
    with pytest.raises(EnvironmentProblem, match="is not a file but a pipe"):
        read_file(pipe)


def test_that_a_named_pipe_is_read_to_its_end_however_slowly_it_goes_on(pipe):
    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            for _ in range(3):
                file.write(b"x" * 70_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_argument(pipe) == b"x" * 210_000
    writer.join()


def test_that_a_pipe_into_which_nobody_writes_is_told(pipe, monkeypatch):
    monkeypatch.setattr(reading, "FIRST_BYTE_S", 0.1)
    with pytest.raises(EnvironmentProblem, match=r"Nothing came from .* within 0\.1 seconds"):
        read_argument(pipe)


def test_that_a_pipe_without_end_is_told(pipe, monkeypatch):
    def write() -> None:
        with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)

    writer = threading.Thread(target=write)
    writer.start()
    monkeypatch.setattr(reading, "LARGEST_BYTES", 1_000_000)
    with pytest.raises(EnvironmentProblem, match="more than 1000000 bytes"):
        read_argument(pipe)
    writer.join()


def test_that_a_pipe_or_socket_in_a_folder_is_told(tmp_path, pipe):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        for name in (pipe.name, "s"):
            with pytest.raises(EnvironmentProblem, match="is not a file but a pipe"):
                DiskFolder(tmp_path).read(name)


def test_that_a_huge_file_in_a_folder_is_told(tmp_path):
    with (tmp_path / "x").open("wb") as file:
        file.truncate(513 * 1024 * 1024)
    with pytest.raises(EnvironmentProblem, match="the most that can be read at once"):
        DiskFolder(tmp_path).read("x")


@pytest.mark.parametrize("name", ["pipe.txt", "/dev/zero"])
def test_that_texts_that_never_come_or_never_end_are_told(pipe, monkeypatch, name):
    """`awase rouge` waited for the one and read the other, both for ever."""
    monkeypatch.setattr(reading, "FIRST_BYTE_S", 0.1)
    with ExitStack() as opened, pytest.raises(EnvironmentProblem):
        TextsOfFile(str(pipe.parent / name), opened, TextFileLayout())


def _zipped(**entries: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in entries.items():
            package.writestr(name.replace("__", "/"), content)
    return made.getvalue()


def _workbook(cells: str) -> bytes:
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f"{cells}</sheetData></worksheet>"
    )
    return _zipped(**{"xl__worksheets__sheet1.xml": sheet.encode()})


def _ods(rows: str) -> bytes:
    names = "".join(
        f' xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"'
        for one in ("office", "table", "text")
    )
    content = (
        f"<office:document-content{names}><office:body><office:spreadsheet><table:table>{rows}"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    return _zipped(**{"content.xml": content.encode()})


def _cell(text: str, repeats: int = 1) -> str:
    return (
        f'<table:table-cell table:number-columns-repeated="{repeats}"><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


def _parquet(n_rows: int, text: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    column = pa.DictionaryArray.from_arrays(pa.array([0] * n_rows, pa.int32()), [text])
    made = io.BytesIO()
    pq.write_table(pa.table({"summary": column}), made, compression="zstd")
    return made.getvalue()


def _set_of_tuples(opcodes: bytes) -> bytes:
    return b"\x80\x04\x8f()" + opcodes + b"\x90."


_ROW = "<table:table-row>{}</table:table-row>"
_ROWS = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
LARGER_THAN_THEY_LOOK: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a cell at the end of a sheet": (
        "x.xlsx", lambda: _workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    ),
    "cells far apart": (
        "x.xlsx",
        lambda: _workbook('<row r="1"><c r="XFD1"/></row><row r="1048576"><c r="A1048576"/></row>'),
    ),
    "a large part": ("x.xlsx", lambda: _zipped(**{"xl__sharedStrings.xml": bytes(65 << 20)})),
    "a row said once": ("x.ods", lambda: _ods(_ROWS.format(10**9, _cell("a")))),
    "a column said once": ("x.ods", lambda: _ods(_ROW.format(_cell("a", 10**9)))),
    "empty rows before one": (
        "x.ods", lambda: _ods(_ROWS.format(10**9, "<table:table-cell/>") + _ROW.format(_cell("a"))),
    ),
    "blanks": ("x.ods", lambda: _ods(_ROW.format(_cell('a<text:s text:c="2000000000"/>')))),
    "a long text said often": ("x.ods", lambda: _ods(_ROWS.format(10**5, _cell("a" * 10**4)))),
    "rows of one text": ("x.parquet", lambda: _parquet(8_500_000, "a")),
    "rows of one long text": ("x.parquet", lambda: _parquet(100, "a" * 10**6)),
    "zeros": ("x.csv.gz", lambda: gzip.compress(bytes(65 << 20))),
    "tuples within tuples": ("x.pkl", lambda: _set_of_tuples(b"\x85" * 200_000)),
    "tuples of the same tuples": ("x.pkl", lambda: _set_of_tuples(b"2\x86" * 60)),
    "a number without end": ("x.pkl", lambda: pickle.dumps([1 << 1_000_000])),
}  # fmt: skip
LARGE_THEMSELVES = ("a large part", "rows of one text", "rows of one long text", "zeros")


@pytest.mark.parametrize(
    "case", in_part(LARGER_THAN_THEY_LOOK, by_default=lambda case: case not in LARGE_THEMSELVES)
)
def test_that_a_file_that_stands_for_too_much_is_refused_before_it_fills_the_memory(case):
    name, make = LARGER_THAN_THEY_LOOK[case]
    data = make()
    assert len(data) < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(CorpusFormatError, match=r"expands to too much|more than lists, dicts"):
            unpacked(name, data)
        assert tracemalloc.get_traced_memory()[1] < 300 << 20
    finally:
        tracemalloc.stop()


def test_that_what_is_empty_at_the_end_of_a_sheet_does_not_count_and_between_cells_once():
    empty = '<table:table-cell table:number-columns-repeated="16000"/>'
    rows = _ROW.format(_cell("id") + empty + _cell("summary") * 99) + _ROW.format(
        _cell("1") + _cell("A b.") + empty
    )
    end = _ROWS.format(1_048_574, '<table:table-cell table:number-columns-repeated="16384"/>')
    from awase.jobs.files import reading

    reading.check_package(_ods(rows + end), ".ods", reading.Budget.of("x.ods", 1000))

"""Parquet and Arrow files are read some rows at a time, and only the columns that are wanted."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.arrow import ArrowRows
from awase.jobs.files import reading
from awase.jobs.files.reading import unpacked, unpacked_file

N_ROWS = 2_500


@cache
def some_table() -> pa.Table:
    """Made when it is needed: pyarrow then looks for pandas, which takes half a second."""
    return pa.table({"id": [*range(N_ROWS)], "text": [f"t{n}" for n in range(N_ROWS)]})


def parquet(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def arrow(make: Callable[..., pa.ipc.RecordBatchStreamWriter]) -> bytes:
    file = io.BytesIO()
    with make(file, some_table().schema) as writer:
        writer.write_table(some_table())
    return file.getvalue()


def test_that_no_more_than_a_portion_is_held() -> None:
    table = parquet(some_table())
    for data in (table, arrow(pa.ipc.new_file), arrow(pa.ipc.new_stream)):
        portions = [*ArrowRows(io.BytesIO(data), "x", needed_for="x").portions(["text"])]
        assert [len(some) for some in portions] == [1_000, 1_000, 500]
        rows = [row for some in portions for row in some]
        assert rows == [{"text": f"t{n}"} for n in range(N_ROWS)]


def test_that_numbers_are_as_they_are_printed() -> None:
    table = pa.table(
        {
            "topic": pa.array([1, None], pa.int64()),
            "half": pa.array([0.1, float("nan")], pa.float32()),
            "value": pa.array([0.1, float("inf")], pa.float64()),
            "__index_level_0__": ["a", "b"],
        }
    )
    found = unpacked("s.parquet", parquet(table))
    assert (found.name, found.data) == ("s.parquet.csv", b"topic,half,value\n1,0.1,0.1\n,,\n")
    nested = pa.table({"refs": [["a", "b"]], "scores": [{"x": float("nan")}]})
    found = unpacked("s.parquet", parquet(nested))
    assert found.name == "s.parquet.jsonl"
    assert found.data == b'{"refs": ["a", "b"], "scores": {"x": null}}\n'


def test_that_a_small_file_that_becomes_a_huge_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.parquet"
    path.write_bytes(parquet(pa.table({"text": ["x" * 1_000] * N_ROWS})))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(reading, "LARGEST_BYTES", 1_000_000)
    with pytest.raises(CorpusFormatError, match="expands to too much"):
        unpacked_file(path)
    beginning = unpacked_file(path, most=1_000)
    assert beginning.data.startswith(b"text\nxxx")
    assert beginning.data.count(b"\n") == 1 + 1_000


def test_that_a_page_that_lies_about_its_size_is_refused_before_memory_is_reserved() -> None:
    file = io.BytesIO()
    table = pa.table({"text": ["x" * (1 << 21)]})
    pq.write_table(table, file, compression="zstd", use_dictionary=False, write_statistics=False)
    data = bytearray(file.getvalue())
    assert [*ArrowRows(io.BytesIO(data), "x", needed_for="x").portions()]
    assert len(data) < 2_000
    assert (data[4], data[6], data[10]) == (0x15, 0x15, 0x02)  # field 2 is a number of four bytes
    data[7:11] = b"\xfe\xff\xff\x7f"
    with pytest.raises(CorpusFormatError, match=r"134217727 bytes; at most 67108864 are read"):
        [*ArrowRows(io.BytesIO(data), "x", needed_for="x").portions()]


@in_turn(
    "footer",
    [
        bytes([0x49, 0xF7, *([0x80] * 3), 0x40, 0]),  # row groups: 2 ** 27 numbers, none there
        bytes([0x49, 0x1C, 0, 0]),  # a row group without columns
        bytes([0x4C] * 3_000),
    ],
)
def test_that_a_footer_that_lies_is_told_as_damage(footer: bytes) -> None:
    data = b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    with pytest.raises(CorpusFormatError, match="its footer or the header of a page is damaged"):
        ArrowRows(io.BytesIO(data), "x.parquet", needed_for="x")


def test_that_damage_is_told_with_the_file() -> None:
    data = bytearray(parquet(some_table()))
    data[4:60] = b"?" * 56
    with pytest.raises(CorpusFormatError, match=r"^x: The table cannot be read"):
        [*ArrowRows(io.BytesIO(bytes(data)), "x", needed_for="x").portions()]
    named = arrow(pa.ipc.new_stream).replace(b"text", b"t\xf2xt")  # a column
    with pytest.raises(CorpusFormatError, match="UnicodeDecodeError"):
        ArrowRows(io.BytesIO(named), "x", needed_for="x")

"""Streaming rows of Parquet and Arrow files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import SEEK_CUR, SEEK_END
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from awase.core.errors import CorpusFormatError
from awase.core.packages import check_installed

if TYPE_CHECKING:
    import pyarrow as pa


# Column to value: texts, numbers, lists and dicts; None = there is none.
ArrowRecord = dict[str, object]

_ROWS_AT_ONCE: Final = 1_000
_BYTES_AT_ONCE: Final = 1 << 20
_MOST_BYTES_AT_ONCE: Final = 1 << 26
# What damaged headers raise.
_DAMAGED: Final = (OSError, ValueError, LookupError, OverflowError, RecursionError, TypeError)
_LEAST_LIMIT: Final = 1 << 26
_MOST_RATIO: Final = 100

# A struct in Thrift's compact protocol: values by field and type.
_Struct = dict[tuple[int, int], Any]
_FLAGS, _INT16, _INT32, _INT64, _TEXT, _LIST, _STRUCT = (1, 2), 4, 5, 6, 8, 9, 12
_BYTES_OF_TYPE: Final = {1: 1, 2: 1, 3: 1, 7: 8}
# Where Parquet has what is needed of its metadata, and of the header of a page.
_END_BYTES: Final = 8
_ROW_GROUPS, _COLUMNS, _METADATA = (4, _LIST), (1, _LIST), (3, _STRUCT)
_CHUNK_BYTES, _PAGE_OFFSET, _DICTIONARY_OFFSET = (7, _INT64), (9, _INT64), (11, _INT64)
_PAGE_BYTES, _PACKED_BYTES = (2, _INT32), (3, _INT32)


class ArrowRows:
    """A table read by pyarrow in batches; `n_rows` None = unknown."""

    def __init__(self, file: BinaryIO, source: str, *, needed_for: str) -> None:
        """Reads the metadata of a Parquet or Arrow file or stream, without closing it."""
        check_installed("pyarrow", extra="parquet", needed_for=needed_for)
        import pyarrow as pa

        self._source = source
        with self._told():
            schema, self._batches, self.n_rows = _opened(file, source)
            self.columns = tuple(n for n in schema.names if not n.startswith("__index_level_"))
            self.holds_lists = any(pa.types.is_nested(schema.field(n).type) for n in self.columns)

    def portions(self, columns: Sequence[str] | None = None) -> Iterator[list[ArrowRecord]]:
        """Yields the rows in batches of a thousand or so, once; `columns` None = all."""
        wanted = [*(self.columns if columns is None else columns)]
        with self._told():
            for batch in self._batches(wanted):
                batch.validate(full=True)  # offsets of a stranger's file may lead anywhere
                for part in _of_some_bytes(batch):
                    cells = [_values(part.column(name)) for name in wanted]
                    yield [dict(zip(wanted, row, strict=True)) for row in zip(*cells, strict=True)]

    @contextmanager
    def _told(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, *_DAMAGED) as error:
            raise unreadable_table(self._source, error) from error


def unreadable_table(source: str, error: Exception) -> CorpusFormatError:
    """Returns the error that a package raised another one about a table."""
    return CorpusFormatError.of(
        "The table cannot be read: {reason}.",
        "Open it in the program that made it, and save it again.",
        source=source,
        reason=f"{type(error).__name__}: {error}",
    )


def decoded_size_problem(source: str, n: int, things: str, most: int) -> CorpusFormatError:
    """Returns the error that a file is longer decoded than `most`, in bytes or cells."""
    return CorpusFormatError.of(
        "The file expands to too much: {n} {things}; at most {most} are read.",
        "Remove what is empty or repeated, or write it as CSV or JSON lines.",
        source=source,
        n=n,
        things=things,
        most=most,
    )


def _opened(file: BinaryIO, source: str):  # type: ignore[no-untyped-def]  # noqa: ANN202  (pyarrow has no types)
    """Returns the schema, a generator of batches, and the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    start = file.read(6)
    file.seek(0)
    if start[:4] == b"PAR1":
        try:
            _check_pages(file, source)
        except (LookupError, TypeError, AttributeError, EOFError, RecursionError) as error:
            raise ValueError("its footer or the header of a page is damaged") from error
        # A buffer makes a column of a row group readable in pieces. Texts stay dictionary indices
        # until their lengths are known: a few bytes may put one long text into a billion rows.
        texts = [one.name for one in pq.read_schema(file) if _is_text(one.type)]
        file.seek(0)
        parquet = pq.ParquetFile(
            file, buffer_size=_BYTES_AT_ONCE, pre_buffer=False, read_dictionary=texts
        )
        return (
            parquet.schema_arrow,
            lambda columns: parquet.iter_batches(_ROWS_AT_ONCE, columns=columns),
            parquet.metadata.num_rows,
        )
    if start == b"ARROW1":
        arrow = pa.ipc.open_file(file)
        whole = (arrow.get_batch(at) for at in range(arrow.num_record_batches))
        return arrow.schema, lambda _columns: _parts(whole), None
    stream = pa.ipc.open_stream(file)
    return stream.schema, lambda _columns: _parts(stream), None


def _check_pages(file: BinaryIO, source: str) -> None:
    """Refuses a Parquet file with pages over 64 MB, or a hundred times the file."""
    # pyarrow reserves what a page's header says before it looks at the page, and its metadata's
    # bindings end the process on some damaged files.
    n_stored = file.seek(0, SEEK_END)
    most = max(_LEAST_LIMIT, _MOST_RATIO * n_stored)
    largest: Counter[int] = Counter()  # by column, as all are read beside each other
    for column, chunk in _chunks(file, n_stored):
        offsets = (chunk.get(_DICTIONARY_OFFSET), chunk[_PAGE_OFFSET])
        start = min(offset for offset in offsets if offset)
        file.seek(start)
        while file.tell() < start + chunk[_CHUNK_BYTES]:
            header = _thrift_struct(file)
            n_bytes, n_packed = header[_PAGE_BYTES], header[_PACKED_BYTES]
            largest[column] = max(largest[column], n_bytes, n_packed)
            if min(n_bytes, n_packed) < 0 or largest.total() > most:
                raise decoded_size_problem(source, max(n_bytes, n_packed), "bytes", most)
            file.seek(n_packed, SEEK_CUR)
    file.seek(0)


def _chunks(file: BinaryIO, n_stored: int) -> Iterator[tuple[int, _Struct]]:
    """Yields the metadata of each row group's columns with the column's number."""
    file.seek(n_stored - _END_BYTES)
    file.seek(n_stored - _END_BYTES - int.from_bytes(file.read(4), "little"))
    for group in _thrift_struct(file).get(_ROW_GROUPS, ()):
        for column, chunk in enumerate(group[_COLUMNS]):
            yield column, chunk[_METADATA]


def _thrift_struct(file: BinaryIO) -> _Struct:
    """Reads a struct of Thrift's compact protocol; keys are fields with their types."""
    field, values = 0, {}
    while (head := file.read(1)[0]) & 15:
        kind = head & 15
        field = field + (head >> 4) if head >> 4 else _thrift_value(file, _INT16)
        values[field, kind] = None if kind in _FLAGS else _thrift_value(file, kind)
    return values


def _thrift_value(file: BinaryIO, kind: int) -> Any:  # noqa: ANN401  (as the file has it)
    if kind in _BYTES_OF_TYPE:
        if len(file.read(n_bytes := _BYTES_OF_TYPE[kind])) < n_bytes:  # lists end with the file
            raise EOFError
    elif kind in (_INT16, _INT32, _INT64):
        number = _varint(file)
        return (number >> 1) ^ -(number & 1)
    elif kind == _TEXT:
        file.seek(_varint(file), SEEK_CUR)
    elif kind == _STRUCT:
        return _thrift_struct(file)
    elif kind == _LIST:
        head = file.read(1)[0]
        n_items = head >> 4 if head >> 4 < 15 else _varint(file)
        return [_thrift_value(file, head & 15) for _ in range(n_items)]
    else:
        raise ValueError(f"a value of type {kind}")
    return None


def _varint(file: BinaryIO) -> int:
    number = 0
    for shift in range(0, 64, 7):
        byte = file.read(1)[0]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number
    raise ValueError("a number without end")


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return any(is_kind(kind) for is_kind in (pa.types.is_string, pa.types.is_large_string))


def _of_some_bytes(batch: "pa.RecordBatch") -> "Iterator[pa.RecordBatch]":
    """Yields the batch, split where texts are long."""
    if len(batch) < 2 or sum(map(_n_bytes, batch.columns)) <= _MOST_BYTES_AT_ONCE:
        yield batch
        return
    half = len(batch) // 2
    yield from _of_some_bytes(batch.slice(0, half))
    yield from _of_some_bytes(batch.slice(half))


def _n_bytes(column: "pa.Array") -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    return int(pc.sum(lengths.take(column.indices)).as_py() or 0)


def _parts(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    for batch in batches:
        for start in range(0, len(batch), _ROWS_AT_ONCE):
            yield batch.slice(start, _ROWS_AT_ONCE)


def _values(column: "pa.Array") -> "list[object]":
    import pyarrow as pa

    if pa.types.is_float32(column.type) or pa.types.is_float16(column.type):
        # As it would be printed: .1 is not to become 0.10000000149011612.
        spelled = column.cast(pa.float32()).cast(pa.string()).to_pylist()
        return [None if text is None else float(text) for text in spelled]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    values: list[object] = column.to_pylist()
    return values

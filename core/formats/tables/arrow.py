"""Streaming rows of Parquet and Arrow files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final

from awase.core.errors import CorpusFormatError
from awase.core.extras import check_installed

if TYPE_CHECKING:
    import pyarrow as pa

# Column to value: texts, numbers, lists and dicts; None = there is none.
ArrowRecord = dict[str, object]

_ROWS_AT_ONCE: Final = 1_000
_BYTES_AT_ONCE: Final = 1 << 20
_MOST_BYTES_AT_ONCE: Final = 1 << 26


class ArrowRows:
    """A table read by pyarrow in batches.

    Attributes:
        columns: Without pandas's index columns.
        n_rows: None = unknown.
    """

    def __init__(self, file: BinaryIO, source: str, *, needed_for: str) -> None:
        """Reads the metadata of a Parquet or Arrow file or stream, without closing it."""
        check_installed("pyarrow", extra="parquet", needed_for=needed_for)
        import pyarrow as pa

        self._source = source
        with self._told():
            schema, self._batches, self.n_rows = _opened(file)
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
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise CorpusFormatError.of(
                "The table cannot be read: {reason}.",
                "Open it in the program that made it, and save it again.",
                source=self._source,
                reason=f"{type(error).__name__}: {error}",
            ) from error


def _opened(file: BinaryIO):  # type: ignore[no-untyped-def]  # noqa: ANN202  (pyarrow has no types)
    """Returns the schema, a generator of batches, and the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    start = file.read(6)
    file.seek(0)
    if start[:4] == b"PAR1":
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

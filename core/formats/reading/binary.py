"""Plain data of binary files: streaming rows of Parquet and Arrow files, and safe pickles.

A pickle is a program: `pickle.load` calls whatever it names. Here nothing is imported and nothing
called but builders of lists, dicts and sets, and of numbers as numpy writes them; any other name is
refused. The opcodes are scanned first for nesting depth, number of values, and length of numbers.
"""

import io
import math
import pickle
import pickletools
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import SEEK_CUR, SEEK_END
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from awase.core.errors import CorpusFormatError
from awase.core.extras import check_installed

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


def stands_for_too_much(source: str, n: int, things: str, most: int) -> CorpusFormatError:
    """Returns the error that a file is longer decoded than `most`, in bytes or cells."""
    return CorpusFormatError.of(
        "The file stands for more than it may: {n} {things}, where {most} are read.",
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
                raise stands_for_too_much(source, max(n_bytes, n_packed), "bytes", most)
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


_DEEPEST: Final = 100
_LONGEST_BITS: Final = 1024
_VALUES_A_BYTE: Final = 4
_LEAST_VALUES: Final = 1000
_PUTS: Final = ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE")
_GETS: Final = ("GET", "BINGET", "LONG_BINGET")
_CHANGES: Final = ("APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD")


class _Refused(Exception):
    """Something in the pickle is no plain data."""


class _Maker:
    """An immutable callable that a pickle may use to build a plain value."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[..., object]) -> None:
        self._make = make

    def __call__(self, *args: object) -> object:
        return self._make(*args)

    def __setstate__(self, _state: object) -> None:
        raise _Refused("a change of what makes values")


class _Kind:
    """The kind of a number, as numpy names it: `f8`, `i8`."""

    __slots__ = ("code",)

    def __init__(self, code: object) -> None:
        self.code = code

    def __setstate__(self, _state: object) -> None:
        """Ignores numpy's details."""


_STRUCTS: Final = {"f8": "<d", "f4": "<f", "f2": "<e", "i8": "<q", "i4": "<i", "i2": "<h",
                   "i1": "<b", "u8": "<Q", "u4": "<I", "u2": "<H", "u1": "<B", "b1": "<?",
                   }  # fmt: skip


def _number(kind: object, data: object) -> object:
    code = kind.code if isinstance(kind, _Kind) else None
    form = _STRUCTS.get(code) if isinstance(code, str) else None
    if form is None or not isinstance(data, bytes) or struct.calcsize(form) != len(data):
        raise _Refused("a number of a kind that is not known")
    return struct.unpack(form, data)[0]


def _encoded(text: object, _encoding: object = "latin1") -> object:
    if not isinstance(text, str):
        raise _Refused("bytes of something else than text")
    return text.encode("latin1")


def _makers() -> Iterator[tuple[tuple[str, str], _Maker]]:
    for module in ("builtins", "__builtin__"):
        for kind in (list, dict, set, frozenset, tuple):
            yield (module, kind.__name__), _Maker(kind)
    yield ("collections", "OrderedDict"), _Maker(dict)
    yield ("collections", "defaultdict"), _Maker(lambda _factory=None, *items: dict(*items))
    yield ("_codecs", "encode"), _Maker(_encoded)
    yield ("numpy", "dtype"), _Maker(lambda code, *_details: _Kind(code))
    for module in ("numpy.core.multiarray", "numpy._core.multiarray"):
        yield (module, "scalar"), _Maker(_number)


_MAKERS: Final = dict(_makers())


class _Reader(pickle.Unpickler):
    """Unpickler of plain values only."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401  (pickle's own)
        """Returns the builder of a name, or refuses it."""
        maker = _MAKERS.get((module, name))
        if maker is None:
            raise _Refused(f"{module}.{name}")
        return maker

    def persistent_load(self, pid: object) -> Any:  # noqa: ANN401  (pickle's own)
        """Refuses references to elsewhere."""
        raise _Refused("something that is stored elsewhere")


def plain_value(data: bytes, source: str) -> object:
    """Returns a pickle's contents as JSON values: sets become lists, keys texts, NaN null."""
    try:
        _check_values(data)
        return _plain(_Reader(io.BytesIO(data)).load(), [_most_values(data)])
    except _Refused as error:
        raise CorpusFormatError.of(
            "The pickle holds more than lists, dicts, texts and numbers: {found}. It is not "
            "loaded, as loading could run any program.",
            "Where you trust it, write it as JSON with the program that made it: "
            "json.dump(pickle.load(file), out).",
            source=source,
            found=str(error)[:200],
        ) from error
    except Exception as error:  # whatever a damaged pickle makes the reader raise
        raise CorpusFormatError.of(
            "The pickle is damaged: {reason}.",
            "Fetch it again.",
            source=source,
            reason=f"{type(error).__name__}: {error}"[:200],
        ) from error


def _most_values(data: bytes) -> int:
    # A value takes a byte or more; with shared members they could be without end.
    return _VALUES_A_BYTE * len(data) + _LEAST_VALUES


class _Size:
    """Nesting depth and number of values, shared ones each time."""

    __slots__ = ("depth", "n")

    def __init__(self) -> None:
        self.depth, self.n = 0, 1

    def add(self, others: Iterable["_Size"], most: int) -> None:
        for one in others:
            self.depth, self.n = max(self.depth, one.depth + 1), self.n + one.n
        if self.depth > _DEEPEST or self.n > most:
            raise _Refused("values without end")


def _check_values(data: bytes) -> None:
    """Refuses pickles that would fill the memory or the stack."""
    # Nested tuples are hashed recursively by C code without a limit.
    most = _most_values(data)
    stack: list[_Size | None] = []  # None is a mark
    memo: dict[int, _Size | None] = {}
    for code, value, _ in pickletools.genops(data):
        if isinstance(value, int) and value.bit_length() > _LONGEST_BITS:
            raise _Refused("a number of more digits than JSON's readers take")
        if code.name.startswith("EXT"):
            raise _Refused("an extension")
        if code.name in _PUTS:
            place = len(memo) if code.name == "MEMOIZE" else int(str(value))
            if place > len(data):
                raise _Refused("a place in memory that no value has")
            memo[place] = stack[-1]
        elif code.name in _GETS:
            stack.append(memo[int(str(value))])
        elif code.name == "DUP":
            stack.append(stack[-1])
        elif code.name == "MARK":
            stack.append(None)
        else:
            _walk(stack, code, most)


def _walk(stack: list["_Size | None"], code: pickletools.OpcodeInfo, most: int) -> None:
    before = code.stack_before
    used: list[_Size | None] = []
    n_before = len(before)
    if pickletools.markobject in before:
        while (one := stack.pop()) is not None:
            used.append(one)
        n_before = before.index(pickletools.markobject)
    for _ in range(n_before):
        used.append(stack.pop())
    sizes = [one for one in used if one is not None]
    if code.name in _CHANGES:
        sizes[-1].add(sizes[:-1], most)  # shared, so it changes there, too
        stack.append(sizes[-1])
        return
    for _ in code.stack_after:
        made = _Size()
        made.add(sizes, most)
        stack.append(made)


def _plain(value: object, left: list[int], depth: int = 0) -> object:
    left[0] -= 1
    if left[0] < 0 or depth > _DEEPEST:
        raise _Refused("values without end")
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): _plain(one, left, depth + 1) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value, key=lambda one: (str(type(one)), one))
    if isinstance(value, list | tuple):
        return [_plain(one, left, depth + 1) for one in value]
    raise _Refused(type(value).__name__)


def _key(key: object) -> str:
    if not isinstance(key, str | int | float):
        raise _Refused("a key that is neither text nor number")
    return str(key)

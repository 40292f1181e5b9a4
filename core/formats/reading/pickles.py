"""Safe reading of pickles of plain data.

A pickle is a program: `pickle.load` calls whatever it names. Here nothing is imported and nothing
called but builders of lists, dicts and sets, and of numbers as numpy writes them; any other name is
refused. The opcodes are scanned first for nesting depth, number of values, and length of numbers.
"""

import io
import math
import pickle
import pickletools
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from awase.core.errors import CorpusFormatError

_DEEPEST: Final = 100
_LONGEST_BITS: Final = 1024
_LONG_NUMBER: Final = "a number of more digits than JSON's readers take"
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
            "If you trust it, write it as JSON with the program that made it: "
            "json.dump(pickle.load(file), out).",
            source=source,
            found=str(error)[:200],
        ) from error
    except Exception as error:  # whatever a damaged pickle makes the reader raise
        raise CorpusFormatError.of(
            "The pickle is damaged: {reason}.",
            "Download it again.",
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


def _opcodes(data: bytes) -> Iterator[tuple[pickletools.OpcodeInfo, Any | None, int | None]]:
    try:
        yield from pickletools.genops(data)
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise _Refused(_LONG_NUMBER) from error
        raise


def _check_values(data: bytes) -> None:
    """Refuses pickles that would fill the memory or the stack."""
    # Nested tuples are hashed recursively by C code without a limit.
    most = _most_values(data)
    stack: list[_Size | None] = []  # None is a mark
    memo: dict[int, _Size | None] = {}
    for code, value, _ in _opcodes(data):
        if isinstance(value, int) and value.bit_length() > _LONGEST_BITS:
            raise _Refused(_LONG_NUMBER)
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

"""What SQLite writes, syncs, cuts and deletes, in order; and what a power cut may leave of it.

The default file layer of the very library that Python uses is watched through its public structures
(`sqlite3_vfs`, `sqlite3_io_methods`); nothing of what it does is changed.
"""

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

SECTOR_BYTES = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something that happened to a file, or a mark of whoever makes it happen.

    Attributes:
        kind: `write`, `sync`, `truncate`, `delete` or `mark`.
        path: Of the file; empty for a mark.
        offset: Where was written, or the new length.
        data: What was written.
        mark: What was said.
    """

    kind: str
    path: str = ""
    offset: int = 0
    data: bytes = b""
    mark: object = None


_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)
# Names stay pointers: SQLite keeps them, and what it wants to know of a file stands behind them.
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)


class _Methods(Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (
        ("version", c_int), ("close", c_void_p), ("read", c_void_p), ("write", _Write),
        ("truncate", _Truncate), ("sync", _Sync), *((f"more{n}", c_void_p) for n in range(13)),
    )  # fmt: skip


class _File(Structure):
    """The beginning of `sqlite3_file`."""

    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    """The beginning of `sqlite3_vfs`."""

    _fields_ = (
        ("version", c_int), ("file_bytes", c_int), ("longest_path", c_int), ("next", c_void_p),
        ("name", c_char_p), ("data", c_void_p), ("open", _Open), ("delete", _Delete),
    )  # fmt: skip


class NotWatchable(Exception):
    """Python's SQLite is not a library of its own here."""


def _default_vfs() -> Any:  # Any: a ctypes pointer to a structure
    import _sqlite3

    place = getattr(_sqlite3, "__file__", None)
    for name in (place, find_library("sqlite3")):
        library = ctypes.CDLL(name) if name else None
        # Python's module shows the symbols of the library that it is linked to.
        if library is not None and hasattr(library, "sqlite3_vfs_find"):
            library.sqlite3_vfs_find.restype = POINTER(_Vfs)
            return library.sqlite3_vfs_find(None)
    raise NotWatchable


@contextmanager
def recorded(folder: Path) -> Iterator[list[Step]]:
    """Yields the list to which every step on a file of the folder is added as it is done.

    Raises:
        NotWatchable: Python's SQLite cannot be watched here.
    """
    vfs = _default_vfs().contents
    watch = _Watch(str(folder.resolve()), vfs)
    vfs.open, vfs.delete = watch.open, watch.delete
    try:
        yield watch.steps
    finally:
        vfs.open, vfs.delete = watch.real_open, watch.real_delete


class _Watch:
    """Callbacks in the place of SQLite's own; each calls the one that it stands for."""

    def __init__(self, folder: str, vfs: Any) -> None:  # Any: the structure
        self.steps: list[Step] = []
        self._folder = folder
        self._path_by_file: dict[int, str] = {}
        self._copies: dict[int, _Methods] = {}
        # Pointers of their own: the fields of the structure are about to change.
        self.real_open = _Open(cast(vfs.open, c_void_p).value)
        self.real_delete = _Delete(cast(vfs.delete, c_void_p).value)
        self.open = _Open(self._opened)
        self.delete = _Delete(self._deleted)

    def _opened(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        code: int = self.real_open(vfs, name, file, flags, out)
        path = ctypes.string_at(name).decode() if name else ""
        if code == 0 and path.startswith(self._folder):
            self._path_by_file[file] = path
            handle = cast(file, POINTER(_File)).contents
            address = cast(handle.methods, c_void_p).value or 0
            handle.methods = ctypes.pointer(self._watched(address))
        return code

    def _watched(self, address: int) -> _Methods:
        """Returns a copy of SQLite's methods with ours in it, one for each kind of file."""
        if address not in self._copies:
            real = _Methods.from_address(address)
            copy = _Methods.from_buffer_copy(real)
            copy.write = _Write(self._write(_Write(cast(real.write, c_void_p).value)))
            copy.truncate = _Truncate(
                self._truncate(_Truncate(cast(real.truncate, c_void_p).value))
            )
            copy.sync = _Sync(self._sync(_Sync(cast(real.sync, c_void_p).value)))
            self._copies[address] = copy
        return self._copies[address]

    def _write(self, real: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, n_bytes: int, offset: int) -> int:
            content = ctypes.string_at(data, n_bytes)
            self.steps.append(
                Step(kind="write", path=self._path_by_file[file], offset=offset, data=content)
            )
            return real(file, data, n_bytes, offset)

        return write

    def _truncate(self, real: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, n_bytes: int) -> int:
            self.steps.append(Step(kind="truncate", path=self._path_by_file[file], offset=n_bytes))
            return real(file, n_bytes)

        return truncate

    def _sync(self, real: Callable[..., int]) -> Callable[..., int]:
        def sync(file: int, flags: int) -> int:
            code = real(file, flags)
            self.steps.append(Step(kind="sync", path=self._path_by_file[file]))
            return code

        return sync

    def _deleted(self, vfs: int, name: int, flags: int) -> int:
        path = ctypes.string_at(name).decode()
        code: int = self.real_delete(vfs, name, flags)
        if code == 0 and path.startswith(self._folder):
            self.steps.append(Step(kind="delete", path=path))
        return code


def left_by_a_cut(
    start: Mapping[str, bytes], steps: Sequence[Step], random: Random
) -> dict[str, bytes]:
    """Returns the files that a power cut after these steps may leave.

    What was synced is there. Of what was written to a file since its last sync any sectors may be
    there and any not, in any order; a file's new length and its deletion may have come or not.

    Args:
        start: Content of the files before the first step.
        steps: What was done until the power went.
        random: Decides.
    """
    last_sync = {step.path: at for at, step in enumerate(steps) if step.kind == "sync"}
    files = {path: bytearray(content) for path, content in start.items()}
    for at, step in enumerate(steps):
        is_sure = at < last_sync.get(step.path, -1)
        if step.kind == "write":
            content = files.setdefault(step.path, bytearray())
            for begin, piece in _sectors(step):
                if is_sure or random.random() < 0.5:
                    if len(content) < begin + len(piece):
                        content.extend(bytes(begin + len(piece) - len(content)))
                    content[begin : begin + len(piece)] = piece
        elif step.kind == "truncate" and (is_sure or random.random() < 0.5):
            del files.setdefault(step.path, bytearray())[step.offset :]
        elif step.kind == "delete" and (is_sure or random.random() < 0.5):
            files.pop(step.path, None)
    return {path: bytes(content) for path, content in files.items()}


def _sectors(step: Step) -> Iterator[tuple[int, bytes]]:
    """Yields what a step writes to each sector of the disk."""
    at, end = step.offset, step.offset + len(step.data)
    while at < end:
        stop = min(end, (at // SECTOR_BYTES + 1) * SECTOR_BYTES)
        yield at, step.data[at - step.offset : stop - step.offset]
        at = stop

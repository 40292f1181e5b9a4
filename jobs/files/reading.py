"""Files and folders from a disk or a pipe, none of which can hang the program or fill memory."""

import errno
import os
import select
import stat
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Final

from awase.core.errors import EnvironmentProblem

# Limit of whole reads; a larger corpus would not fit the memory of most machines.
LARGEST_BYTES: Final = 512 * 1024 * 1024

# Timeout of a pipe's first byte, during which its writer may start.
FIRST_BYTE_S: Final = 30.0

STANDARD_INPUT: Final = "-"

_PIECE_BYTES: Final = 1024 * 1024


def read_file(path: Path, *, largest: int = LARGEST_BYTES) -> bytes:
    """Reads a file of limited size."""
    check_readable(path, largest=largest)
    with path.open("rb", buffering=0) as file:
        n_bytes = max(os.fstat(file.fileno()).st_size, _PIECE_BYTES)
        return _up_to(path, iter(lambda: file.read(n_bytes), b""), largest)


def check_readable(path: Path, *, largest: int = LARGEST_BYTES) -> None:
    """Raises unless the file can be read to an end, within the limit."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise _no_file(path)
    if status.st_size > largest:
        raise too_large(path, largest)


def read_argument(
    path: Path, *, largest: int = LARGEST_BYTES, first_byte_s: float = FIRST_BYTE_S
) -> bytes:
    """Reads a file named by the user, which may be a pipe."""
    if str(path) == STANDARD_INPUT:
        return read_standard_input(largest=largest)
    if not is_stream(path):
        return read_file(path, largest=largest)
    with open_argument(path, first_byte_s=first_byte_s) as stream:
        return _up_to(path, iter(lambda: stream.read1(_PIECE_BYTES), b""), largest)


def open_argument(path: Path, *, first_byte_s: float = FIRST_BYTE_S) -> BufferedReader:
    """Opens a file named by the user, which may be a pipe, for streaming."""
    if not is_stream(path):
        check_readable(path, largest=sys.maxsize)
        return path.open("rb")
    # Without waiting for a writer: opening a pipe would block until there is one.
    stream = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    if not select.select([stream], [], [], first_byte_s)[0]:
        stream.close()
        raise EnvironmentProblem(
            "Nothing came from “{path}” within {seconds} seconds.",
            "Check the program that writes into it.",
            path=str(path),
            seconds=round(first_byte_s, 1),
        )
    os.set_blocking(stream.fileno(), True)
    return stream


def read_standard_input(*, largest: int = LARGEST_BYTES) -> bytes:
    """Reads standard input, without a timeout."""
    stream = sys.stdin.buffer
    pieces = iter(lambda: stream.read(_PIECE_BYTES), b"")
    return _up_to(Path("standard input"), pieces, largest)


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


def _up_to(path: Path, pieces: Iterator[bytes], largest: int) -> bytes:
    kept: list[bytes] = []
    n_bytes = 0
    for piece in pieces:
        kept.append(piece)
        n_bytes += len(piece)
        if n_bytes > largest:
            raise too_large(path, largest)
    return b"".join(kept)


def too_large(path: Path, largest: int = LARGEST_BYTES) -> EnvironmentProblem:
    """Returns the error that a file is too large to be loaded."""
    return EnvironmentProblem(
        "“{path}” has more than {largest} bytes, which is the most that is read at once.",
        "Divide it into several files, topic by topic for example.",
        path=str(path),
        largest=largest,
    )


def _no_file(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” is no file but a pipe, a socket or a device, so it was not read.",
        "Save what it gives as a file, and name that.",
        path=str(path),
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

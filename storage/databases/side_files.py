"""What lies beside a corpus file: whether it may be touched, and whether it belongs to the file.

SQLite keeps what was written last beside the file (`-wal`) and takes whatever lies there for the
file's. A backup that was copied over the file meets what was written to another one, and half of
each is read. So the lock file keeps what the corpus file looked like when it was opened and at each
checkpoint, and what waits beside a file of another look is not read, but set aside.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from awase.core.errors import EnvironmentProblem

SIDE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""Of the files that SQLite keeps beside an open database."""
BESIDE_SUFFIXES: Final = (*SIDE_SUFFIXES, "-lock", "-backups")
"""And of what Awase keeps there."""
HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
_RECORD_AT: Final = 1  # Windows locks the first byte
_RECORD_BYTES: Final = 4096
_WAL_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24

FileIdentity = tuple[int, int]
"""Device and number of a file."""

_open_files: Final[dict[FileIdentity, int]] = {}
"""Descriptors of the files that this process has open to write. The system drops all locks of a
process on a file, SQLite's included, when it closes any descriptor of it, so those are read by
this one."""


def identity_of(location: str | Path) -> FileIdentity | None:
    """Returns device and number of the file at `location`; None when there is none."""
    try:
        status = os.stat(location)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def lock_file(path: Path) -> Path:
    """Returns where the lock of the corpus at `path` lies."""
    return path.with_name(path.name + "-lock")


def is_beside_corpus(path: Path) -> bool:
    """Returns whether a name is one that SQLite or Awase uses beside a corpus, or lies in one.

    What is called `c.awase-wal` would be read as part of `c.awase`.
    """
    return any(_is_beside(one) for one in (path, *path.parents))


def _is_beside(path: Path) -> bool:
    for suffix in BESIDE_SUFFIXES:
        base = path.name.removesuffix(suffix)
        if base and base != path.name:
            if base.lower().endswith(".awase"):
                return True
            with suppress(OSError, ValueError):
                corpus = path.with_name(base)
                return os.path.isfile(corpus) and read_header(corpus).startswith(_MAGIC)
    return False


def dated(path: Path, what: str) -> Path:
    """Returns a name beside `path` that tells what the file is and since when; nothing has it."""
    now = datetime.now(UTC)
    for number in range(1000):
        more = f"-{number}" if number else ""
        name = path.with_name(f"{path.stem}-{what}-{now:%Y%m%dT%H%M%SZ}{more}{path.suffix}")
        if not os.path.lexists(name):
            return name
    raise FileExistsError(str(path))


def check_neighbours(path: Path) -> None:
    """Does nothing when whatever lies under the names of side files is a plain file.

    SQLite would wait at a pipe, and write through a link into another file.
    """
    for suffix in SIDE_SUFFIXES:
        neighbour = path.with_name(path.name + suffix)
        with suppress(OSError):
            if not stat.S_ISREG(os.lstat(neighbour).st_mode):
                raise EnvironmentProblem(
                    "“{neighbour}” beside the corpus is a link, a folder or a pipe; Awase keeps a "
                    "file of its own under this name.",
                    "Look at it, move it away, and open the corpus again.",
                    neighbour=str(neighbour),
                )


def read_header(path: Path) -> bytes:
    """Returns the file's first bytes, `HEADER_BYTES` where it has so many.

    Raises:
        OSError: It cannot be read.
    """
    known = _open_files.get(identity_of(path) or (0, 0))
    if known is not None:
        return os.pread(known, HEADER_BYTES, 0)
    with path.open("rb") as file:
        return file.read(HEADER_BYTES)


class OpenFile:
    """A file that stays within reach while it is open, whatever becomes of its name.

    Attributes:
        path: Its name when it was opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reading = Lock()
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        status = os.fstat(self._descriptor)
        self.identity: FileIdentity = (status.st_dev, status.st_ino)
        if hasattr(os, "pread"):
            _open_files[self.identity] = self._descriptor

    def is_in_place(self) -> bool:
        """Returns whether the file still stands under its name."""
        return identity_of(self.path) == self.identity

    def header(self) -> bytes:
        """Returns its first bytes; threads may ask at the same time."""
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, HEADER_BYTES, 0)
        with self._reading:
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            return os.read(self._descriptor, HEADER_BYTES)

    def new_path(self) -> Path | None:
        """Returns the name that it has now; None where it has none, or nobody can tell."""
        candidates = [self.path]
        with suppress(OSError):
            candidates.append(Path(os.readlink(f"/proc/self/fd/{self._descriptor}")))
        with suppress(OSError):
            candidates += self.path.parent.iterdir()
        return next((one for one in candidates if identity_of(one) == self.identity), None)

    def close(self) -> None:
        """Lets go, when no connection to the file is left."""
        if _open_files.get(self.identity) == self._descriptor:
            del _open_files[self.identity]
        os.close(self._descriptor)


class FileMarks(NamedTuple):
    """What the lock file keeps of the corpus file.

    Attributes:
        lock: Of the lock file itself: others when the whole folder was copied.
    """

    file: FileIdentity
    lock: FileIdentity
    headers: frozenset[str]


def remember(path: Path) -> frozenset[bytes]:
    """Writes into the lock file, which this process holds, what the corpus file looks like.

    Before a checkpoint the header that it brings is written, too: whatever ends the program on the
    way, the file looks like one of them. Returns these headers.

    Raises:
        OSError: It cannot be read or written.
    """
    file, lock = identity_of(path), identity_of(lock_file(path))
    headers = frozenset([read_header(path), *_headers_beside(path)])
    if file is None or lock is None:
        return headers
    marks = FileMarks(file, lock, frozenset(map(digest_of, headers)))
    if marks == _remembered(path):
        return headers
    text = json.dumps({"file": file, "lock": lock, "headers": sorted(marks.headers)})
    with lock_file(path).open("r+b") as writing:
        writing.seek(_RECORD_AT)
        writing.write(text.encode() + b"\n")
        writing.truncate()
        writing.flush()
        os.fsync(writing.fileno())  # before what it tells of is on the disk
    return headers


def _remembered(path: Path) -> FileMarks | None:
    try:
        with lock_file(path).open("rb") as file:
            file.seek(_RECORD_AT)
            read = json.loads(file.read(_RECORD_BYTES))
        (device, number), (lock_device, lock_number) = read["file"], read["lock"]
        headers = frozenset(map(str, read["headers"]))
        return FileMarks((device, number), (lock_device, lock_number), headers)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def has_pending(path: Path) -> bool:
    """Returns whether changes wait beside the file, to be moved into it."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except OSError:
        return False


def is_pending_foreign(path: Path) -> bool:
    """Returns whether the changes that wait beside the file were written to another one."""
    marks = _remembered(path) if has_pending(path) else None
    if marks is None:
        return False
    try:
        header = digest_of(read_header(path))
        is_folder_copied = identity_of(lock_file(path)) != marks.lock
        if header in marks.headers and (is_folder_copied or identity_of(path) == marks.file):
            return False
        # The program may have ended while they were moved into the file.
        return header not in map(digest_of, _headers_beside(path))
    except OSError:
        return False


def set_pending_aside(path: Path) -> Path:
    """Gives the changes that wait beside the file a dated name, and returns it.

    Raises:
        OSError: They cannot be renamed.
    """
    wal = path.with_name(path.name + "-wal")
    aside = dated(wal, "aside")
    wal.rename(aside)
    with suppress(OSError):
        path.with_name(path.name + "-shm").unlink()
    return aside


def digest_of(header: bytes) -> str:
    """Returns what tells a header from others."""
    import hashlib  # where nothing waits beside a file it is not needed

    return hashlib.sha256(header).hexdigest()[:32]


def _headers_beside(path: Path) -> Iterator[bytes]:
    """Yields the headers among what waits beside the file, whole or not."""
    with suppress(FileNotFoundError), path.with_name(path.name + "-wal").open("rb") as wal:
        page_bytes = int.from_bytes(wal.read(_WAL_HEADER_BYTES)[8:12], "big")
        if not 512 <= page_bytes <= 65536:
            return
        frame_bytes = _FRAME_HEADER_BYTES + page_bytes
        n_frames = (os.fstat(wal.fileno()).st_size - _WAL_HEADER_BYTES) // frame_bytes
        for frame in range(n_frames):
            wal.seek(_WAL_HEADER_BYTES + frame * frame_bytes)
            if int.from_bytes(wal.read(4), "big") == 1:
                wal.seek(_WAL_HEADER_BYTES + frame * frame_bytes + _FRAME_HEADER_BYTES)
                yield wal.read(HEADER_BYTES)

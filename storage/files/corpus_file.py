"""A corpus file from outside: header, side files, errors.

SQLite's `-wal` file is applied to whatever file has the name: a backup copied over the file meets
another one's WAL, and half of each is read. So the lock file records the corpus file's header at
opening and at each checkpoint, and a WAL beside another header is set aside.

`application_id` identifies corpora, `user_version` is major * 65536 + minor of the file format. A
newer major is refused, an older version migrates; anything before 1.3 was never released, and is
refused.
"""

import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from awase.core.errors import EnvironmentProblem, InputError, Missing, Problem

# SQLite's side files of an open database.
CORPUS_ENDING: Final = ".awase"
SIDE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
BESIDE_SUFFIXES: Final = (*SIDE_SUFFIXES, "-lock", "-backups")  # and Awase's
HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
_RECORD_AT: Final = 1  # Windows locks the first byte
_RECORD_BYTES: Final = 4096
_WAL_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24

FileIdentity = tuple[int, int]  # device and number of a file

# Descriptors of the files that this process has open to write. The system drops all locks of a
# process on a file, SQLite's included, when it closes any descriptor of it, so those are read by
# this one.
_open_files: Final[dict[FileIdentity, int]] = {}


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
    """Returns whether SQLite or Awase uses the name beside a corpus, or as one."""
    # `c.awase-wal` would be read as part of `c.awase`.
    return any(is_side_file(one) for one in (path, *path.parents))


def is_side_file(path: Path) -> bool:
    """Returns whether a file or folder belongs to the corpus that its name begins with."""
    for suffix in BESIDE_SUFFIXES:
        base = path.name.removesuffix(suffix)
        if base and base != path.name:
            if base.lower().endswith(CORPUS_ENDING):
                return True
            with suppress(OSError, ValueError):
                corpus = path.with_name(base)
                return os.path.isfile(corpus) and read_header(corpus).startswith(_MAGIC)
    return False


def dated(path: Path, what: str) -> Path:
    """Returns an unused name beside `path` with the kind of file and the time."""
    now = datetime.now(UTC)
    for number in range(1000):
        more = f"-{number}" if number else ""
        name = path.with_name(f"{path.stem}-{what}-{now:%Y%m%dT%H%M%SZ}{more}{path.suffix}")
        if not os.path.lexists(name):
            return name
    raise FileExistsError(str(path))


def check_neighbours(path: Path) -> None:
    """Raises unless side files are plain files."""
    # SQLite would block on a pipe, and write through a link into another file.
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


def copy_with_neighbours(path: Path, target: Path) -> None:
    """Copies a corpus with its side files, unless those are another file's; nothing if none."""
    beside = () if is_pending_foreign(path) else SIDE_SUFFIXES
    for suffix in ("", *beside):
        with suppress(FileNotFoundError):
            shutil.copyfile(path.with_name(path.name + suffix), f"{target}{suffix}")


def read_header(path: Path) -> bytes:
    """Returns the file's first `HEADER_BYTES`, or fewer."""
    known = _open_files.get(identity_of(path) or (0, 0))
    if known is not None:
        return os.pread(known, HEADER_BYTES, 0)
    with path.open("rb") as file:
        return file.read(HEADER_BYTES)


class FileMarks(NamedTuple):
    """Marks of the corpus file in the lock file."""

    file: FileIdentity
    lock: FileIdentity  # of the lock file itself: others when the whole folder was copied
    headers: frozenset[str]


def remember(path: Path) -> frozenset[bytes]:
    """Records the corpus file's header in the lock file, which this process holds.

    Before a checkpoint the header after it is recorded, too, so that a crash in between leaves one
    of them. Returns these headers.
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
        os.fsync(writing.fileno())  # before the state that it describes is on the disk
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
    """Returns whether the file has an unmerged WAL."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except OSError:
        return False


def is_pending_foreign(path: Path) -> bool:
    """Returns whether the WAL beside the file belongs to another one."""
    marks = _remembered(path) if has_pending(path) else None
    if marks is None:
        return False
    try:
        header = digest_of(read_header(path))
        is_folder_copied = identity_of(lock_file(path)) != marks.lock
        if header in marks.headers and (is_folder_copied or identity_of(path) == marks.file):
            return False
        # A crash may have interrupted the checkpoint.
        return header not in map(digest_of, _headers_beside(path))
    except OSError:
        return False


def set_pending_aside(path: Path) -> Path:
    """Renames the pending WAL beside the file to a dated name, and returns it."""
    wal = path.with_name(path.name + "-wal")
    aside = dated(wal, "aside")
    wal.rename(aside)
    with suppress(OSError):
        path.with_name(path.name + "-shm").unlink()
    return aside


def digest_of(header: bytes) -> str:
    """Returns a header's digest."""
    import hashlib  # not needed without side files

    return hashlib.sha256(header).hexdigest()[:32]


def _headers_beside(path: Path) -> Iterator[bytes]:
    """Yields headers in the files beside it, whole or not."""
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


_BUSY = Problem(
    what="“{path}” is being written by another program; nothing was changed.",
    hint="Close the other program and try again.",
)
_READ_ONLY = Problem(
    what="“{path}” cannot be written; nothing was changed.",
    hint="Check the permissions of the file and its folder.",
)
_FULL = Problem(
    what="The disk of “{path}” is full; nothing was changed.",
    hint="Free disk space and try again.",
)
_DAMAGED = Problem(
    what="“{path}” is damaged or was cut short.",
    hint="Copy it again from where it came from, or go back to the newest backup.",
    fields={"missing": Missing.BACKUP.value},
)
_NOT_A_CORPUS = Problem(
    what="“{path}” is not an Awase corpus.",
    hint="Choose an .awase file, or import the file into a new corpus.",
)
_PROBLEM_BY_CODE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Problem(
        what="“{path}” cannot be opened.",
        hint="Check that the file and its folder exist and can be written.",
    ),
    sqlite3.SQLITE_IOERR: Problem(
        what="“{path}” could not be read or written; nothing was changed.",
        hint="Check that the drive is still connected.",
    ),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    # "No such table": the statements are fixed, so the file's own description of itself is broken.
    sqlite3.SQLITE_ERROR: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _NOT_A_CORPUS,
}


# A reader and a writer share a small side file, which a full disk cannot take.
_NO_SIDE_FILE = {sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN}
_LEAST_ROOM_BYTES = 64 * 1024


class DiskFull(EnvironmentProblem):
    """There is no room to write the corpus; it can still be read."""


def lacks_side_file(error: sqlite3.Error) -> bool:
    """Returns whether side files could not be created."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code in _NO_SIDE_FILE or code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def environment_problem(error: BaseException | None, location: str) -> EnvironmentProblem | None:
    """Translates a driver's error; None when it is a defect."""
    if not isinstance(error, sqlite3.Error):
        return None
    if str(error).startswith("Could not decode to UTF-8"):  # of the driver: it has no code
        return damaged(location)
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_FULL or (code in _NO_SIDE_FILE and _is_full(location)):
        return DiskFull.about(_FULL, path=location)
    problem = _PROBLEM_BY_CODE.get(code & 0xFF)
    return None if problem is None else EnvironmentProblem.about(problem, path=location)


def _is_full(location: str) -> bool:
    try:
        return shutil.disk_usage(Path(location).parent).free < _LEAST_ROOM_BYTES
    except OSError:
        return False


def not_storable(error: BaseException) -> InputError:
    """Returns the problem that a value cannot be stored."""
    return InputError.of(
        "A value cannot be stored ({error}).",
        "Correct it in the file that it comes from.",
        error=str(error),
    )


def damaged(location: str) -> EnvironmentProblem:
    """Returns the problem that the corpus is not whole."""
    return EnvironmentProblem.about(_DAMAGED, path=location)


@contextmanager
def file_errors_translated(location: str) -> Iterator[None]:
    """Turns an error of SQLite's driver, and of rows that are no corpus, into one of ours."""
    from awase.storage.querying import NOT_UNDERSTOOD  # it brings the records; no first paint does

    try:
        yield
    except sqlite3.Error as error:
        problem = environment_problem(error, location)
        if problem is None:
            raise
        raise problem from error
    except NOT_UNDERSTOOD as error:
        raise damaged(location) from error


@contextmanager
def file_writes_translated(location: str) -> Iterator[None]:
    """Turns an error of SQLite's driver that the user can act on into one of ours."""
    try:
        yield
    except (sqlite3.DataError, OverflowError, UnicodeEncodeError) as error:
        raise not_storable(error) from error
    except sqlite3.Error as error:
        problem = environment_problem(error, location)
        if problem is None:
            raise
        raise problem from error


APPLICATION_ID = 0x41574153  # "AWAS"
FORMAT_MAJOR = 1
FORMAT_MINOR = 4
FIRST_MINOR = 3
USER_VERSION = FORMAT_MAJOR * 65536 + FORMAT_MINOR

_MOST_PATH_BYTES = 500  # SQLite's limit is 512, and side files have longer names


def check_file(path: Path) -> None:
    """Raises unless the header is of a whole corpus in a known format; opens nothing."""
    check_length(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a folder, or a pipe, which would block
            raise EnvironmentProblem.about(_NOT_A_CORPUS, path=str(path))
        header = read_header(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    if header[:16] != _MAGIC:
        raise EnvironmentProblem.about(_NOT_A_CORPUS, path=str(path))
    if len(header) < HEADER_BYTES or _is_cut_short(header, path):
        raise damaged(str(path))
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise EnvironmentProblem(
            "“{path}” is a database of another program.",
            "Choose an .awase file.",
            path=str(path),
        )
    is_current(int.from_bytes(header[60:64], "big"), path)
    check_neighbours(path)


def check_length(path: Path) -> None:
    """Raises unless SQLite supports the length of this path and its side files'."""
    n_bytes = len(os.fsencode(path))
    if n_bytes > _MOST_PATH_BYTES:
        raise EnvironmentProblem(
            "The path “{path}” is too long for a corpus: {n} bytes, of {most} at most.",
            "Move the corpus to a folder with a shorter path.",
            path=str(path),
            n=n_bytes,
            most=_MOST_PATH_BYTES,
        )


def _is_cut_short(header: bytes, path: Path) -> bool:
    # After a crash the rest may be in the WAL file; then only SQLite can tell.
    page_size = int.from_bytes(header[16:18], "big")
    expected = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")
    is_count_valid = header[24:28] == header[92:96]
    return is_count_valid and not has_pending(path) and path.stat().st_size < expected


def version_text(user_version: int) -> str:
    """Returns major and minor for people."""
    major, minor = divmod(user_version, 65536)
    return f"{major}.{minor}"


def is_current(user_version: int, path: Path) -> bool:
    """Returns whether this is the current or a later minor version; False = to be migrated."""
    major, minor = divmod(user_version, 65536)
    if major > FORMAT_MAJOR:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase (file format {major}.{minor}; "
            "this program knows {known}.x).",
            "Install the newest Awase, or export the corpus as JSON there and import it here.",
            path=str(path),
            major=major,
            minor=minor,
            known=FORMAT_MAJOR,
        )
    if (major, minor) < (FORMAT_MAJOR, FIRST_MINOR):
        raise EnvironmentProblem(
            "“{path}” was made by a version of Awase from before the first release (file format "
            "{major}.{minor}; this program reads {known} and later).",
            "Export the corpus as Awase JSON with that version, and import it here.",
            path=str(path),
            major=major,
            minor=minor,
            known=f"{FORMAT_MAJOR}.{FIRST_MINOR}",
        )
    return (major, minor) >= (FORMAT_MAJOR, FORMAT_MINOR)


def _unreadable(path: Path, error: OSError) -> EnvironmentProblem:
    if isinstance(error, FileNotFoundError):
        return EnvironmentProblem("There is no file “{path}”.", "Check the name.", path=str(path))
    return EnvironmentProblem(
        "“{path}” cannot be read ({error}).",
        "Check the file's permissions.",
        path=str(path),
        error=error.strerror or str(error),
    )

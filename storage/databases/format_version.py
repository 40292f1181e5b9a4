"""What the first bytes of a corpus file tell, read without opening it as a database.

A corpus carries `application_id` so that tools can tell it, and `user_version` as
major * 65536 + minor of the file format. A newer major is refused, an older version migrates; what
was made before the first format was never released, and is refused.
"""

import os
import stat
from pathlib import Path

from awase.core.errors import EnvironmentProblem
from awase.storage.databases.side_files import (
    HEADER_BYTES,
    check_neighbours,
    has_pending,
    read_header,
)
from awase.storage.databases.sqlite_errors import damaged

APPLICATION_ID = 0x41574153  # "AWAS"
FORMAT_MAJOR = 1
FORMAT_MINOR = 4
FIRST_MINOR = 3
USER_VERSION = FORMAT_MAJOR * 65536 + FORMAT_MINOR

_MOST_PATH_BYTES = 500
"""SQLite has 512, and what lies beside the file has a longer name."""
_MAGIC = b"SQLite format 3\x00"


def check_file(path: Path) -> None:
    """Does nothing when the file begins like a whole corpus that this version knows.

    It looks at the header only and opens nothing, so that a file of somebody else stays as it is.
    """
    check_length(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a folder, or a pipe, which would block
            raise _not_a_corpus(path)
        header = read_header(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    if header[:16] != _MAGIC:
        raise _not_a_corpus(path)
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
    """Does nothing when SQLite takes a path of this length, and those of its side files."""
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
    """Returns whether the file is shorter than it says.

    After a crash the rest may still wait in the side file; then only SQLite can tell.
    """
    page_size = int.from_bytes(header[16:18], "big")
    expected = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")
    is_count_valid = header[24:28] == header[92:96]
    return is_count_valid and not has_pending(path) and path.stat().st_size < expected


def version_text(user_version: int) -> str:
    """Returns major and minor for people."""
    major, minor = divmod(user_version, 65536)
    return f"{major}.{minor}"


def is_current(user_version: int, path: Path) -> bool:
    """Returns whether this is the version that this program writes or a later minor one.

    False means that the file has to be migrated.
    """
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


def _not_a_corpus(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” is not an Awase corpus.",
        "Choose an .awase file, or import the file into a new corpus.",
        path=str(path),
    )


def _unreadable(path: Path, error: OSError) -> EnvironmentProblem:
    if isinstance(error, FileNotFoundError):
        return EnvironmentProblem("There is no file “{path}”.", "Check the name.", path=str(path))
    return EnvironmentProblem(
        "“{path}” cannot be read ({error}).",
        "Check the file's permissions.",
        path=str(path),
        error=error.strerror or str(error),
    )

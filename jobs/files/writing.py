"""Writing files so that they appear when they are complete, or stay as they were."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from awase.core.errors import EnvironmentProblem


def write_whole_file(path: Path, text: str | Iterable[str]) -> None:
    """Writes `text` as UTF-8; a symbolic link stays one, and so does a device.

    Args:
        path: The file.
        text: All of it, or its pieces; what making them raises leaves the file as it was.

    Raises:
        EnvironmentProblem: It cannot be written; what stood there stays.
    """
    with whole_file(path) as place, place.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines((text,) if isinstance(text, str) else text)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Gives a place to write to, which is at `path` when the block is done.

    Raises:
        EnvironmentProblem: It cannot be written; what stood there stays.
    """
    target = path.resolve()
    try:
        if os.path.exists(target) and not stat.S_ISREG(target.stat().st_mode):
            yield target  # a device or a pipe must not be replaced by a file
            return
        partial = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            partial.touch(exist_ok=False)
            yield partial
            with partial.open("r+b") as file:
                os.fsync(file.fileno())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise not_writable(path, error) from error


def not_writable(path: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error that tells why a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be written ({error}).",
        "Choose another place, or make room on the disk.",
        path=str(path),
        error=error.strerror or str(error),
    )


def write_for_me_alone(path: Path, text: str) -> None:
    """Writes a new file that no other user may read.

    Raises:
        OSError: It cannot be written, or something of that name is there.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)

"""Folders on a disk: their files for an import, and an export of several files at once."""

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from awase.core.errors import EnvironmentProblem, InputError
from awase.jobs.files.reading import read_file
from awase.jobs.files.writing import not_writable


class DiskFolder:
    """The files below a folder (a `core.formats.folder.Folder`)."""

    def __init__(self, path: Path, also: Path | None = None) -> None:
        """Reads nothing yet.

        Args:
            path: The folder.
            also: Where relative names are looked up that are not in the folder.
        """
        self._path = path
        self._bases = (path,) if also is None else (path, also)
        self._root = _real(path)
        self._names: tuple[str, ...] | None = None

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, sorted; hidden ones are left out.

        Raises:
            EnvironmentProblem: A folder cannot be read.
        """
        if self._names is None:
            found: list[str] = []
            for place, folders, files in os.walk(self._path, onerror=_refuse):
                folders[:] = [name for name in folders if not name.startswith(".")]
                base = PurePosixPath(Path(place).relative_to(self._path).as_posix())
                found += [str(base / name) for name in files if not name.startswith(".")]
            self._names = tuple(sorted(found))
        return self._names

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, None when it is not there.

        Raises:
            EnvironmentProblem: It cannot be read, is too large, or is a pipe or a device.
        """
        path = self._found(name)
        try:
            return None if path is None else read_file(path)
        except OSError as error:
            raise _unreadable(path or self._path, error) from error

    def leads_outside(self, name: str) -> bool:
        """Returns whether a file is there but not below the folder, links followed."""
        path = self._found(name)
        return path is not None and self._root not in _real(path).parents

    def _found(self, name: str) -> Path | None:
        for base in self._bases:
            path = base / name
            try:
                if os.path.exists(path) and not os.path.isdir(path):
                    return path
            except (OSError, ValueError) as error:
                raise _unreadable(path, error) from error
        return None


def write_folder(path: Path, pieces: Iterable[tuple[str, str]]) -> int:
    """Makes a folder with files, as UTF-8, and returns how many; it appears when all are written.

    Args:
        path: Must not exist, or be an empty folder.
        pieces: Path of a file from the folder on, parts joined by `/`, and what joins its text.

    Raises:
        InputError: There is a file or a folder with files of that name.
        EnvironmentProblem: It cannot be written.
    """
    target = Path(os.path.realpath(path))
    if os.path.exists(target) and not is_empty_folder(target):
        raise InputError.of(
            "“{folder}” exists and is not an empty folder.",
            "Choose another name: files of two exports must not mix.",
            folder=str(path),
        )
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.mkdir()
        begun: set[str] = set()
        for name, text in pieces:
            file = partial / name
            # On some disks names that differ in case are one file; "x" refuses the second.
            mode = "a" if name in begun else "x"
            if mode == "x":
                file.parent.mkdir(parents=True, exist_ok=True)
                begun.add(name)
            with file.open(mode, encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        if os.path.exists(target):
            target.rmdir()
        partial.rename(target)
        return len(begun)
    except OSError as error:
        raise not_writable(path, error) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(partial)


def is_empty_folder(path: Path) -> bool:
    """Returns whether there is a folder of that name, can be read and has nothing in it."""
    try:
        return os.path.isdir(path) and next(path.iterdir(), None) is None
    except OSError:
        return False


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _refuse(error: OSError) -> None:
    raise _unreadable(Path(str(error.filename)), error) from error


def _unreadable(path: Path, error: Exception) -> EnvironmentProblem:
    return EnvironmentProblem(
        "“{path}” cannot be read ({error}).",
        "Check the file's permissions.",
        path=str(path),
        error=getattr(error, "strerror", None) or str(error),
    )

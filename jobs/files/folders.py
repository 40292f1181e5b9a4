"""The files of a folder on a disk, for an import."""

import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from awase.core.errors import EnvironmentProblem
from awase.jobs.files.reading import read_file


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
        self._spelled: dict[str, str] = {}
        self._names: tuple[str, ...] | None = None

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, sorted; hidden ones are left out.

        Names are in NFC, however a disk (of macOS) spells them, unless two are one then.

        Raises:
            EnvironmentProblem: A folder cannot be read.
        """
        if self._names is None:
            found: list[str] = []
            for place, folders, files in os.walk(self._path, onerror=_refuse):
                folders[:] = [name for name in folders if not name.startswith(".")]
                base = PurePosixPath(Path(place).relative_to(self._path).as_posix())
                found += [str(base / name) for name in files if not name.startswith(".")]
            composed = [unicodedata.normalize("NFC", name) for name in found]
            if len({*composed}) == len(found):
                self._spelled = dict(zip(composed, found, strict=True))
            self._names = tuple(sorted(self._spelled or found))
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
            path = base / (self._spelled.get(name, name) if base is self._path else name)
            try:
                if os.path.exists(path) and not os.path.isdir(path):
                    return path
            except (OSError, ValueError) as error:
                raise _unreadable(path, error) from error
        return None


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

"""Paths: typed ones, and suggestions for new files."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths


def path_of(text: str) -> Path:
    """Returns the path of a text; `~` alone or before `/` is the user's folder.

    `~name` stays as it is where nobody has that name.
    """
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def folder_for(kind: QStandardPaths.StandardLocation) -> Path:
    """Returns the standard location of documents, pictures …; by default the user's folder."""
    folder = Path(QStandardPaths.writableLocation(kind))
    return folder if folder.is_dir() else Path.home()


def with_ending(path: Path, suffix: str) -> Path:
    """Returns the path with another ending; unchanged if it names no file, such as `.`."""
    return path.with_suffix(suffix) if path.name else path

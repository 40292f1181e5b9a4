"""What somebody typed as the name of a file or folder."""

from pathlib import Path


def path_of(text: str) -> Path:
    """Returns the path that a text names; `~` alone or before `/` is the user's folder.

    `~name` stays as it is where nobody has that name.
    """
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def with_ending(path: Path, suffix: str) -> Path:
    """Returns the path with another ending; one that names no file, such as `.`, as it is."""
    return path.with_suffix(suffix) if path.name else path

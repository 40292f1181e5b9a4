"""Copies of a corpus beside it, made before anything is changed."""

import re
from contextlib import suppress
from pathlib import Path

from awase.storage.databases.sqlite_files import copy_database, remove_database

KEPT = 5
_NAME = re.compile(r"\d{8}T\d{6}Z-\d+\.awase(\.part)?")


def backup_folder(path: Path) -> Path:
    """Returns the folder beside the corpus in which its backups are kept."""
    return path.with_name(path.name + "-backups")


def backups_of(path: Path) -> tuple[Path, ...]:
    """Returns the complete copies of the corpus at `path`, the oldest first."""
    with suppress(OSError):
        ours = [one for one in backup_folder(path).iterdir() if _NAME.fullmatch(one.name)]
        return tuple(sorted(one for one in ours if one.suffix != ".part"))
    return ()


def back_up(path: Path, content: str) -> Path | None:
    """Copies the corpus at `path` and drops all but the newest `KEPT` copies.

    Args:
        path: The corpus file.
        content: Names what is in it and sorts by age, like `20261121T093000Z-17`; what has been
            copied is not copied again.

    Returns:
        The new copy, None when there is one of this content.

    Raises:
        EnvironmentProblem: The copy cannot be written.
    """
    target = backup_folder(path) / f"{content}.awase"
    if target.exists():
        return None
    copy_database(path, target)
    with suppress(OSError):  # a copy too many hurts nobody
        _tidy(target)
    return target


def _tidy(newest: Path) -> None:
    """Keeps `newest` even when a clock that was set back makes it look old."""
    ours = [path for path in newest.parent.iterdir() if _NAME.fullmatch(path.name)]
    copies = sorted(path for path in ours if path.suffix != ".part" and path != newest)
    for old in copies[: max(0, len(copies) + 1 - KEPT)]:
        old.unlink()
    for broken_off in (path for path in ours if path.suffix == ".part"):
        remove_database(broken_off)

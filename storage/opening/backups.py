"""Copies of a corpus beside it, made before anything is changed."""

import errno
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from awase.storage.databases.sqlite_files import (
    HeldState,
    copy_database,
    no_backup,
    remove_database,
)

KEPT = 5
ROOM_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"\d{8}T\d{6}Z-\d+\.awase(\.part)?")


def backup_folder(path: Path) -> Path:
    """Returns the folder beside the corpus in which its backups are kept."""
    return path.with_name(path.name + "-backups")


def backups_of(path: Path) -> tuple[Path, ...]:
    """Returns the complete copies of the corpus at `path`, the oldest first."""
    if backup_folder(path).is_symlink():
        return ()
    with suppress(OSError):
        ours = [one for one in backup_folder(path).iterdir() if _NAME.fullmatch(one.name)]
        return tuple(sorted(one for one in ours if one.suffix != ".part"))
    return ()


def back_up(
    path: Path,
    content: str,
    *,
    check: Callable[[], None] = lambda: None,
    leaves_room: bool = False,
    held: HeldState | None = None,
) -> Path | None:
    """Copies the corpus at `path` and drops all but the newest `KEPT` copies.

    Args:
        path: The corpus file.
        content: Names what is in it and sorts by age, like `20261121T093000Z-17`; what has been
            copied is not copied again.
        check: Called now and then; raises what ends it.
        leaves_room: Whether to refuse what would leave no room for work on the corpus.
        held: The state that is copied; None = what is stored now.

    Returns:
        The new copy, None when there is one of this content.

    Raises:
        EnvironmentProblem: The copy cannot be written.
    """
    target = backup_folder(path) / f"{content}.awase"
    if target.parent.is_symlink():  # it may be another corpus's
        raise no_backup(target.parent, OSError(errno.ELOOP, os.strerror(errno.ELOOP)))
    if target.exists():
        return None
    if leaves_room:
        _check_room(path, target.parent)
    copy_database(held or path, target, check)
    with suppress(OSError):  # an old backup that stays does no harm
        _tidy(target)
    return target


def _check_room(path: Path, folder: Path) -> None:
    room = shutil.disk_usage(path.parent).free
    if room < path.stat().st_size + ROOM_BYTES:
        raise no_backup(folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _tidy(newest: Path) -> None:
    """Keeps `newest` even when a clock that was set back makes it look old."""
    ours = [path for path in newest.parent.iterdir() if _NAME.fullmatch(path.name)]
    copies = sorted(path for path in ours if path.suffix != ".part" and path != newest)
    for old in copies[: max(0, len(copies) + 1 - KEPT)]:
        old.unlink()
    for broken_off in (path for path in ours if path.suffix == ".part"):
        remove_database(broken_off)

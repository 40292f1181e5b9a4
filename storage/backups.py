"""Copies of a corpus beside it, made before anything is changed."""

import re
from datetime import UTC, datetime
from pathlib import Path

from awase.storage.sqlite import backup_folder, copy_database

KEPT = 5
_NAME = re.compile(r"\d{8}T\d{6}Z-(?P<content>\d+)\.awase")


def back_up(path: Path, content: int) -> Path | None:
    """Copies the corpus at `path` and drops all but the newest `KEPT` copies.

    Args:
        path: The corpus file.
        content: Number of its newest operation; a copy of the same content is not made again.

    Returns:
        The new copy, None when the newest one has the same content.

    Raises:
        EnvironmentProblem: The copy cannot be written.
    """
    folder = backup_folder(path)
    copies = sorted(copy for copy in folder.glob("*.awase") if _NAME.fullmatch(copy.name))
    if copies and _content_of(copies[-1]) == content:
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = folder / f"{stamp}-{content}.awase"
    copy_database(path, target)
    for old in copies[: max(0, len(copies) + 1 - KEPT)]:
        old.unlink(missing_ok=True)
    return target


def _content_of(copy: Path) -> int:
    match = _NAME.fullmatch(copy.name)
    return int(match["content"]) if match else -1

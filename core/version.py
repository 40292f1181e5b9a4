"""The version of this program, which every signature ends with.

It is told by the code that computes and not by what was written down when the program was
installed: the two differ as soon as somebody runs a changed tree. The package takes it from here.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

VERSION: Final = "0.2.0.dev0"
_DIGITS: Final = 10


@cache
def version_of_code() -> str:
    """Returns the version, and behind that of a development version the commit of its tree.

    `0.2.0.dev0+g0123456789`; numbers may change from commit to commit until a version is released.
    """
    commit = _commit(Path(__file__).resolve().parents[1]) if ".dev" in VERSION else ""
    return f"{VERSION}+g{commit[:_DIGITS]}" if commit else VERSION


def _commit(tree: Path) -> str:
    """Returns the commit that a tree has checked out; empty where there is no repository."""
    try:
        git = tree / ".git"
        if git.is_file():  # of a worktree
            git = tree / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if head.startswith("ref: "):
            head = _of_reference(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return ""
    return head if re.fullmatch("[0-9a-f]{40,64}", head) else ""


def _of_reference(git: Path, name: str) -> str:
    common = git / "commondir"
    shared = git / common.read_text("utf-8").strip() if common.is_file() else git
    for folder in (git, shared):
        if (folder / name).is_file():
            return (folder / name).read_text("utf-8").strip()
    packed = (shared / "packed-refs").read_text("utf-8")
    found = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", packed, re.MULTILINE)
    return found[1] if found else ""

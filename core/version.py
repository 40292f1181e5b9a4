"""The version of this program, in every signature, from the running code."""
# Not from package metadata: they differ as soon as somebody runs a changed tree.

import re
from functools import cache
from pathlib import Path
from typing import Final

VERSION: Final = "0.2.0.dev0"
_DIGITS: Final = 10


@cache
def version_of_code() -> str:
    """Returns the version, with the commit for development versions: `0.2.0.dev0+g0123456789`."""
    commit = _commit(Path(__file__).resolve().parents[1]) if ".dev" in VERSION else ""
    return f"{VERSION}+g{commit[:_DIGITS]}" if commit else VERSION


def _commit(tree: Path) -> str:
    """Returns the checked-out commit; empty without a repository."""
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

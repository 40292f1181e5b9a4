"""Runs the tests of everything but the window where PySide6 is not installed, or is hidden.

Whoever only scores needs no Qt: nothing but `gui` may import it. What is not the window's is tested
here without pytest-qt, whose settings in pyproject.toml are not known then.
"""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OF_THE_WINDOW = ("gui", "e2e", "benchmarks")
SETTINGS = (
    "--import-mode=importlib", "-p", "no:pytest-qt", "-o", "addopts=", "-m", "not slow",
    "-W", "ignore::pytest.PytestConfigWarning",
)  # fmt: skip


class WithoutQt(MetaPathFinder):
    """Finds no PySide6, even where it is installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Raises for PySide6, and leaves everything else to the other finders."""
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def main(arguments: list[str]) -> int:
    """Runs the tests; `arguments` are pytest's, and files among them take the folders' place."""
    sys.meta_path.insert(0, WithoutQt())
    folders = sorted(
        str(path)
        for path in (ROOT / "tests").iterdir()
        if path.name not in OF_THE_WINDOW
        and (any(path.rglob("test_*.py")) or path.match("test_*.py"))
    )
    is_told_where = any(Path(argument.partition("::")[0]).exists() for argument in arguments)
    return pytest.main([*SETTINGS, *arguments, *([] if is_told_where else folders)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

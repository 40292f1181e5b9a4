"""The house gets smaller: ceilings that a commit may lower (`python tools/house.py` measures)."""

import subprocess
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.written import write_files

ROOT = Path(__file__).resolve().parents[2]
CEILINGS = {
    "lines": 109_100,
    "modules": 312,
    "folders": 60,
    "docstring_lines": 8_400,
    "test_lines": 68_900,
    "rust_lines": 3_800,
}
MOST_BYTES = 1_000_000
MAY_BE_LARGE: frozenset[str] = frozenset()
"""Tracked files that may be larger, and each has its reason here."""


@pytest.fixture(scope="module")
def house() -> ModuleType:
    return import_module("tools.house")


@pytest.mark.slow
def test_that_the_house_stays_below_its_ceilings(house):
    sizes = house.measure(ROOT)
    measured = {name: getattr(sizes, name) for name in CEILINGS}
    assert {
        name: (count, CEILINGS[name]) for name, count in measured.items() if count > CEILINGS[name]
    } == {}, "raise it in this commit, and say why in its message"
    assert sizes.long_modules == 0


def test_that_lines_stay_below_their_ceilings(house):
    # What an edit is the likeliest to raise, without telling lines apart, which takes seconds.
    for folders, ceiling in ((house.PRODUCT, "lines"), (("tests",), "test_lines")):
        lines = sum(house.lines_below(ROOT / folder, "*.py") for folder in folders)
        assert lines <= CEILINGS[ceiling]


def test_that_lines_are_counted_by_what_they_are(house, tmp_path):
    chapter = (
        '"""Says\n\nmore."""\nfrom a import (\n    b,\n)\n\n# why\nx = 1  # what\n"""Of x."""\n'
    )
    write_files(tmp_path / "core" / "room", {"__init__.py": "", "chapter.py": chapter})
    (tmp_path / "tests").mkdir()
    sizes = house.measure(tmp_path)
    assert (sizes.lines, sizes.modules, sizes.folders) == (10, 1, 1)
    assert (sizes.docstring_lines, sizes.comment_lines) == (4, 1)
    assert (sizes.import_lines, sizes.code_lines) == (3, 4)


def test_that_no_large_file_is_tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout of git")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    large = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.is_file() and path.stat().st_size > MOST_BYTES
    }
    assert large == MAY_BE_LARGE

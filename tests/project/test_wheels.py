"""Two wheels come of one tree: together they are the clone, and no file is in both."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(
    not (ROOT / "core").is_dir() or not (ROOT / ".git").exists(),
    reason="the wheel is tested without a checkout",
)


@pytest.fixture(scope="module")
def wheels():
    pytest.importorskip("tomli_w")
    return import_module("tools.build_wheels")


def test_that_every_file_is_in_one_wheel(wheels):
    command = ["git", "ls-files", *wheels.FOLDERS]
    tree = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    core, window = map(wheels.files_of, (wheels.CORE, wheels.WINDOW))
    assert sorted([*core, *window]) == sorted(tree.splitlines())


def test_that_no_code_of_the_core_reads_what_the_window_brings(wheels):
    brought = {name.split("/")[1] for name in wheels.files_of("awase") if name[:9] == "resources"}
    assert brought == {"help", "i18n", "icons"}
    read = [
        name
        for name in wheels.files_of("awase-core")
        if name.endswith(".py")
        and any(f'"{folder}"' in (ROOT / name).read_text("utf-8") for folder in brought - {"help"})
    ]
    assert read == []


def test_that_both_wheels_together_need_what_the_clone_needs(wheels):
    clone = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    core, window = (wheels.pyproject_of(one)["project"] for one in (wheels.CORE, wheels.WINDOW))
    first, *own = window["dependencies"]
    assert first == f"awase-core[ja]=={core['version']}"
    extras = core["optional-dependencies"]
    assert sorted([*core["dependencies"], *own, *extras["ja"]]) == sorted(clone["dependencies"])
    assert {"test", "dev"}.isdisjoint(extras)
    assert {*window["optional-dependencies"]} == {*extras}


def test_that_the_core_needs_no_qt_and_no_dictionary(wheels):
    core = wheels.pyproject_of(wheels.CORE)["project"]
    needed = [*map(wheels.package_of, core["dependencies"])]
    assert {"PySide6-Essentials", "sudachidict_core", "SudachiPy"}.isdisjoint(needed)
    assert {"pandas", "scipy"} < {*needed}
    assert core["scripts"] == {"awase": "awase.cli.main:main"}


def test_that_type_checkers_find_the_marker_in_the_package_itself(wheels):
    packed = {name: [*map(wheels.packed_name, wheels.files_of(name))]
              for name in (wheels.CORE, wheels.WINDOW)}  # fmt: skip
    assert "awase/py.typed" in packed[wheels.CORE]
    assert not [name for name in packed[wheels.WINDOW] if name.endswith("py.typed")]


@pytest.mark.slow
def test_that_what_is_staged_is_where_it_is_imported_from(wheels, tmp_path):
    wheels.stage(wheels.CORE, tmp_path / "core")
    program = "import awase; print(awase.__file__, awase.cover([[['a']]]).h)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / "core", capture_output=True, text=True
    )
    assert done.stdout.split() == [str(tmp_path / "core" / "awase" / "__init__.py"), "1"]
    assert not (tmp_path / "core" / "awase" / "gui").exists()

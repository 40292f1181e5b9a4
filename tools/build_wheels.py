"""Builds what is published: an sdist and a wheel each of `awase-core` and of `awase`, the window.

    python tools/build_wheels.py [FOLDER]       # FOLDER: dist, unless told otherwise
    AWASE_WHEEL=platform python tools/build_wheels.py       # with the compiled kernel in awase-core

A wheel's part of the tree is copied to where it will be imported from, with a pyproject.toml of its
own whose metadata are all static; from there on it is an ordinary project, and its wheel is built
from its unpacked sdist. `packaging/wheels.toml` says what goes where.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomli_w

Toml = dict[str, Any]  # what a TOML file holds

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("api", "conformance", "core", "cli", "gui", "jobs", "storage", "resources")
OF_THE_PACKAGE = {  # what lies in awase/ itself
    "awase/api/front_door.py": "awase/__init__.py",
    "awase/api/plugins.py": "awase/plugins.py",
    "awase/api/py.typed": "awase/py.typed",
}
BUILDS_KERNEL = ("hatch_build.py", "tools/build_kernel.py", "kernel")  # in the core's sdist
ALONGSIDE = ("LICENSE", "CHANGELOG.md", "CITATION.cff")
CORE, WINDOW = "awase-core", "awase"
_OWN_EXTRAS = {
    "test",
    "test-all",
    "dev",
    "docs",
    "bench",
}
"""Of a clone; nobody installs them from a wheel."""


def main(arguments: list[str]) -> int:
    """Builds into the folder that is named."""
    target = Path(arguments[0]) if arguments else ROOT / "dist"
    for path in build(target):
        print(path)
    return 0


def build(target: Path) -> list[Path]:
    """Returns the sdists and wheels that were built into `target`."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        for distribution in (CORE, WINDOW):
            staged = Path(name, distribution)
            stage(distribution, staged)
            # Without isolation: hatchling is here, in the version that is tested.
            command = ["-m", "build", "--no-isolation", "--outdir", str(target), str(staged)]
            # What is published runs everywhere, unless a wheel of this platform is asked for.
            environment = {"AWASE_WHEEL": "pure", **os.environ}
            subprocess.run(
                [sys.executable, *command], check=True, stdout=subprocess.DEVNULL, env=environment
            )
    return sorted(path for path in target.iterdir() if path.name.startswith("awase"))


def stage(distribution: str, folder: Path) -> None:
    """Writes the sources of one distribution into `folder`, which is made."""
    for name in files_of(distribution):
        place = folder / packed_name(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place)
    for name in _tracked(BUILDS_KERNEL) if distribution == CORE else ():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    for name in ALONGSIDE:
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copyfile(ROOT / _plan()[distribution]["readme"], folder / "README.md")
    (folder / "pyproject.toml").write_text(tomli_w.dumps(pyproject_of(distribution)), "utf-8")


def files_of(distribution: str) -> list[str]:
    """Returns the tracked files of the tree that go into a distribution, as the tree has them."""
    return _tracked(_plan()[distribution]["folders"])


def _tracked(places: Iterable[str]) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *places], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return listed.stdout.splitlines()


def packed_name(name: str) -> str:
    """Returns where a file of the tree lies in a wheel."""
    packed = f"awase/{name}"
    return OF_THE_PACKAGE.get(packed, packed)


def pyproject_of(distribution: str) -> Toml:
    """Returns the pyproject.toml of a distribution, made of the clone's."""
    clone: Toml = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    plan = _plan()[distribution]
    project = {
        **clone["project"],
        "name": distribution,
        "version": _version(),
        "readme": "README.md",
    }
    del project["dynamic"]
    project["description"] = plan.get("description", project["description"])
    unfit = plan.get("classifiers_without", [])
    project["classifiers"] = [one for one in project["classifiers"] if one not in unfit]
    project |= _core_needs(project) if distribution == CORE else _window_needs(project)
    wheel: Toml = {"packages": ["awase"]}
    if distribution == CORE:
        wheel["hooks"] = {"custom": {"path": "hatch_build.py"}}
    return {
        "build-system": clone["build-system"],
        "project": project,
        "tool": {"hatch": {"build": {"targets": {"wheel": wheel}}}},
    }


def _core_needs(project: Toml) -> Toml:
    plan = _plan()[CORE]
    of_extras = {package: extra for extra, own in plan["extras"].items() for package in own}
    kept = [
        one
        for one in project["dependencies"]
        if package_of(one) not in of_extras and package_of(one) not in plan["without"]
    ]
    extras = _published(project["optional-dependencies"])
    for one in project["dependencies"]:
        if package_of(one) in of_extras:
            extras.setdefault(of_extras[package_of(one)], []).append(one)
    return {"dependencies": kept, "optional-dependencies": dict(sorted(extras.items()))}


def _window_needs(project: Toml) -> Toml:
    plan = _plan()[WINDOW]
    own = [one for one in project["dependencies"] if package_of(one) in plan["dependencies"]]
    core = f"{CORE}[{','.join(plan['extras_of_core'])}]=={_version()}"
    names = sorted({*_published(project["optional-dependencies"]), *plan["extras_of_core"]})
    return {
        "dependencies": [core, *own],
        "optional-dependencies": {name: [f"{CORE}[{name}]=={_version()}"] for name in names},
        "scripts": {},
        # `pipx install awase` shows the commands of this wheel only; `awase` is the other's.
        "gui-scripts": {"awase-window": project["scripts"]["awase"]},
    }


def _published(extras: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: [*own] for name, own in extras.items() if name not in _OWN_EXTRAS}


def package_of(requirement: str) -> str:
    """Returns the name of the package that a requirement asks for."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def needs_of_tests(*, without: Iterable[str] = ()) -> list[str]:
    """Returns what the tests need beside the wheels, as pyproject.toml has it."""
    clone = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed: list[str] = clone["project"]["optional-dependencies"]["test"]
    unwanted = {*without}
    return [one for one in needed if package_of(one) not in unwanted and package_of(one) != WINDOW]


def _plan() -> Toml:
    return tomllib.loads((ROOT / "packaging" / "wheels.toml").read_text("utf-8"))


def _version() -> str:
    found = re.search(r'VERSION: Final = "([^"]+)"', (ROOT / "core" / "packages.py").read_text())
    if found is None:
        raise SystemExit("core/packages.py names no version")
    return found[1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

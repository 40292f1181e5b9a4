"""Tests what is shipped: each of the two wheels in a bare environment, with the tests against it.

The wheels are built from unpacked sdists, so a file that an sdist lacks shows. Together they must
equal the tree, with no file in both; a file that only a developer's checkout has shows, too.
`awase-core` runs the tests of everything but the window, where Qt is not installed; `awase`, which
brings the rest, those of the window.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from build_wheels import CORE, FOLDERS, ROOT, WINDOW, build, files_of, needs_of_tests, packed_name

MOST_MIB = 420  # of an environment with awase-core in it, without pip
CONSTRAINTS = ROOT / "constraints.txt"
TESTED_EXTRAS = "bleu,excel,ja,keyring,llm,parquet,postgresql"
OF_QT = ("pytest-qt",)
TESTS_OF_THE_WINDOW = ("tests/gui", "tests/e2e", "tests/jobs/test_both_faces.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """What is not installed with awase-core alone, and what is said when it is asked for."""

    asked: tuple[str, ...]
    said: str


ROUGE = "import awase; awase.rouge('雪', ['雪'], ['rouge-1:tokens=ja'])"
PARQUET = "import awase; awase.rouge('a', ['a']).to_frame().to_parquet('x')"
EXCEL = "import awase; awase.rouge('a', ['a']).to_frame().to_excel('x.xlsx')"
ABSENT = (
    Absent(asked=("-m", "awase.cli"), said="The window is not installed"),
    Absent(asked=("-m", "awase.cli", "demo", "--window"), said="pip install awase"),
    Absent(asked=("-c", ROUGE), said='pip install "awase-core[ja]"'),
    Absent(asked=("-c", PARQUET), said="pyarrow"),
    Absent(asked=("-c", EXCEL), said="openpyxl"),
)
PRESENT = (
    ("-m", "awase.cli", "demo", "en", "."),
    ("-m", "awase.cli", "demo", "ja", "."),
    ("-m", "awase.cli", "score", "demo-en.awase", "-m", "tsc3", "-m", "rouge:tokens=unicode"),
    ("-m", "awase.cli", "correlate", "demo-en.awase", "--human", "coverage", "--length", "short"),
    ("-m", "awase.cli", "oracle", "demo-en.awase", "--limit", "60w"),
    ("-m", "awase.cli", "oracle", "demo-en.awase", "--limit", "30w", "--engine", "ilp"),
    ("-c", "import awase; assert awase.cover([[['a'], ['b', 'c']]]).h == 1"),
    ("-c", "import awase; awase.rouge('a b', ['a c']).to_frame().to_html()"),
)


def main(arguments: list[str]) -> int:
    """Tests both wheels, or the one that is named."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        built = [path for path in build(work / "dist") if path.suffix == ".whl"]
        window, core = sorted(built, key=lambda path: path.name.startswith("awase_core"))
        if not _contents_agree({CORE: core, WINDOW: window}):
            return 1
        tests = _tests_alone(work / "tree")
        failed = 0
        if CORE in (arguments or [CORE]):
            failed = _core_alone(core, tests, work)
        if WINDOW in (arguments or [WINDOW]):
            failed = _window_on_core(core, window, tests, work) or failed
        return failed


def _contents_agree(wheels: dict[str, Path]) -> bool:
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    tree = {packed_name(line) for line in listed.stdout.splitlines()}
    packed = {
        distribution: {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
        for distribution, wheel in wheels.items()
    }
    in_both = packed[CORE] & packed[WINDOW]
    together = packed[CORE] | packed[WINDOW]
    for problem, names in (
        ("in both wheels", in_both),
        ("missing from the wheels", tree - together),
        ("in a wheel, but not in the tree", together - tree),
    ):
        for name in sorted(names):
            print(f"{problem}: {name}", file=sys.stderr)
    for distribution, wheel in wheels.items():
        size = wheel.stat().st_size / 1e6
        n_files = len(packed[distribution])
        print(f"{distribution}: {n_files} files, {size:.1f} MB packed")
        assert packed[distribution] == {*map(packed_name, files_of(distribution))}
    return tree == together and not in_both


def _tests_alone(folder: Path) -> Path:
    """Copies what is tracked but not packed: nothing but the wheels is to be importable."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if name.partition("/")[0] not in FOLDERS:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, place)
    return folder


def _core_alone(core: Path, tests: Path, work: Path) -> int:
    python = _environment(work / "core", core)
    size = _size_mib(python)
    print(f"awase-core installed: {size:.0f} MiB, at most {MOST_MIB} are allowed", flush=True)
    if size > MOST_MIB or not _says_what_is_absent(python, work) or not _has_types(python, work):
        return 1
    _pip(python, f"{core}[{TESTED_EXTRAS}]", *needs_of_tests(without=OF_QT))
    return _run(tests, python, "tools/test_without_qt.py", "-n", "2", "-q")


def _window_on_core(core: Path, window: Path, tests: Path, work: Path) -> int:
    python = _environment(work / "window", window, "--find-links", core.parent)
    print(f"awase installed: {_size_mib(python):.0f} MiB", flush=True)
    if not _has_types(python, work):
        return 1
    extras = f"{window}[{TESTED_EXTRAS}]"
    _pip(python, "--find-links", core.parent, extras, *needs_of_tests())
    chosen = ("-m", "pytest", "-n", "2", "-q", "-o", "pythonpath=.", *TESTS_OF_THE_WINDOW)
    return _run(tests, python, *chosen)


def _environment(folder: Path, *asked: str | Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    places = (folder / "bin/python", folder / "Scripts/python.exe")
    python = next(path for path in places if path.exists())
    _pip(python, *asked)
    return python


def _pip(python: Path, *asked: str | Path) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--constraint", CONSTRAINTS, *asked]
    subprocess.run(command, check=True)


def _size_mib(python: Path) -> float:
    """Returns the size of what is installed beside pip and what venv brings along."""
    told = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    tools = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
    sizes = [
        path.lstat().st_size
        for place in Path(told.stdout.strip()).iterdir()
        if not place.name.startswith(tools)
        for path in (place, *place.rglob("*"))
        if path.is_file()
    ]
    return float(sum(sizes)) / 2**20


def _says_what_is_absent(python: Path, work: Path) -> bool:
    folder = work / "alone"
    folder.mkdir()
    for asked in PRESENT:
        if _run(folder, python, *asked, quiet=True) != 0:
            print(f"awase-core alone cannot do it: {asked}", file=sys.stderr)
            return False
    for absent in ABSENT:
        command: list[str | Path] = [python, *absent.asked]
        told = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=_plain())
        if told.returncode == 0 or absent.said not in told.stderr:
            print(f"{absent} is told otherwise:\n{told.stdout}{told.stderr}", file=sys.stderr)
            return False
    return True


CLIENT = """
import awase

wrong: int = awase.cover([[["a"], ["b", "c"]]]).h
awase.rouge(1, ["a"])
right: str = awase.__version__
"""
"""`h` is no whole number by its type where covers are not proved, and texts are no numbers."""


def _has_types(python: Path, work: Path) -> bool:
    """Returns whether a type checker that looks into the environment sees what awase takes."""
    client = work / "client.py"
    client.write_text(CLIENT, "utf-8")
    command: list[str | Path] = [sys.executable, "-m", "mypy", "--strict", "--python-executable"]
    command += [python]
    told = subprocess.run(
        [*command, "--cache-dir", work / "types", client],
        cwd=work, env=_plain(), capture_output=True, text=True,
    )  # fmt: skip
    is_seen = 'Argument 1 to "rouge"' in told.stdout and "py.typed" not in told.stdout
    if not is_seen:
        print(f"types are not seen:\n{told.stdout}{told.stderr}", file=sys.stderr)
    return is_seen


def _run(folder: Path, *command: str | Path, quiet: bool = False) -> int:
    out = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, cwd=folder, env=_plain(), stdout=out, stderr=out).returncode


def _plain() -> dict[str, str]:
    """Returns the environment without what could lead to the checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Tests what is shipped: sdist -> wheel -> bare environment -> the tests against it.

The wheel is built from the unpacked sdist, so a file that the sdist lacks shows. Its contents must
equal the tree; a file that only a developer's checkout has shows, too.
"""

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("api", "conformance", "core", "cli", "gui", "jobs", "storage", "resources")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        _run(sys.executable, "-m", "build", "--sdist", "--outdir", work, ROOT)
        with tarfile.open(next(work.glob("*.tar.gz"))) as archive:
            archive.extractall(work, filter="data")
        unpacked = next(path for path in work.iterdir() if path.is_dir())
        _run(sys.executable, "-m", "build", "--wheel", "--outdir", work, unpacked)
        wheel = next(work.glob("*.whl"))
        if not _contents_agree(wheel):
            return 1
        return _test_installed(wheel, unpacked, work)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def _contents_agree(wheel: Path) -> bool:
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    tree = {f"awase/{line}" for line in listed.stdout.splitlines()}
    tree ^= {"awase/api/front_door.py", "awase/__init__.py"}  # the one is the other
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    for name in sorted(tree - packed):
        print(f"missing from the wheel: {name}", file=sys.stderr)
    for name in sorted(packed - tree):
        print(f"in the wheel, but not in the tree: {name}", file=sys.stderr)
    print(f"the wheel has {len(packed)} files")
    return tree == packed


def _test_installed(wheel: Path, unpacked: Path, work: Path) -> int:
    """Runs the sdist's tests in an environment that has the wheel and test tools, no checkout."""
    bare = work / "bare"
    _run(sys.executable, "-m", "venv", bare)
    python = next(
        path for path in (bare / "bin/python", bare / "Scripts/python.exe") if path.exists()
    )
    constraints = ROOT / "constraints.txt"
    _run(python, "-m", "pip", "install", "--quiet", "--constraint", constraints, f"{wheel}[test]")
    for folder in FOLDERS:  # nothing but the wheel may be importable
        (unpacked / folder).rename(unpacked / f"not-{folder}")
    tests: list[str | Path] = [python, "-m", "pytest", "-n", "2", "-o", "pythonpath=."]
    return subprocess.run(tests, cwd=unpacked).returncode


if __name__ == "__main__":
    sys.exit(main())

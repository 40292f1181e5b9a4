"""Builds the compiled kernel from `kernel/` and puts it where the package looks for it.

    python tools/build_kernel.py            # in a clone; nothing happens where cargo is not

Nothing needs it: without it numpy counts, and every number is the same. cargo is asked not to use
the net, and has nothing to fetch: the crate depends on no other.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {"win32": "dll", "darwin": "dylib"}
PREFIX = "" if sys.platform == "win32" else "lib"
NAME = f"awase_kernel.{SUFFIXES.get(sys.platform, 'so')}"
PACKED = f"core/kernel/{NAME}"


def main() -> int:
    """Builds it; says in one line why not, where it cannot be built."""
    if cargo() is None:
        print("The compiled kernel is not built: there is no cargo. numpy does its work.")
        return 0
    try:
        library = built(ROOT)
    except subprocess.CalledProcessError as error:
        print(f"The compiled kernel is not built; numpy does its work.\n{error.stderr}")
        return 1
    place = ROOT / PACKED
    fresh = place.with_suffix(".new")  # a process may have the old one open
    shutil.copyfile(library, fresh)
    fresh.replace(place)
    print(f"The compiled kernel is built: {PACKED}")
    return 0


def cargo() -> str | None:
    """Returns the program that builds; None = it is not on this machine."""
    return shutil.which("cargo")


def built(root: Path) -> Path:
    """Returns the library that was built from the crate below `root`.

    Raises:
        CalledProcessError: It cannot be built; `stderr` says why.
    """
    crate = root / "kernel"
    target = Path(os.environ.get("CARGO_TARGET_DIR", crate / "target"))
    command = [cargo() or "cargo", "build", "--release", "--offline", "--locked", "--quiet"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    subprocess.run(command, cwd=crate, env=environment, check=True, capture_output=True, text=True)
    return target / "release" / f"{PREFIX}{NAME}"


if __name__ == "__main__":
    sys.exit(main())

"""Tests the lowest versions that pyproject.toml allows: are its floors true?

    python tools/check_floors.py [words for pytest]

`.venv-floors` gets every package that pyproject.toml asks for itself in its lowest version (of what
those need, pip's choice), and runs the tests of core, jobs and cli, or what is named.
"""

import re
import subprocess
import sys
import tomllib

from prepare import FLOORS, ROOT, make_venv, pip, python_of

FLOOR = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\w.]+)")
TESTED = ("tests/core", "tests/jobs", "tests/cli")
EXTRAS = ("test", "bleu", "excel", "parquet", "keyring", "llm", "postgresql")


def floors() -> list[str]:
    """Returns `name==version` of everything with a floor that the program or its tests ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]
    return [f"{found['name']}=={found['version']}" for found in map(FLOOR.match, asked) if found]


def main(arguments: list[str]) -> int:
    """Makes the environment and runs the tests in it."""
    make_venv(FLOORS)
    lowest = FLOORS / "floors.txt"
    lowest.write_text("\n".join(floors()), "utf-8")
    pip("install", "--quiet", "--constraint", lowest, "--editable", ".[test]", venv=FLOORS)
    chosen = arguments or ["-n", "2", "--dist", "worksteal", "-q", *TESTED]
    return subprocess.run([python_of(FLOORS), "-m", "pytest", *chosen], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs every benchmark and prints its table: `python -m tests.benchmarks [NAME…]`.

What follows the name of a single one is its own: a size, or a file.
"""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

BENCHMARKS = (
    "start", "cover", "open-and-score", "annotate", "random-actions", "large-window", "find",
    "candidates", "assist", "keys", "rouge", "be", "oracles", "pseudo-pyramids", "correlations",
    "agreement", "merging", "shared-server", "scale",
    "end-to-end",
)  # fmt: skip


def main() -> None:
    """Runs the benchmarks named on the command line, all of them without names."""
    words = [word.replace("_", "-") for word in sys.argv[1:]]
    named = [word for word in words if find_spec(_module(word)) is not None]
    if words and not named:
        raise SystemExit(f"There is no benchmark “{words[0]}”, only {', '.join(BENCHMARKS)}.")
    if len(named) == 1:
        print(f"\n## {named[0]}\n", flush=True)
        import_module(_module(named[0])).main()
        return
    for name in (
        named or BENCHMARKS
    ):  # each in a process of its own, as some need their own QApplication
        subprocess.run([sys.executable, "-m", "tests.benchmarks", name], check=True)


def _module(word: str) -> str:
    """Returns the module that would hold the benchmark; of a path, one that does not exist."""
    return f"tests.benchmarks.{word.replace('-', '_').replace('.', '/')}"


if __name__ == "__main__":
    main()

"""Runs every benchmark and prints its table: `python -m tests.benchmarks [NAME…]`."""

import subprocess
import sys
from importlib import import_module

BENCHMARKS = (
    "start", "cover", "open-and-score", "annotate", "candidates", "assist", "rouge", "be",
    "oracles", "pseudo-pyramids", "correlations", "agreement", "merging", "shared-server", "scale",
    "end-to-end",
)  # fmt: skip


def main() -> None:
    """Runs the benchmarks named on the command line, all of them without names."""
    words = sys.argv[1:]
    if words and words[0] not in BENCHMARKS:
        raise SystemExit(f"It is one of {', '.join(BENCHMARKS)}; its own words follow it.")
    named = words if {*words} <= {*BENCHMARKS} else words[:1]
    if len(named) == 1:
        print(f"\n## {named[0]}\n", flush=True)
        import_module(f"tests.benchmarks.{named[0].replace('-', '_')}").main()
        return
    for name in named or BENCHMARKS:  # in processes of their own, as some need a QApplication
        subprocess.run([sys.executable, "-m", "tests.benchmarks", name], check=True)


if __name__ == "__main__":
    main()

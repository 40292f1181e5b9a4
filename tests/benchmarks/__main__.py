"""Runs every benchmark and prints its table: `python -m tests.benchmarks [NAME…]`."""

import sys
from importlib import import_module

BENCHMARKS = (
    "cover",
    "open_and_score",
    "annotate",
    "find",
    "candidates",
    "rouge",
    "be",
    "oracles",
    "pseudo_pyramids",
)


def main() -> None:
    """Runs the benchmarks named on the command line, all of them without names."""
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        import_module(f"tests.benchmarks.{name}").main()


if __name__ == "__main__":
    main()

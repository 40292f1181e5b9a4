"""Runs every benchmark and prints its table: `python -m tests.benchmarks [NAME…]`."""

import sys
from importlib import import_module

BENCHMARKS = (
    "cover", "open-and-score", "annotate", "random-actions", "find", "candidates", "rouge", "be",
    "oracles", "pseudo-pyramids", "correlations",
)  # fmt: skip


def main() -> None:
    """Runs the benchmarks named on the command line, all of them without names."""
    named = [word.replace("_", "-") for word in sys.argv[1:] if not word.isdigit()]
    for name in named or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        import_module(f"tests.benchmarks.{name.replace('-', '_')}").main()


if __name__ == "__main__":
    main()

"""Tries what docs/reliability.md promises: `python -m tests.proofs NAME HOW_OFTEN`."""

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import monotonic

FEWEST_FOR_MEMORY = 10_000
MOST_GROWTH = 0.1
"""Of the process, in the last quarter of the monkey's actions."""


def _counts(module: str, n: int) -> str:
    return str(dict(import_module(f"tests.proofs.{module}").run(n)))


def _monkey(n: int) -> str:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.proofs.monkey import growth, run

    seen = run(n)
    memory = ", ".join(f"{one:.0f}" for one in seen.memory_mb)
    if seen.faults:
        print("memory in MB:", memory)
        raise AssertionError("\n".join(dict.fromkeys(seen.faults)))
    if n >= FEWEST_FOR_MEMORY and growth(seen.memory_mb) > MOST_GROWTH:
        raise AssertionError(f"the process grows: {memory} MB")
    return f"{dict(seen.actions)}\n{dict(seen.windows.most_common())}\nmemory in MB: {memory}"


PROOFS: dict[str, Callable[[int], str]] = {
    "importers": partial(_counts, "importers"),
    "damage": partial(_counts, "damage"),
    "cuts": partial(_counts, "power_cuts"),
    "kills": partial(_counts, "kills"),
    "monkey": _monkey,
}


def main() -> None:
    """Runs one proof; an exception says what was found."""
    if len(sys.argv) != 3 or sys.argv[1] not in PROOFS or not sys.argv[2].isdecimal():
        sys.exit(f"python -m tests.proofs {{{'|'.join(PROOFS)}}} N")
    begin = monotonic()
    faulthandler.enable()
    if hasattr(signal, "SIGUSR1"):  # asked where it is, it says so and goes on
        faulthandler.register(signal.SIGUSR1)
    counts = PROOFS[sys.argv[1]](int(sys.argv[2]))
    print(f"{sys.argv[1]} {sys.argv[2]}: {counts}\n{monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()

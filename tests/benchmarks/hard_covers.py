"""Measures hard minimal covers beside their peers: `python -m tests.benchmarks.hard_covers`.

    python -m tests.benchmarks.hard_covers [CPU seconds] [a Python that has ortools]

Each solver runs in a process of its own and is ended after so many seconds of the processor; what
it has proved by then are its bounds on h. RC2 knows no cover before the last one. CP-SAT has eight
workers, which share the seconds. Without a Python that has ortools it is left out.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

from awase.core.solvers.cover.problem import CoverProblem
from tests.benchmarks.cover_instances import crossing, shared, steiner, uniform

CPU_S = 20
INSTANCES = {
    "Steiner 27": lambda: steiner(27),
    "Steiner 81": lambda: steiner(81),
    "Steiner 243": lambda: steiner(243),
    "crossing 40 x 200 x 10": lambda: crossing(random.Random(1), 40, 200, 10),
    "crossing 200 x 40 x 10": lambda: crossing(random.Random(1), 200, 40, 10),
    "uniform x10": lambda: uniform(random.Random(0), 10),
    "shared x10": lambda: shared(random.Random(0), 10),
}


def found(python: str, solver: str, problem: CoverProblem, cpu_s: int) -> str:
    """Returns what a solver has proved after so many seconds."""
    needs = json.dumps([[sorted(one) for one in need] for need in problem.needs])
    script = Path(__file__).with_name("cover_peers.py")
    path = os.pathsep.join(part for part in sys.path if part)
    environment = {**os.environ, **({"PYTHONPATH": path} if python == sys.executable else {})}
    run = subprocess.run(
        [python, str(script), solver, str(cpu_s)],
        input=needs,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = run.stdout.splitlines()
    is_proved = bool(lines) and lines[-1] == "proved"
    bounds = [line.split() for line in lines if line != "proved"]
    if not bounds:
        return "–"
    lower, upper = bounds[-1]
    return f"**{lower}**" if is_proved else f"{lower}–{'' if upper == '-1' else upper}"


def main(arguments: list[str]) -> None:
    cpu_s = int(arguments[0]) if arguments else CPU_S
    solvers = {"awase": sys.executable, "rc2": sys.executable, "highs": sys.executable}
    if len(arguments) > 1:
        solvers["cp-sat"] = arguments[1]
    print(f"bounds on h after {cpu_s} CPU s; **h** = proved\n")
    print(f"| instance | {' | '.join(solvers)} |")
    print("|---" * (1 + len(solvers)) + "|")
    for name, make in INSTANCES.items():
        problem = make()
        cells = [found(python, solver, problem, cpu_s) for solver, python in solvers.items()]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

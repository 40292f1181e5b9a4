"""Measures hard minimal covers beside their peers: `python -m tests.benchmarks.hard_covers`.

    python -m tests.benchmarks.hard_covers [CPU seconds] [a Python that has ortools]

Each solver runs in a process of its own and is ended after so many seconds of the processor; what
it has proved by then are its bounds on h. RC2 knows no cover before the last one. CP-SAT has eight
workers, which share the seconds. Without a Python that has ortools it is left out.

The second table is of instances that all of them solve: milliseconds of the processor until h is
proved; awase-all also finds the sentences in every and in no minimal cover and counts the covers.
CP-SAT has one worker there, and is core-guided, which is its best.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

from awase.core.solvers.cover.problem import CoverProblem
from tests.benchmarks.cover_instances import (
    KINDS,
    SMALL_OR_ALIKE,
    crossing,
    realistic,
    shared,
    steiner,
    uniform,
)

CPU_S = 20
INSTANCES = {
    "Steiner 27": lambda: steiner(27),
    "Steiner 81": lambda: steiner(81),
    "Steiner 243": lambda: steiner(243),
    "crossing 40 x 200 x 10": lambda: crossing(random.Random(1), 40, 200, 10),
    "crossing 200 x 40 x 10": lambda: crossing(random.Random(1), 200, 40, 10),
    "uniform x10": lambda: uniform(random.Random(0), 10),
    "shared x10": lambda: shared(random.Random(0), 10),
    # Between the sizes: some solver settles each within 20 s.
    "Steiner 45": lambda: steiner(45),
    "crossing 60 x 60 x 4": lambda: crossing(random.Random(3), 60, 60, 4),
    "crossing 100 x 30 x 8": lambda: crossing(random.Random(4), 100, 30, 8),
    "realistic x100": lambda: realistic(random.Random(0), 100),
    **{
        f"{make.__name__} x{scale}, seed {seed}": partial(make, random.Random(seed), scale)
        for make, scale, seed in (
            (shared, 3, 0),
            (shared, 3, 1),
            (uniform, 3, 2),
            (uniform, 4, 5),
            (uniform, 4, 0),
        )
    },
}


SOLVED = {
    "realistic x1": ("realistic", 1),
    "realistic x10": ("realistic", 10),
    "FEVER": ("FEVER", 1),
    "FAR": ("FAR", 1),
    "uniform x1": ("uniform", 1),
    "shared x1": ("shared", 1),
    "pairs": ("pairs", 1),
    "ring": ("ring", 1),
}
STEINER = (15, 27, 45)
N_SOLVED, AT_ONCE = 30, 10
PATIENCE_S = 300


def written(problem: CoverProblem) -> list[list[list[int]]]:
    return [[sorted(one) for one in need] for need in problem.needs]


def output_of(python: str, solver: str, cpu_s: int, what: object, *more: str) -> list[str]:
    """Returns the lines that a solver's own process prints."""
    script = Path(__file__).with_name("cover_peers.py")
    path = os.pathsep.join(part for part in sys.path if part)
    environment = {**os.environ, **({"PYTHONPATH": path} if python == sys.executable else {})}
    run = subprocess.run(
        [python, str(script), solver, str(cpu_s), *more],
        input=json.dumps(what),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.splitlines()


def times(python: str, solver: str, problems: list[CoverProblem]) -> list[tuple[int, float]]:
    """Returns h and the milliseconds it took, for each problem that was solved in time."""
    lines = output_of(python, solver, PATIENCE_S, [*map(written, problems)], "times")
    return [(int(h), float(ms)) for h, ms in map(str.split, lines)]


def compare_times(solvers: dict[str, str]) -> None:
    print("\n| instances | solver | median ms | p95 | max | it / ours, median | least | solved |")
    print("|---|---|---|---|---|---|---|---|")
    kinds = {**KINDS, **SMALL_OR_ALIKE}
    rows = {
        name: [kinds[kind](random.Random(seed), scale) for seed in range(N_SOLVED)]
        for name, (kind, scale) in SOLVED.items()
    }
    rows |= {f"Steiner {n_points}": [steiner(n_points)] for n_points in STEINER}
    for name, problems in rows.items():
        all_times: dict[str, list[tuple[int, float]]] = {solver: [] for solver in solvers}
        for first in range(0, len(problems), AT_ONCE):  # by turns, as the machine's pace changes
            for solver, python in solvers.items():
                all_times[solver] += times(python, solver, problems[first : first + AT_ONCE])
        ours = all_times["awase"]
        best = [1e9] * len(ours)
        for solver, found in all_times.items():
            assert all(h == own for (h, _), (own, _) in zip(found, ours, strict=False))
            ms = [ms for _, ms in found]
            print_times(name, solver, ms, ours)
            if not solver.startswith("awase"):
                best = [*map(min, best, ms), *best[len(ms) :]]
        print_times(name, "best of the others", best, ours)


def print_times(name: str, solver: str, ms: list[float], ours: list[tuple[int, float]]) -> None:
    ratios = [it / own for it, (_, own) in zip(ms, ours, strict=False)]
    print(
        f"| {name} | {solver} | {statistics.median(ms):.2f} | "
        f"{sorted(ms)[int(0.95 * len(ms))]:.2f} | {max(ms):.2f} | {statistics.median(ratios):.1f} "
        f"| {min(ratios):.2f} | {len(ms)} |",
        flush=True,
    )


def found(python: str, solver: str, problem: CoverProblem, cpu_s: int) -> str:
    """Returns what a solver has proved after so many seconds, and those it took."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = output_of(python, solver, cpu_s, written(problem))
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = f"{end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime:.1f} s"
    is_proved = bool(lines) and lines[-1] == "proved"
    # The last line may have been cut when the process was ended.
    bounds = [parts for parts in map(str.split, lines) if len(parts) == len(("lower", "upper"))]
    if not bounds:
        return "–"
    lower, upper = bounds[-1]
    return f"**{lower}** {taken}" if is_proved else f"{lower}–{'' if upper == '-1' else upper}"


def main(arguments: list[str]) -> None:
    cpu_s = int(arguments[0]) if arguments else CPU_S
    solvers = {"awase": sys.executable, "rc2": sys.executable, "highs": sys.executable}
    if len(arguments) > 1:
        solvers["cp-sat"] = arguments[1]
    print(f"bounds on h after {cpu_s} CPU s; **h** = proved, in so many of them\n")
    print(f"| instance | {' | '.join(solvers)} |")
    print("|---" * (1 + len(solvers)) + "|")
    for name, make in INSTANCES.items():
        problem = make()
        cells = [found(python, solver, problem, cpu_s) for solver, python in solvers.items()]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    compare_times({**solvers, "awase-all": sys.executable})


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measures minimal covers beside PuLP + CBC: `python -m tests.benchmarks.cover [n topics]`.

CPU milliseconds of this process and its children, building the model included, one thread. Ours
gives h with the sentences in every and in no minimal cover (and counts the covers up to 1,000);
CBC gives h alone, from the same problem, and is stopped after 10 s. "toggle" is one sentence put
into or taken out of an alternative, solved in a `CoverSession`; "in place" is with the effort limit
of the window, where "h known" tells how often that was enough.
"""

import random
import resource
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

import pulp

from awase.core.solvers.cover import CoverProblem
from awase.core.solvers.cover_solving import IN_PLACE_EFFORT, CoverSession, minimal_cover
from tests.benchmarks.cover_instances import KINDS, toggled

T = TypeVar("T")

N_TOGGLES = 20
CBC_LIMIT_S = 10


def cpu_ms() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = cpu_ms()
    answer = work()
    return cpu_ms() - start, answer


def by_cbc(problem: CoverProblem) -> int | None:
    """Returns h by the textbook program, None when CBC was stopped."""
    program = pulp.LpProblem("cover", pulp.LpMinimize)
    items = sorted({item for need in problem.needs for a in need for item in a})
    x = {item: program.add_variable(f"x{item}", cat=pulp.LpBinary) for item in items}
    program.setObjective(pulp.lpSum(x.values()))
    n_chosen = 0
    for need in problem.needs:
        chosen = []
        for alternative in need:
            n_chosen += 1
            chosen.append(program.add_variable(f"y{n_chosen}", cat=pulp.LpBinary))
            for item in alternative:
                program += chosen[-1] <= x[item]
        program += pulp.lpSum(chosen) >= 1
    cbc = pulp.COIN_CMD(
        path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False, threads=1, timeLimit=CBC_LIMIT_S
    )
    program.solve(cbc)
    optimal = program.sol_status == pulp.LpSolutionOptimal
    return round(pulp.value(program.objective)) if optimal else None


def measure(kind: str, scale: int, n_topics: int) -> Iterator[str]:
    cold, in_place, bounds, peer, toggles = [], [], [], [], []
    known = {"place": 0, "toggle": 0, "cbc": 0}
    for seed in range(n_topics):
        rng = random.Random(seed)
        problem = KINDS[kind](rng, scale)
        bounds.append(timed(partial(minimal_cover, problem, effort=0))[0])
        ms, result = timed(partial(minimal_cover, problem, effort=IN_PLACE_EFFORT))
        in_place.append(ms)
        known["place"] += result.h is not None
        if (kind, scale) in COLD:
            ms, result = timed(partial(minimal_cover, problem))
            cold.append(ms)
            ms, h = timed(partial(by_cbc, problem))
            peer.append(ms)
            known["cbc"] += h is not None
            assert h in (None, result.h)
        session = CoverSession()
        session.solve(problem, effort=IN_PLACE_EFFORT)
        for _ in range(N_TOGGLES):
            problem = toggled(problem, rng)
            ms, result = timed(partial(session.solve, problem, effort=IN_PLACE_EFFORT))
            toggles.append(ms)
            known["toggle"] += result.h is not None
    cbc = statistics.median(peer) if peer else None
    name = f"{kind} x{scale}"
    if cbc is not None:
        yield row(name, "PuLP + CBC (h alone)", peer, cbc, known["cbc"] / n_topics)
        yield row(name, "cold", cold, cbc, 1.0)
    yield row(name, "cold, in place", in_place, cbc, known["place"] / n_topics)
    yield row(name, "one toggle, in place", toggles, cbc, known["toggle"] / len(toggles))
    yield row(name, "quick bounds", bounds, cbc, None)


def row(kind: str, what: str, values: list[float], cbc: float | None, known: float | None) -> str:
    median = statistics.median(values)
    p95 = sorted(values)[int(0.95 * len(values))]
    ratio = f"{cbc / median:,.0f}" if cbc is not None else "-"
    share = f"{known:.0%}" if known is not None else "-"
    return f"| {kind} | {what} | {median:.2f} | {p95:.2f} | {max(values):.2f} | {ratio} | {share} |"


COLD = {(kind, 1) for kind in KINDS} | {("realistic", 10)}


def main(n_topics: int = 30) -> None:
    minimal_cover(KINDS["uniform"](random.Random(0), 1))  # imports python-sat
    print("| instances | solver | median ms | p95 | max | CBC median / median | h known |")
    print("|---|---|---|---|---|---|---|")
    for kind in KINDS:
        for scale in (1, 10):
            for line in measure(kind, scale, n_topics):
                print(line, flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

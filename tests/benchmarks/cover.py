"""Measures minimal covers beside PuLP + CBC.

CPU milliseconds, building the model included, one thread. Ours gives h with the sentences in every
and in no minimal cover (and counts the covers up to 1,000); CBC gives h alone, from the same
problem, and is stopped after 10 s. "one edit" is one sentence put into or taken out of an
alternative, solved in a `CoverSession` with the effort limit of the window; "h known" tells how
often that was enough.
"""

import random
import statistics
from functools import partial

import pulp

from awase.core.solvers.cover import CoverProblem
from awase.core.solvers.cover_solving import IN_PLACE_EFFORT, CoverSession, minimal_cover
from tests.benchmarks import timed
from tests.benchmarks.cover_instances import KINDS, toggled

N_TOPICS = 30
N_EDITS = 20
CBC_LIMIT_S = 10


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


def measure(kind: str, scale: int) -> None:
    cold, edits, peer = [], [], []
    n_known = n_known_by_cbc = 0
    for seed in range(N_TOPICS):
        rng = random.Random(seed)
        problem = KINDS[kind](rng, scale)
        ms, result = timed(partial(minimal_cover, problem))
        cold.append(ms)
        ms, h = timed(partial(by_cbc, problem))
        peer.append(ms)
        n_known_by_cbc += h is not None
        assert h in (None, result.h)
        session = CoverSession()
        session.solve(problem, effort=IN_PLACE_EFFORT)
        for _ in range(N_EDITS):
            problem = toggled(problem, rng)
            ms, result = timed(partial(session.solve, problem, effort=IN_PLACE_EFFORT))
            edits.append(ms)
            n_known += result.h is not None
    for what, values, share in (
        ("PuLP + CBC (h alone)", peer, n_known_by_cbc / N_TOPICS),
        ("cold", cold, 1.0),
        ("one edit", edits, n_known / len(edits)),
    ):
        median = statistics.median(values)
        print(f"| {kind} x{scale} | {what} | {median:.2f} | {share:.0%} |", flush=True)


def main() -> None:
    minimal_cover(KINDS["uniform"](random.Random(0), 1))  # imports python-sat
    print("| instances | solver | median ms | h known |\n|---|---|---|---|")
    for kind, scale in (("realistic", 1), ("realistic", 10), ("uniform", 1), ("shared", 1)):
        measure(kind, scale)

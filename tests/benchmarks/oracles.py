"""Measures extractive oracles beside other solvers: `python -m tests.benchmarks.oracles [n]`.

CPU milliseconds of this process and its children, building the model included, one thread. Ours is
the optimal oracle, its value proved, and by the tie rule (fewest words, then earliest units) where
that is settled within its effort; the integer program (PuLP + CBC) gives the same, and does it all
where the kernel is not there.
"""

import random
import statistics
import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

from awase.core.solvers.budget import RULES, greedy, value_of
from awase.core.solvers.budget_solving import optima_of, solve_budget
from tests.benchmarks.cover import timed
from tests.benchmarks.oracle_instances import rouge_2_instance

COLUMNS = (
    ("sentences", 250, 100),
    ("EDUs", 600, 100),
    ("sentences", 725, 250),
    ("EDUs", 1500, 250),
)


def measure(kind: str, n_units: int, limit: int, n_topics: int) -> None:
    times: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {rule: [] for rule in RULES}
    n_ties, n_settled = [], 0
    for seed in range(n_topics):
        problem = rouge_2_instance(random.Random(seed), kind, n_units, limit)
        ms, answer = timed(partial(solve_budget, problem))
        times.setdefault("ours", []).append(ms)
        n_settled += answer.is_settled
        ms, theirs = timed(partial(solve_budget, problem, engine="ilp"))
        times.setdefault("PuLP + CBC", []).append(ms)
        assert theirs == answer
        for rule in RULES:
            ms, chosen = timed(partial(greedy, problem, rule))
            times.setdefault(f"greedy by {rule}", []).append(ms)
            losses[rule].append(1 - value_of(problem, chosen) / answer.value)
        ms, ties = timed(partial(optima_of, problem, answer, max_optima=100, time_limit_s=5))
        times.setdefault("all optimal oracles, up to 100", []).append(ms)
        n_ties.append(len(ties.sets))
    cbc = statistics.median(times["PuLP + CBC"])
    for who, of in times.items():
        median = statistics.median(of)
        loss = losses.get(who.removeprefix("greedy by "))
        note = f"loses {statistics.mean(loss):.1%}, at most {max(loss):.1%}" if loss else ""
        if who == "ours":
            note = f"ties settled in {n_settled} of {n_topics}"
        if who.startswith("all"):
            note = f"median {statistics.median(n_ties):.0f}, alone in {n_ties.count(1)}"
        print(
            f"| {n_units} {kind}, {limit} words | {who} | {median:.2f} | {max(of):.2f} | "
            f"{cbc / median:.1f} | {note} |",
            flush=True,
        )


def main(n_topics: int = 20) -> None:
    solve_budget(rouge_2_instance(random.Random(0), "sentences", 50, 50), engine="ilp")
    print("| instances | solver | median ms | max | CBC / it | |")
    print("|---|---|---|---|---|---|")
    for kind, n_units, limit in COLUMNS:
        measure(kind, n_units, limit, n_topics)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

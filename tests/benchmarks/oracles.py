"""Measures extractive oracles beside other solvers.

CPU milliseconds, building the model included, one thread. Ours is the optimal oracle, its value
proved, and by the tie rule (fewest words, then earliest units) where that is settled within its
effort; the integer program (PuLP + CBC) gives the same, and does it all where the kernel is not
there. Greedy oracles are shown for what they lose.
"""

import random
import statistics
from functools import partial

from awase.core.solvers.budget import RULES, greedy, value_of
from awase.core.solvers.budget_solving import solve_budget
from tests.benchmarks import timed
from tests.benchmarks.oracle_instances import rouge_2_instance

N_TOPICS = 20
COLUMNS = (
    ("sentences", 250, 100),
    ("EDUs", 600, 100),
    ("sentences", 725, 250),
    ("EDUs", 1500, 250),
)


def measure(kind: str, n_units: int, limit: int) -> None:
    own, theirs = [], []
    losses: dict[str, list[float]] = {rule: [] for rule in RULES}
    n_settled = 0
    for seed in range(N_TOPICS):
        problem = rouge_2_instance(random.Random(seed), kind, n_units, limit)
        ms, answer = timed(partial(solve_budget, problem))
        own.append(ms)
        n_settled += answer.is_settled
        ms, same = timed(partial(solve_budget, problem, engine="ilp"))
        theirs.append(ms)
        assert same == answer
        for rule in RULES:
            losses[rule].append(1 - value_of(problem, greedy(problem, rule)) / answer.value)
    median, cbc = statistics.median(own), statistics.median(theirs)
    lost = ", ".join(f"{rule} {statistics.mean(loss):.1%}" for rule, loss in losses.items())
    print(
        f"| {n_units} {kind}, {limit} words | {median:.2f} | {cbc:.0f} | {cbc / median:.0f} | "
        f"{n_settled} of {N_TOPICS} | {lost} |",
        flush=True,
    )


def main() -> None:
    solve_budget(rouge_2_instance(random.Random(0), "sentences", 50, 50), engine="ilp")
    print("| instances | ours, ms | PuLP + CBC, ms | ratio | ties settled | greedy loses |")
    print("|---|---|---|---|---|---|")
    for column in COLUMNS:
        measure(*column)

"""Measures extractive oracles beside other solvers: `python -m tests.benchmarks.oracles [n]`.

CPU milliseconds of this process and its children, building the model included, one thread. Ours is
the optimal oracle, its value proved, and by the tie rule (fewest words, then earliest units) where
that is settled within its effort; bare HiGHS and PuLP + CBC are asked for the value alone, by the
textbook model of docs/oracles.md.
"""

import random
import statistics
import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

import highspy
import numpy as np

from awase.core.solvers.budget.greedy import RULES, greedy
from awase.core.solvers.budget.ilp import solve_by_ilp
from awase.core.solvers.budget.problem import BudgetProblem, value_of
from awase.core.solvers.budget.solving import optima_of, solve_budget
from tests.benchmarks.cover import timed
from tests.benchmarks.oracle_instances import rouge_2_instance

COLUMNS = (
    ("sentences", 250, 100),
    ("EDUs", 600, 100),
    ("sentences", 725, 250),
    ("EDUs", 1500, 250),
)


def by_highs(problem: BudgetProblem) -> int:
    """Returns the highest value by the textbook program, passed to HiGHS in one piece."""
    units = [u for u, gains in enumerate(problem.gains) if gains]
    column = {unit: idx for idx, unit in enumerate(units)}
    supports: dict[int, list[tuple[int, int]]] = {}
    for unit in units:
        for feature, count in problem.gains[unit].items():
            supports.setdefault(feature, []).append((column[unit], count))
    n, rows = len(units), len(supports) + 1
    starts, columns, entries = [0, n], [*range(n)], [float(problem.lengths[u]) for u in units]
    for idx, counts in enumerate(supports.values()):
        columns += [n + idx, *(unit for unit, _ in counts)]
        entries += [1.0, *(-float(count) for _, count in counts)]
        starts.append(len(columns))
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n + rows - 1, rows
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.array([0.0] * n + [1.0] * (rows - 1))
    lp.col_lower_ = np.zeros(n + rows - 1)
    lp.col_upper_ = np.array([1.0] * n + [float(problem.caps[f]) for f in supports])
    lp.row_lower_ = np.full(rows, -np.inf)
    lp.row_upper_ = np.array([float(problem.limit)] + [0.0] * (rows - 1))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.array(starts, np.int32)
    lp.a_matrix_.index_ = np.array(columns, np.int32)
    lp.a_matrix_.value_ = np.array(entries)
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger] * n + [kinds.kContinuous] * (rows - 1)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.passModel(lp)
    highs.run()
    return round(highs.getInfo().objective_function_value)


def measure(kind: str, n_units: int, limit: int, n_topics: int) -> None:
    times: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {rule: [] for rule in RULES}
    n_ties, n_settled = [], 0
    for seed in range(n_topics):
        problem = rouge_2_instance(random.Random(seed), kind, n_units, limit)
        ms, answer = timed(partial(solve_budget, problem))
        times.setdefault("ours", []).append(ms)
        n_settled += answer.is_settled
        ms, answer = timed(partial(solve_budget, problem, tie_steps=0))
        times.setdefault("ours, ties not looked at", []).append(ms)
        ms, value = timed(partial(by_highs, problem))
        times.setdefault("bare HiGHS", []).append(ms)
        assert value == answer.value
        ms, theirs = timed(partial(solve_by_ilp, problem))
        times.setdefault("PuLP + CBC", []).append(ms)
        assert theirs.value == answer.value
        for rule in RULES:
            ms, chosen = timed(partial(greedy, problem, rule))
            times.setdefault(f"greedy by {rule}", []).append(ms)
            losses[rule].append(1 - value_of(problem, chosen) / answer.value)
        ms, ties = timed(partial(optima_of, problem, answer, max_optima=100, time_limit_s=5))
        times.setdefault("all optimal oracles, up to 100", []).append(ms)
        n_ties.append(len(ties.sets))
    cbc, bare = (statistics.median(times[who]) for who in ("PuLP + CBC", "bare HiGHS"))
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
            f"{bare / median:.1f} | {cbc / median:.1f} | {note} |",
            flush=True,
        )


def main(n_topics: int = 20) -> None:
    solve_budget(rouge_2_instance(random.Random(0), "sentences", 50, 50), engine="highs")
    print("| instances | solver | median ms | max | HiGHS / it | CBC / it | |")
    print("|---|---|---|---|---|---|---|")
    for kind, n_units, limit in COLUMNS:
        measure(kind, n_units, limit, n_topics)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

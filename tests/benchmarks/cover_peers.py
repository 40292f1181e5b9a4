"""One solver on minimal covers, in a process of its own.

    python cover_peers.py SOLVER CPU_SECONDS < needs.json
    python cover_peers.py SOLVER CPU_SECONDS times < list_of_needs.json

SOLVER is awase (h, as the others look for it), awase-all (a cover, what all minimal ones have in
common, and their number), rc2, highs or cp-sat.
The first form solves one problem and prints its bounds as they move. The second solves several, and
prints h and the milliseconds of the processor that each took, building the model included and
imports not. The process is ended by the system after so many seconds of the processor, all its
threads together. It imports nothing but the solver, so that one of them can run in an environment
of its own: highspy and ortools cannot be in one process.
"""

import json
import math
import os
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

Needs = list[list[list[int]]]

LEAST_S = 0.05
"""A problem is solved twice as often each time until that has taken so long."""


class Bounds:
    """Prints `lower upper` whenever one of them moves; -1 = unknown."""

    def __init__(self) -> None:
        self.lower, self.upper = 0, -1

    def tell(self, lower: float = 0, upper: float = -1) -> None:
        now = max(self.lower, math.ceil(lower - 1e-6)), _least(self.upper, round(upper))
        if now != (self.lower, self.upper):
            self.lower, self.upper = now
            print(*now, flush=True)
        if self.lower == self.upper:
            print("proved", flush=True)
            sys.stdout.close()
            _leave()


class Quietly(Bounds):
    """Bounds that only remember what was told last."""

    def tell(self, lower: float = 0, upper: float = -1) -> None:
        self.lower, self.upper = math.ceil(lower - 1e-6), round(upper)


Solve = Callable[[Needs, Bounds], None]
"""What a solver is once it is imported."""


def _leave() -> None:
    import os

    os._exit(0)


def _least(one: int, other: int) -> int:
    known = [value for value in (one, other) if value >= 0]
    return min(known, default=-1)


def by_awase(max_covers: int = 0) -> Solve:
    from awase.core.solvers.cover.bounds_by_search import solve_reporting_bounds
    from awase.core.solvers.cover.problem import CoverProblem, MinimalCover
    from awase.core.solvers.cover.sizes import cover_size
    from awase.core.solvers.cover.solving import minimal_cover

    def solve(needs: Needs, bounds: Bounds) -> None:
        if isinstance(bounds, Quietly) and not max_covers:
            size = cover_size(needs)
            assert size is not None
            bounds.tell(*size)
            return

        def tell(answer: MinimalCover) -> None:
            bounds.tell(answer.lower or 0, answer.upper or 0)

        problem = CoverProblem(needs=tuple(tuple(map(frozenset, need)) for need in needs))
        if isinstance(bounds, Quietly):
            tell(minimal_cover(problem, max_covers=max_covers))
            return
        tell(solve_reporting_bounds(problem, 1, tell)[0])

    return solve


def by_rc2() -> Solve:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    class Telling(RC2):
        def __init__(self, formula: WCNF, bounds: Bounds) -> None:
            self.bounds = bounds
            super().__init__(formula)

        def process_core(self) -> None:
            super().process_core()
            self.bounds.tell(self.cost)

    def solve(needs: Needs, bounds: Bounds) -> None:
        items, chosen, formula = _variables(needs), {}, WCNF()
        top = len(items)
        for need in needs:
            clause = []
            for alternative in map(tuple, need):
                if len(alternative) == 1:
                    clause.append(items[alternative[0]])
                    continue
                if alternative not in chosen:
                    top += 1
                    chosen[alternative] = top
                    for item in alternative:
                        formula.append([-top, items[item]])
                clause.append(chosen[alternative])
            formula.append(clause)
        for variable in items.values():
            formula.append([-variable], weight=1)
        solver = Telling(formula, bounds)
        solver.compute()
        bounds.tell(solver.cost, solver.cost)

    return solve


def by_highs() -> Solve:
    import highspy

    def solve(needs: Needs, bounds: Bounds) -> None:
        highs = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
            highs.setOptionValue(option, value)

        def column(cost: float) -> int:
            number = highs.getNumCol()
            highs.addCol(cost, 0.0, 1.0, 0, [], [])
            highs.changeColIntegrality(number, highspy.HighsVarType.kInteger)
            return number

        items = {item: column(1.0) for item in _variables(needs)}
        for need in needs:
            row: list[int] = []
            for alternative in map(list, dict.fromkeys(map(tuple, need))):  # a row refuses repeats
                if len(alternative) == 1:
                    row.append(items[alternative[0]])
                    continue
                row.append(column(0.0))
                for item in alternative:
                    highs.addRow(0.0, math.inf, 2, [row[-1], items[item]], [-1.0, 1.0])
            highs.addRow(1.0, math.inf, len(row), row, [1.0] * len(row))

        def on_event(_kind: object, _text: str, out: object, _into: object, _user: object) -> None:
            lower, upper = out.mip_dual_bound, out.mip_primal_bound
            bounds.tell(lower if math.isfinite(lower) else 0, upper if math.isfinite(upper) else -1)

        highs.setCallback(on_event, None)
        highs.startCallback(highspy.cb.HighsCallbackType.kCallbackMipInterrupt)
        highs.run()
        found = highs.getInfo().objective_function_value
        bounds.tell(found, found)

    return solve


def by_cp_sat() -> Solve:
    from ortools.sat.python import cp_model

    class Telling(cp_model.CpSolverSolutionCallback):
        def __init__(self, bounds: Bounds) -> None:
            super().__init__()
            self.bounds = bounds

        def on_solution_callback(self) -> None:
            self.bounds.tell(self.best_objective_bound, self.objective_value)

    def solve(needs: Needs, bounds: Bounds) -> None:
        model = cp_model.CpModel()
        items = {item: model.new_bool_var("") for item in _variables(needs)}
        for need in needs:
            clause = []
            for alternative in need:
                if len(alternative) == 1:
                    clause.append(items[alternative[0]])
                    continue
                clause.append(model.new_bool_var(""))
                for item in alternative:
                    model.add_implication(clause[-1], items[item])
            model.add_bool_or(clause)
        model.minimize(sum(items.values()))

        solver = cp_model.CpSolver()
        if isinstance(bounds, Quietly):
            solver.parameters.num_workers = 1
            solver.parameters.optimize_with_core = True
        else:
            solver.parameters.num_workers = 8
        solver.best_bound_callback = lambda bound: bounds.tell(bound)
        solver.solve(model, Telling(bounds))
        bounds.tell(solver.best_objective_bound, solver.objective_value)

    return solve


def _variables(needs: Needs) -> dict[int, int]:
    items = sorted({item for need in needs for alternative in need for item in alternative})
    return {item: number for number, item in enumerate(items, 1)}


SOLVERS: dict[str, Callable[[], Solve]] = {
    "awase": by_awase,
    "awase-all": partial(by_awase, 1_000),
    "rc2": by_rc2,
    "highs": by_highs,
    "cp-sat": by_cp_sat,
}

if __name__ == "__main__":
    solver, cpu_s = sys.argv[1], int(sys.argv[2])
    sys.stdout = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # some releases of HiGHS name themselves there, whatever they are told
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    given, solve = json.load(sys.stdin), SOLVERS[solver]()
    if sys.argv[3:] == ["times"]:
        for needs in given:  # imports what any of them needs
            solve(needs, Quietly())
        for needs in given:
            spent_s, n_times, told = 0.0, 1, Quietly()
            while spent_s < LEAST_S:  # asking the clock may take longer than a small problem
                n_times *= 2
                begin = time.process_time()
                for _ in range(n_times):
                    solve(needs, told)
                spent_s = time.process_time() - begin
            print(told.upper, 1000 * spent_s / n_times, flush=True)
    else:
        solve(given, Bounds())

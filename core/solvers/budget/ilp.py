"""Budgeted coverage by PuLP with CBC: the textbook program, to disagree with the other engines.

It shares no presolve with them, and no code but the problem itself.
"""

import pulp

from awase.core.solvers.budget.problem import (
    BudgetAnswer,
    BudgetProblem,
    irredundant,
    value_of,
    verified,
)
from awase.core.solvers.status import Status


def solve_by_ilp(problem: BudgetProblem, time_limit_s: float | None = None) -> BudgetAnswer:
    """Returns a set of highest value; length and order are those that CBC happens on.

    It is called TIMED_OUT, with every feature at its cap as the bound, when the time ran out.
    """
    program = pulp.LpProblem("budget", pulp.LpMaximize)
    units = [
        unit
        for unit, gains in enumerate(problem.gains)
        if gains and problem.lengths[unit] <= problem.limit
    ]
    x = {unit: program.add_variable(f"x{unit}", cat=pulp.LpBinary) for unit in units}
    supports: dict[int, list[tuple[int, int]]] = {}
    for unit in units:
        for feature, count in problem.gains[unit].items():
            supports.setdefault(feature, []).append((unit, count))
    z = {f: program.add_variable(f"z{f}", 0, problem.caps[f]) for f in supports}
    program.setObjective(pulp.lpSum(z.values()))
    for feature, counts in supports.items():
        program += z[feature] <= pulp.lpSum([count * x[unit] for unit, count in counts])
    program += pulp.lpSum([problem.lengths[unit] * x[unit] for unit in units]) <= problem.limit
    # WORKAROUND (until PuLP 4): PULP_CBC_CMD itself warns; this is the CBC that PuLP 3 carries.
    cbc = pulp.COIN_CMD(
        path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False, threads=1, timeLimit=time_limit_s
    )
    program.solve(cbc)
    chosen = irredundant(problem, [u for u in units if (x[u].value() or 0.0) > 0.5])
    if program.sol_status == pulp.LpSolutionOptimal:
        return verified(problem, Status.OPTIMAL, chosen, value_of(problem, chosen))
    return verified(problem, Status.TIMED_OUT, chosen, sum(problem.caps[f] for f in supports))

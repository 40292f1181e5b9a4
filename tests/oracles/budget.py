"""Budgeted coverage by looking at every subset."""

from itertools import combinations

from awase.core.solvers.budget import BudgetProblem


def value(problem: BudgetProblem, chosen: tuple[int, ...]) -> int:
    return sum(
        min(cap, sum(problem.gains[unit].get(feature, 0) for unit in chosen))
        for feature, cap in enumerate(problem.caps)
    )


def length(problem: BudgetProblem, chosen: tuple[int, ...]) -> int:
    return sum(problem.lengths[unit] for unit in chosen)


def feasible(problem: BudgetProblem) -> list[tuple[int, ...]]:
    n = len(problem.lengths)
    return [
        chosen
        for size in range(n + 1)
        for chosen in combinations(range(n), size)
        if length(problem, chosen) <= problem.limit
    ]


def best(problem: BudgetProblem) -> tuple[int, ...]:
    return min(feasible(problem), key=lambda c: (-value(problem, c), length(problem, c), c))


def optima(problem: BudgetProblem) -> set[tuple[int, ...]]:
    sets = feasible(problem)
    highest = max(value(problem, chosen) for chosen in sets)
    optimal = {chosen for chosen in sets if value(problem, chosen) == highest}
    return {c for c in optimal if not any({*other} < {*c} for other in optimal)}

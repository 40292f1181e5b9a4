"""The search for the best set in the compiled kernel, where it is there."""

from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from awase.core.kernel.arrays import passed
from awase.core.kernel.binding import kernel
from awase.core.solvers.budget.problem import BudgetProblem, Chosen

_MOST_FLAGS = 1 << 26
_SETTLED, _HIGHEST = 0, 2


class Found(NamedTuple):
    """What the search came to.

    Attributes:
        chosen: The best set it found.
        upper: No set has a higher value.
        is_highest: Whether no set has a higher value.
        is_settled: Whether, of the sets of that value, none is shorter, and of those as short it is
            the first.
        steps: How many it took.
    """

    chosen: Chosen
    upper: int
    is_highest: bool
    is_settled: bool
    steps: int


def search_compiled(problem: BudgetProblem, steps: int, tie_steps: int) -> Found | None:
    """Returns the best set, or the best one within the steps; None = without the kernel.

    Args:
        problem: What is to be chosen from.
        steps: Sets looked at for the value and the length.
        tie_steps: Sets looked at for the first of equals.
    """
    library = kernel()
    if library is None:
        return None
    numbers = _numbers_of(problem)
    efforts, told = np.array([steps, tie_steps], np.int64), np.zeros(3, np.int64)
    chosen = np.zeros(len(problem.lengths), np.uint8)
    done = library.call(
        "awase_budget", *(passed(array, "int64") for array in numbers), problem.limit,
        passed(efforts, "int64"), passed(chosen, "uint8"), passed(told, "int64"),
    )  # fmt: skip
    if not done:
        return None
    status, upper, n_steps = told.tolist()
    return Found(
        chosen=tuple(np.flatnonzero(chosen).tolist()),
        upper=upper,
        is_highest=status <= _HIGHEST,
        is_settled=status == _SETTLED,
        steps=n_steps,
    )


def collect_compiled(
    problem: BudgetProblem, value: int, steps: int, max_sets: int
) -> tuple[list[Chosen], bool] | None:
    """Returns the irredundant sets of this value, the highest, and whether they are all.

    Args:
        problem: What is to be chosen from.
        value: At least 1.
        steps: Sets looked at.
        max_sets: How many are returned at most.

    Returns:
        None without the kernel, or where that is too much for it.
    """
    library, n_units = kernel(), len(problem.lengths)
    if library is None or n_units * max_sets > _MOST_FLAGS:
        return None
    sets, told = np.zeros((max_sets, n_units), np.uint8), np.zeros(3, np.int64)
    numbers = _numbers_of(problem)
    done = library.call(
        "awase_budget_ties", *(passed(array, "int64") for array in numbers), problem.limit,
        value, steps, passed(sets, "uint8"), passed(told, "int64"),
    )  # fmt: skip
    if not done:
        return None
    n_sets, are_all, _ = told.tolist()
    return [tuple(np.flatnonzero(row).tolist()) for row in sets[:n_sets]], bool(are_all)


def _numbers_of(problem: BudgetProblem) -> tuple["np.ndarray[tuple[int], np.dtype[np.int64]]", ...]:
    """Returns lengths, where the gains of each unit begin, their features and counts, and caps."""
    counted = [len(gains) for gains in problem.gains]
    n_entries = sum(counted)
    return (
        np.array(problem.lengths, np.int64),
        np.array([0, *accumulate(counted)], np.int64),
        np.fromiter(chain.from_iterable(problem.gains), np.int64, n_entries),
        np.fromiter(
            chain.from_iterable(gains.values() for gains in problem.gains), np.int64, n_entries
        ),
        np.array(problem.caps, np.int64),
    )

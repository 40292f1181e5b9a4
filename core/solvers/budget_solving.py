"""Exact budgeted coverage: the kernel's search, then the integer program.

`auto`, the default, searches in the compiled kernel; what that does not finish or settle, or
everything without a kernel, goes to the integer program, with the same tie rule.
"""

from collections.abc import Callable, Mapping
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np

from awase.core.kernel.binding import kernel, passed
from awase.core.solvers.budget import (
    BudgetAnswer,
    BudgetProblem,
    Chosen,
    OnNews,
    Optima,
    irredundant,
    is_irredundant,
    length_of,
    value_of,
    verified,
)
from awase.core.solvers.cover import Status

Engine = Callable[[BudgetProblem, float | None, OnNews], BudgetAnswer]

DEFAULT_ENGINE: Final = "auto"
MAX_OPTIMA: Final = 1_000

# Of the kernel, which cannot be stopped from outside: a quarter of a second; where it settles the
# value at all, a hundredth of them is enough.
_STEPS: Final = 3_000_000
_TIE_STEPS: Final = 2_000_000  # a fifth of a second
_STEPS_A_SECOND: Final = 10_000_000


def ignore_bounds(value: int, upper: int) -> None:
    """Ignores progress."""


def solve_budget(
    problem: BudgetProblem,
    *,
    engine: str = DEFAULT_ENGINE,
    time_limit_s: float | None = None,
    on_news: OnNews = ignore_bounds,
) -> BudgetAnswer:
    """Returns the best set: highest value, then least length, then earliest units.

    After the integer program's time limit it is TIMED_OUT, with a bound, or its ties are not
    settled.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    on_news(0, sum(problem.caps))
    return ENGINES[engine](problem, time_limit_s, on_news)


def optima_of(
    problem: BudgetProblem,
    answer: BudgetAnswer,
    *,
    max_optima: int = MAX_OPTIMA,
    engine: str = DEFAULT_ENGINE,
    time_limit_s: float | None = None,
    on_news: OnNews = ignore_bounds,
) -> Optima:
    """Returns the sets of the highest value from which no unit can be left out without loss.

    If there are more than `max_optima`, or no time is left, only `answer.chosen`, which has to be
    proved: which others are found first is chance.
    """
    if answer.status is not Status.OPTIMAL:
        raise ValueError("only of a proved answer the ties are known")
    found: tuple[list[Chosen], bool] | None = None
    if not answer.value:
        found = [()], True
    elif engine == DEFAULT_ENGINE:
        found = collect_compiled(problem, answer.value, _TIE_STEPS, max_optima + 1)
    if found is None or (not found[1] and len(found[0]) <= max_optima):
        from awase.core.solvers.ilp import optima_by_ilp  # 120 ms to import

        found = optima_by_ilp(problem, answer.value, max_optima, time_limit_s, on_news)
    sets, are_all = found
    if not are_all or len(sets) > max_optima:
        return Optima(sets=(answer.chosen,), are_all=False)
    if answer.chosen not in sets:
        raise RuntimeError(f"an optimal set is not among all of them: units {answer.chosen}")
    for chosen in sets:
        if value_of(problem, chosen) != answer.value or not is_irredundant(problem, chosen):
            raise RuntimeError(f"a set counted as optimal is not: units {chosen}")
    ordered = sorted(sets, key=lambda chosen: (length_of(problem, chosen), chosen))
    return Optima(sets=tuple(ordered), are_all=True)


def _auto(problem: BudgetProblem, time_limit_s: float | None, on_news: OnNews) -> BudgetAnswer:
    steps, ties = _STEPS, _TIE_STEPS
    if time_limit_s is not None:
        most = int(_STEPS_A_SECOND * time_limit_s)
        steps, ties = min(steps, most), min(ties, most)
    found = search_compiled(problem, steps, ties)
    if found is None:
        return _ilp(problem, time_limit_s, on_news)
    if found.is_settled:
        value = value_of(problem, found.chosen)
        return verified(problem, Status.OPTIMAL, found.chosen, value, is_settled=True)
    chosen = irredundant(problem, found.chosen)
    status = Status.OPTIMAL if found.is_highest else Status.TIMED_OUT
    known = verified(problem, status, chosen, found.upper)
    on_news(known.value, known.upper)
    return _ilp(problem, time_limit_s, on_news, known)


def _ilp(
    problem: BudgetProblem,
    time_limit_s: float | None,
    on_news: OnNews,
    known: BudgetAnswer | None = None,
) -> BudgetAnswer:
    from awase.core.solvers.ilp import solve_by_ilp  # 120 ms to import

    return solve_by_ilp(problem, time_limit_s, on_news, known)


ENGINES: Mapping[str, Engine] = {"auto": _auto, "ilp": _ilp}  # the engines by name


_MOST_FLAGS: Final = 1 << 26
_SETTLED, _HIGHEST = 0, 2


class SearchResult(NamedTuple):
    """Result of the kernel's search."""

    chosen: Chosen
    upper: int
    is_highest: bool
    # Whether, of the sets of that value, none is shorter, and of those as short it is the first.
    is_settled: bool


def search_compiled(problem: BudgetProblem, steps: int, tie_steps: int) -> SearchResult | None:
    """Returns the best set within the steps; None = no kernel. `tie_steps` limits tie-breaking."""
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
    status, upper, _ = told.tolist()
    return SearchResult(
        chosen=tuple(np.flatnonzero(chosen).tolist()),
        upper=upper,
        is_highest=status <= _HIGHEST,
        is_settled=status == _SETTLED,
    )


def collect_compiled(
    problem: BudgetProblem, value: int, steps: int, max_sets: int
) -> tuple[list[Chosen], bool] | None:
    """Returns the irredundant sets of the highest value, and whether they are all.

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
    """Returns CSR arrays: lengths, offsets, features, counts, and caps."""
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

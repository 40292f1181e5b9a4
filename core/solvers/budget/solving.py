"""Solves budgeted coverage exactly: the door to the engines.

`auto`, the default, searches itself as long as that is quick, in the compiled kernel where it is
there, and lets HiGHS prove the value of the rest. Which of the sets of the highest value comes
first is then settled by a longer search; should that not end either, the answer says so, or HiGHS
is made to settle it, which may take minutes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from awase.core.solvers.budget.compiled import Found, collect_compiled, search_compiled
from awase.core.solvers.budget.greedy import RULES, greedy
from awase.core.solvers.budget.presolve import ReducedProblem, reduced
from awase.core.solvers.budget.problem import (
    BudgetAnswer,
    BudgetProblem,
    Chosen,
    Optima,
    irredundant,
    is_irredundant,
    length_of,
    value_of,
    verified,
)
from awase.core.solvers.budget.search import BudgetSearch
from awase.core.solvers.cbc import check_cbc_is_installed
from awase.core.solvers.effort import Effort, EffortSpent, Status

OnNews = Callable[[int, int], None]
"""Takes the value of the best set so far and a bound of the highest; what it raises ends the
work and is raised again."""


class _Wish(NamedTuple):
    """What else `solve_budget` was told."""

    time_limit_s: float | None
    settles: bool
    tie_steps: int


Engine = Callable[[BudgetProblem, _Wish, OnNews], BudgetAnswer]

DEFAULT_ENGINE = "auto"
MAX_OPTIMA = 1_000

_SEARCH_STEPS = 25_000
"""Beyond so many steps HiGHS is faster than our search (measured by `benchmarks/oracles.py`)."""
_MANY_UNITS, _FEW_STEPS = 300, 3_000
"""Of more units than this the search is seldom the faster one; it then looks at the easy ones."""
TIE_STEPS = 100_000
"""About a tenth of a second."""
_STEPS_A_SECOND = 1_000_000
_COMPILED_STEPS = 3_000_000
"""Of the kernel, which cannot be stopped from outside: a quarter of a second; where it settles the
value at all, a hundredth of them is enough."""
_COMPILED_TIE_STEPS = 30_000_000
_COMPILED_A_SECOND = 10_000_000
_COMPILED_A_STEP = 20
"""Steps of the kernel for one of the search in Python; in all a twentieth of a second."""
_FEW_TIED = 8
"""So many sets of the same value and length are told apart one by one."""


def ignore_bounds(value: int, upper: int) -> None:
    """Listens to a solver, and does nothing."""


def solve_budget(
    problem: BudgetProblem,
    *,
    engine: str = DEFAULT_ENGINE,
    time_limit_s: float | None = None,
    settles: bool = False,
    tie_steps: int = TIE_STEPS,
    on_news: OnNews = ignore_bounds,
) -> BudgetAnswer:
    """Returns the best set: highest value, then least length, then earliest units.

    Args:
        problem: What is to be chosen from.
        engine: One of `ENGINES`; `ilp` settles the value only, unless it `settles`.
        time_limit_s: Seconds for each integer program, and for the search of `search` as many steps
            as they have microseconds; None = no limit. When they are over, the answer is TIMED_OUT,
            with a bound.
        settles: Whether ties are settled however long that takes.
        tie_steps: How much work is otherwise spent on them once the value is proved.
        on_news: Told of progress, some ten times a second when it takes long.

    Raises:
        ValueError: There is no such engine.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    on_news(0, sum(problem.caps))
    return ENGINES[engine](problem, _Wish(time_limit_s, settles, tie_steps), on_news)


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

    Args:
        problem: What was chosen from.
        answer: Its proved answer.
        max_optima: How many are returned at most; `answer.chosen` is one of them.
        engine: `search` or `highs`, which end when all are found, or `auto`, a search that may
            end before, with `are_all` False.
        time_limit_s: Seconds for each integer program; when they are over, `are_all` is False.
        on_news: Told of progress.

    Raises:
        ValueError: The answer is not proved.
    """
    if answer.status is not Status.OPTIMAL:
        raise ValueError("only of a proved answer the ties are known")
    sets, are_all = _optima(problem, answer.value, max_optima, engine, time_limit_s, on_news)
    if answer.chosen not in sets:
        if are_all:
            raise RuntimeError(f"an optimal set is not among all of them: units {answer.chosen}")
        sets = [answer.chosen, *sets[: max_optima - 1]]
    for chosen in sets:
        if value_of(problem, chosen) != answer.value or not is_irredundant(problem, chosen):
            raise RuntimeError(f"a set counted as optimal is not: units {chosen}")
    ordered = sorted(sets, key=lambda chosen: (length_of(problem, chosen), chosen))
    return Optima(sets=tuple(ordered), are_all=are_all)


def _optima(
    problem: BudgetProblem,
    value: int,
    max_optima: int,
    engine: str,
    time_limit_s: float | None,
    on_news: OnNews,
) -> tuple[list[Chosen], bool]:
    if engine == DEFAULT_ENGINE and value:
        found = collect_compiled(problem, value, _COMPILED_A_STEP * TIE_STEPS, max_optima)
        # Of more than are wanted the kernel comes across others first, and they may be scored.
        if found is not None and found[1]:
            return found
    small = reduced(problem, keeps_ties=True)
    if engine == "highs":
        return _by_no_goods(problem, small, value, None, max_optima, time_limit_s, on_news)
    search = BudgetSearch(small, Effort(TIE_STEPS if engine == DEFAULT_ENGINE else None))
    try:
        are_all = search.collect(value, max_optima)
    except EffortSpent:
        are_all = False
    return [_of_problem(small, chosen) for chosen in search.found], are_all


def _of_problem(small: ReducedProblem, chosen: Sequence[int]) -> Chosen:
    return tuple(sorted(small.units[idx] for idx in chosen))


def _by_no_goods(
    problem: BudgetProblem,
    small: ReducedProblem,
    value: int,
    length: int | None,
    max_sets: int,
    time_limit_s: float | None,
    on_news: OnNews,
    known: Sequence[Chosen] = (),
) -> tuple[list[Chosen], bool]:
    """Returns irredundant sets of this value and length, and whether they are all.

    A set that is found is reduced until nothing is idle, and then it and its supersets, which are
    idle in part, are excluded: every other irredundant set stays.
    """
    from awase.core.solvers.budget.highs import BudgetModel  # 125 ms to import

    model = BudgetModel(small, time_limit_s)
    model.hold(value, length)
    place = {unit: idx for idx, unit in enumerate(small.units)}
    sets: list[Chosen] = []
    for chosen in known:
        sets.append(chosen)
        model.exclude([place[unit] for unit in chosen])
    try:
        while (found := model.another(on_news)) is not None:
            if len(sets) == max_sets:
                return sets, False
            whole = irredundant(problem, _of_problem(small, found))
            sets.append(whole)
            model.exclude([place[unit] for unit in whole])
    except TimeoutError:
        return sets, False
    return sets, True


def _auto(problem: BudgetProblem, wish: _Wish, on_news: OnNews) -> BudgetAnswer:
    found = _compiled(problem, wish)
    if found is None:
        return _exact(problem, _SEARCH_STEPS, wish, on_news)
    if found.is_settled:
        value = value_of(problem, found.chosen)
        return verified(problem, Status.OPTIMAL, found.chosen, value, is_settled=True)
    chosen = irredundant(problem, found.chosen)
    on_news(value_of(problem, chosen), found.upper)
    if found.is_highest:
        return _settled(problem, chosen, wish, on_news)
    small = reduced(problem, keeps_ties=False)
    return _by_highs(problem, small, _of_reduced(small, chosen) or (), 0, wish, on_news)


def _compiled(problem: BudgetProblem, wish: _Wish) -> Found | None:
    steps: float = _COMPILED_STEPS
    if wish.time_limit_s is not None:
        steps = min(steps, _COMPILED_A_SECOND * wish.time_limit_s)
    ties: float = _COMPILED_TIE_STEPS if wish.settles else _COMPILED_A_STEP * wish.tie_steps
    if wish.time_limit_s is not None:
        ties = min(ties, _COMPILED_A_SECOND * wish.time_limit_s)
    return search_compiled(problem, int(steps), int(ties))


def _search(problem: BudgetProblem, wish: _Wish, on_news: OnNews) -> BudgetAnswer:
    small = reduced(problem, keeps_ties=False)
    if not small.units:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    steps = None if wish.time_limit_s is None else _STEPS_A_SECOND * wish.time_limit_s
    search = BudgetSearch(small, Effort(steps))
    try:
        _search_from(search, problem, small, _of_reduced(small, _best_greedy(problem)) or ())
    except EffortSpent:
        best = irredundant(problem, _of_problem(small, search.best or ()))
        return verified(problem, Status.TIMED_OUT, best, sum(problem.caps))
    best = _of_problem(small, search.best or ())
    return verified(problem, Status.OPTIMAL, best, search.value, is_settled=True)


def _highs(problem: BudgetProblem, wish: _Wish, on_news: OnNews) -> BudgetAnswer:
    return _exact(problem, 0, wish, on_news)


def _exact(
    problem: BudgetProblem,
    steps: float,
    wish: _Wish,
    on_news: OnNews,
) -> BudgetAnswer:
    small = reduced(problem, keeps_ties=False)
    if not small.units:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    if steps == _SEARCH_STEPS and len(small.units) > _MANY_UNITS:
        steps = _FEW_STEPS
    search = BudgetSearch(small, Effort(steps))
    known = _of_reduced(small, _best_greedy(problem)) or ()
    try:
        _search_from(search, problem, small, known)
    except EffortSpent:
        return _by_highs(problem, small, search.best or (), steps, wish, on_news)
    best = _of_problem(small, search.best or ())
    return verified(problem, Status.OPTIMAL, best, search.value, is_settled=True)


def _search_from(
    search: BudgetSearch, problem: BudgetProblem, small: ReducedProblem, known: Sequence[int]
) -> None:
    chosen = _of_problem(small, known)
    search.find_best(known, value_of(problem, chosen), length_of(problem, chosen))


def _best_greedy(problem: BudgetProblem) -> Chosen:
    sets = [irredundant(problem, greedy(problem, rule)) for rule in RULES]
    return min(sets, key=lambda s: (-value_of(problem, s), length_of(problem, s), s))


def _of_reduced(small: ReducedProblem, chosen: Sequence[int]) -> Chosen | None:
    """Returns the units of the reduced problem, None when one has been left out of it."""
    place = {unit: idx for idx, unit in enumerate(small.units)}
    places = tuple(place[unit] for unit in chosen if unit in place)
    return places if len(places) == len(chosen) else None


def _by_highs(
    problem: BudgetProblem,
    small: ReducedProblem,
    known: Sequence[int],
    steps: float,
    wish: _Wish,
    on_news: OnNews,
) -> BudgetAnswer:
    from awase.core.solvers.budget.highs import BudgetModel  # 125 ms to import

    found, upper, is_proved = BudgetModel(small, wish.time_limit_s).best(on_news)
    sets = [irredundant(problem, _of_problem(small, one)) for one in (found, known)]
    chosen = max(sets, key=lambda one: value_of(problem, one))
    value = value_of(problem, chosen)
    if not is_proved:
        return verified(problem, Status.TIMED_OUT, chosen, max(upper, value))
    if wish.tie_steps and steps != 0:
        search = BudgetSearch(small, Effort(wish.tie_steps))
        try:
            _search_from(search, problem, small, _of_reduced(small, chosen) or ())
        except EffortSpent:
            chosen = _of_problem(small, search.best or ())
        else:
            best = _of_problem(small, search.best or ())
            return verified(problem, Status.OPTIMAL, best, value, is_settled=True)
    return _settled(problem, chosen, wish, on_news)


def _settled(
    problem: BudgetProblem,
    chosen: Chosen,
    wish: _Wish,
    on_news: OnNews,
) -> BudgetAnswer:
    """Returns the answer with a set whose value is proved, ties settled if that is wished."""
    value = value_of(problem, chosen)
    if not wish.settles:
        return verified(problem, Status.OPTIMAL, chosen, value)
    try:
        first = _first_of_tied(problem, chosen, wish.time_limit_s, on_news)
    except TimeoutError:
        return verified(problem, Status.OPTIMAL, chosen, value)
    return verified(problem, Status.OPTIMAL, first, value, is_settled=True)


def _first_of_tied(
    problem: BudgetProblem,
    chosen: Chosen,
    time_limit_s: float | None,
    on_news: OnNews,
) -> Chosen:
    """Returns the shortest and, of those, first of the sets with the value of `chosen`.

    Raises:
        TimeoutError: The time ran out first.
    """
    from awase.core.solvers.budget.highs import BudgetModel

    value, small = value_of(problem, chosen), reduced(problem, keeps_ties=False)
    model = BudgetModel(small, time_limit_s, minds_length=True)
    model.hold(value, None)
    found, _, is_proved = model.best(on_news)
    if not is_proved:
        raise TimeoutError
    shortest = _of_problem(small, found)
    length = length_of(problem, shortest)
    tied, are_all = _by_no_goods(
        problem, small, value, length, _FEW_TIED, time_limit_s, on_news, [shortest]
    )
    first = min(tied)
    if are_all:
        return first
    model = BudgetModel(small, time_limit_s)
    model.hold(value, length)
    return _of_problem(small, model.earliest(_of_reduced(small, first) or (), on_news))


def _ilp(problem: BudgetProblem, wish: _Wish, _on_news: OnNews) -> BudgetAnswer:
    check_cbc_is_installed()
    from awase.core.solvers.budget.ilp import solve_by_ilp  # 120 ms to import

    return solve_by_ilp(problem, wish.time_limit_s, settles=wish.settles)


ENGINES: Mapping[str, Engine] = {"auto": _auto, "search": _search, "highs": _highs, "ilp": _ilp}
"""The engines by name."""

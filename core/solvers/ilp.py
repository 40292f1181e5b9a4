"""Integer programs: modelled with PuLP, solved by its CBC in a killable process.

CBC logs to a file, from which bounds are read; nothing reaches the standard output. Single-
threaded, hence deterministic.

Budgeted coverage by integer programming: exact, ties included, on every machine.

    maximise    sum own_u x_u + sum weight_g z_g
    subject to  z_g <= sum count_gu x_u for each group, sum length_u x_u <= limit,
                x binary, 0 <= z_g <= cap_g

z may be continuous. After the highest value, the least length is proved, then the first set of
that length: units in order, in batches weighted by powers of two.

Reductions that keep the best set: units longer than the limit or without gain are dropped. A
feature that cannot reach its cap twice over, such as one of a single unit, becomes a plain gain of
its units; features with equal counts merge into one with a weight. Where only the best set is
wanted, a unit dominated by a shorter (or equally long and earlier) one is dropped, too.
"""

import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias

import pulp

from awase.core.errors import EnvironmentProblem
from awase.core.solvers.budget import (
    RULES,
    BudgetAnswer,
    BudgetProblem,
    Chosen,
    OnNews,
    greedy,
    irredundant,
    length_of,
    value_of,
    verified,
)
from awase.core.solvers.cover import Status

Variable: TypeAlias = pulp.LpVariable
Expression: TypeAlias = pulp.LpAffineExpression

# Receives a bound on the objective, at first infinite; raising ends the process.
OnBound = Callable[[float], None]

# Gap for integer objectives: a solution within it of the bound is optimal.
WHOLE: Final = 0.999

_HEARTBEAT_S: Final = 0.1
_GRACE_S: Final = 2.0  # CBC exceeds its time limit by the current step
_BEST_POSSIBLE = re.compile(rb"best possible (-?[0-9.]+(?:e[+-]?[0-9]+)?)")
_LEAST_S: Final = 0.01
# Of programs that nothing satisfies, CBC's preprocessing makes ones that it calls solved.
_OPTIONS: Final = ("-preprocess", "off")


def ignore_bound(_: float) -> None:
    """Ignores progress."""


class Program:
    """An integer program; constraints may be added between solves."""

    def __init__(self, time_limit_s: float | None = None, on_bound: OnBound = ignore_bound) -> None:
        """Starts without variables, with a time limit for all solves together.

        `on_bound` is called some ten times a second while CBC works.
        """
        self._model = pulp.LpProblem("awase", pulp.LpMinimize)
        self._deadline = None if time_limit_s is None else monotonic() + time_limit_s
        self._on_bound = on_bound
        self._n_variables = 0

    def binary(self) -> Variable:
        """Returns a new variable that is 0 or 1."""
        return self._add(1, pulp.LpBinary)

    def number(self, most: float) -> Variable:
        """Returns a new variable from 0 to `most`, which need not be whole."""
        return self._add(most, pulp.LpContinuous)

    def _add(self, most: float, kind: str) -> Variable:
        self._n_variables += 1
        return self._model.add_variable(f"x{self._n_variables}", 0, most, kind)

    def require(self, constraint: pulp.LpConstraint) -> None:
        """Adds a constraint."""
        self._model += constraint

    def maximise(self, objective: Expression, gap: float = 0.0) -> tuple[Status, float]:
        """Returns status and bound; `is_one` then reads the solution.

        OPTIMAL; FEASIBLE: time limit, with a solution; TIMED_OUT: time limit, without; INFEASIBLE.
        """
        self._model.setObjective(-objective)
        with tempfile.TemporaryDirectory(prefix="awase-") as folder:
            model, solution, log = (Path(folder, name) for name in ("m.mps", "m.sol", "m.log"))
            variables, names, *_ = self._model.writeMPS(str(model), rename=True)
            words = [str(model), *_OPTIONS, *self._limits(gap), "-solution", str(solution)]
            self._run(words, log)
            ending, values = _read(solution)
            bound = _bound_in(log)
        self._model.assignVarsVals(
            {one.name: values.get(names[one.name], 0.0) for one in variables}
        )
        if ending.startswith("Optimal"):
            return Status.OPTIMAL, -float(self._model.objective.value() or 0)
        if ending.startswith(("Infeasible", "Integer infeasible")):
            return Status.INFEASIBLE, -math.inf
        return (
            Status.FEASIBLE if " objective value" in ending and values else Status.TIMED_OUT
        ), bound

    def _limits(self, gap: float) -> Iterable[str]:
        if gap:
            yield from ("-allow", str(gap))
        if self._deadline is not None:
            left = max(_LEAST_S, self._deadline - monotonic())
            yield from ("-timeMode", "elapsed", "-sec", f"{left:.3f}")
        yield "-solve"

    def _run(self, words: list[str], log: Path) -> None:
        command = [*_dies_with_us(), cbc_path(), *words]
        with log.open("wb") as printed:
            try:
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=printed,
                    stderr=subprocess.STDOUT, creationflags=_NO_WINDOW,
                )  # fmt: skip
            except OSError as error:
                raise EnvironmentProblem(
                    "CBC, the integer programming solver of PuLP, cannot be started ({error}).",
                    "Reinstall PuLP, or install a cbc that is on PATH.",
                    error=str(error),
                ) from error
            try:
                is_late = False
                while not is_late:
                    self._on_bound(_bound_in(log))  # also where callers cancel, so before waiting
                    if _has_ended(process):
                        break
                    is_late = self._deadline is not None and monotonic() > self._deadline + _GRACE_S
            finally:
                process.kill()
                process.wait()
        if process.returncode and not is_late:
            raise EnvironmentProblem(
                "CBC, the integer programming solver of PuLP, ended with status {status}: {said}.",
                "Reinstall PuLP, or install a cbc that is on PATH.",
                status=process.returncode,
                said=log.read_text(errors="replace").strip().rpartition("\n")[2].rstrip("."),
            )


_NO_WINDOW: Final = 0x0800_0000 if sys.platform == "win32" else 0


@cache
def _dies_with_us() -> tuple[str, ...]:
    """Returns what starts a process that is killed when this one is; empty where there is none."""
    # Python's own way, preexec_fn, is unsafe in threads.
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv is None:
        return ()
    command = (setpriv, "--pdeathsig", "KILL")  # which that of busybox does not know
    probe = subprocess.run([*command, "true"], capture_output=True, check=False)
    return () if probe.returncode else command


def cbc_path() -> str:
    """Returns PuLP's CBC, else the system's."""
    own = str(pulp.PULP_CBC_CMD.pulp_cbc_path)
    return own if Path(own).exists() else shutil.which("cbc") or own


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(_HEARTBEAT_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _read(solution: Path) -> tuple[str, dict[str, float]]:
    """Parses CBC's status and non-zero variables."""
    if not solution.exists():
        return "", {}
    ending, *lines = solution.read_text().splitlines()
    rows = [line.split() for line in lines]
    if ending.startswith("Optimal") and any(row[0] == "**" for row in rows):
        raise RuntimeError(f"CBC's solution breaks a constraint: {ending}")
    return ending, {row[1]: float(row[2]) for row in rows if row[0] != "**"}


def _bound_in(log: Path) -> float:
    found = _BEST_POSSIBLE.findall(log.read_bytes())
    return -float(found[-1]) if found else math.inf


def total(terms: Iterable[Expression | Variable]) -> Expression:
    """Returns the sum of expressions."""
    return pulp.lpSum(terms)


def is_one(variable: Variable) -> bool:
    """Returns whether a variable is 1 in the last solution."""
    return bool((variable.value() or 0.0) > 0.5)


_TOLERANCE = 1e-6
_UNITS_AT_ONCE = 15  # of more, the powers of two are too far apart for CBC's tolerance


def solve_by_ilp(
    problem: BudgetProblem,
    time_limit_s: float | None,
    on_news: OnNews,
    known: BudgetAnswer | None = None,
) -> BudgetAnswer:
    """Returns the best set: highest value, then least length, then earliest units.

    After the time limit it is TIMED_OUT, with a bound, or lacks `is_settled`. `on_news` receives
    bounds some ten times a second.
    """
    small = reduced(problem, keeps_ties=False)
    if not small.units:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    best = known or _greedy_answer(problem)

    def on_bound(bound: float) -> None:
        on_news(best.value, _whole(bound, best.upper))

    program = _BudgetProgram(small, Program(time_limit_s, on_bound))
    if best.status is not Status.OPTIMAL:
        status, bound = program.maximise(program.value)
        upper = _whole(bound, best.upper)
        if status in (Status.OPTIMAL, Status.FEASIBLE):
            chosen = irredundant(problem, program.chosen())
            if value_of(problem, chosen) > best.value or status is Status.OPTIMAL:
                best = verified(problem, Status.TIMED_OUT, chosen, upper)
        if status is not Status.OPTIMAL:
            return verified(problem, Status.TIMED_OUT, best.chosen, max(upper, best.value))
    if not best.value:
        return verified(problem, Status.OPTIMAL, (), 0, is_settled=True)
    try:
        first = program.first_of(best.value)
    except TimeoutError:
        return verified(problem, Status.OPTIMAL, best.chosen, best.value)
    return verified(problem, Status.OPTIMAL, first, best.value, is_settled=True)


def optima_by_ilp(
    problem: BudgetProblem,
    value: int,
    max_sets: int,
    time_limit_s: float | None,
    on_news: OnNews,
) -> tuple[list[Chosen], bool]:
    """Returns irredundant sets of the highest value, and whether they are all."""
    # A solution is reduced until nothing is idle; then it and its supersets are excluded.
    small = reduced(problem, keeps_ties=True)
    program = _BudgetProgram(small, Program(time_limit_s, lambda _: on_news(value, value)))
    place = {unit: idx for idx, unit in enumerate(small.units)}
    sets: list[Chosen] = []
    try:
        while (found := program.another(value)) is not None:
            if len(sets) == max_sets:
                return sets, False
            sets.append(irredundant(problem, found))
            program.exclude([place[unit] for unit in sets[-1]])
    except TimeoutError:
        return sets, False
    return sets, True


def _greedy_answer(problem: BudgetProblem) -> BudgetAnswer:
    sets = [irredundant(problem, greedy(problem, rule)) for rule in RULES]
    best = min(sets, key=lambda s: (-value_of(problem, s), length_of(problem, s), s))
    return verified(problem, Status.TIMED_OUT, best, sum(problem.caps))


def _whole(bound: float, upper: int) -> int:
    return upper if math.isinf(bound) else min(upper, math.floor(bound + _TOLERANCE))


class _BudgetProgram:
    """The program of one reduced problem."""

    def __init__(self, problem: "ReducedProblem", program: Program) -> None:
        self._problem = problem
        self._program = program
        x = self._x = [program.binary() for _ in problem.units]
        gains = [own * one for own, one in zip(problem.own, x, strict=True) if own]
        for group in problem.groups:
            z = program.number(group.cap)
            program.require(z <= total(count * x[unit] for unit, count in group.counts))
            gains.append(group.weight * z)
        self.value: Expression = total(gains)
        self._length = total(n * one for n, one in zip(problem.lengths, x, strict=True))
        program.require(self._length <= problem.limit)

    def maximise(self, objective: Expression) -> tuple[Status, float]:
        return self._program.maximise(objective, WHOLE)

    def chosen(self) -> Chosen:
        """Returns the units of the last solution, as the problem numbers them."""
        return tuple(
            unit for unit, one in zip(self._problem.units, self._x, strict=True) if is_one(one)
        )

    def exclude(self, places: Sequence[int]) -> None:
        """Admits neither this set nor a superset of it from now on."""
        self._program.require(total(self._x[place] for place in places) <= len(places) - 1)

    def another(self, value: int) -> Chosen | None:
        """Returns an admissible set of the highest value, None without any; `TimeoutError`."""
        self._maximised(self.value)
        chosen = self.chosen()
        reached = sum(
            own for own, one in zip(self._problem.own, self._x, strict=True) if is_one(one)
        )
        reached += sum(
            group.weight * min(group.cap, sum(n for at, n in group.counts if is_one(self._x[at])))
            for group in self._problem.groups
        )
        return chosen if reached == value else None

    def first_of(self, value: int) -> Chosen:
        """Returns the shortest and, of those, first set of the highest value; `TimeoutError`."""
        lengths, x = self._problem.lengths, self._x
        self._program.require(self.value >= value - 0.5)
        chosen = self._maximised(-self._length)
        left = sum(n for n, one in zip(lengths, x, strict=True) if is_one(one))
        self._program.require(self._length <= left)
        for begin in range(0, len(x), _UNITS_AT_ONCE):
            part = range(begin, min(begin + _UNITS_AT_ONCE, len(x)))
            powers = [1 << n for n in range(len(part))][::-1]
            chosen = self._maximised(total(n * x[at] for n, at in zip(powers, part, strict=True)))
            for place in part:
                is_in = is_one(x[place])
                self._program.require(x[place] == int(is_in))
                left -= is_in * lengths[place]
            if not left:
                break
        return chosen

    def _maximised(self, objective: Expression) -> Chosen:
        status, _ = self.maximise(objective)
        if status is Status.INFEASIBLE:
            raise RuntimeError("CBC found no set of a value that it had found")
        if status is not Status.OPTIMAL:
            raise TimeoutError
        return self.chosen()


Gains = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Features with the same cap that the same units have equally often."""

    weight: int
    cap: int
    # (unit, how often it has each); units are indices of the reduced problem.
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReducedProblem:
    """A reduced problem."""

    units: tuple[int, ...]  # index in the problem of each unit left, ascending
    lengths: tuple[int, ...]  # of each unit left
    own: tuple[int, ...]  # of each unit left, what it adds whatever else is chosen
    groups: tuple[Group, ...]  # features for which units compete
    limit: int


def reduced(problem: BudgetProblem, *, keeps_ties: bool) -> ReducedProblem:
    """Reduces a problem; `keeps_ties` preserves every irredundant optimal set."""
    caps = problem.caps
    clipped: dict[int, Gains] = {}
    for unit, gains in enumerate(problem.gains):
        if gains and problem.lengths[unit] <= problem.limit:
            clipped[unit] = {f: min(count, caps[f]) for f, count in gains.items()}
    if not keeps_ties:
        for unit in _dominated(problem, clipped):
            del clipped[unit]
    units = tuple(clipped)
    own = [0] * len(units)
    weight_by_group: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    for feature, counts in _supports(clipped.values()).items():
        if len(counts) == 1 or sum(count for _, count in counts) <= caps[feature]:
            for idx, count in counts:
                own[idx] += count
        else:
            key = caps[feature], tuple(counts)
            weight_by_group[key] = weight_by_group.get(key, 0) + 1
    return ReducedProblem(
        units=units,
        lengths=tuple(problem.lengths[unit] for unit in units),
        own=tuple(own),
        groups=tuple(
            Group(weight=weight, cap=cap, counts=counts)
            for (cap, counts), weight in weight_by_group.items()
        ),
        limit=problem.limit,
    )


def _supports(gains: Iterable[Gains]) -> dict[int, list[tuple[int, int]]]:
    supports: dict[int, list[tuple[int, int]]] = {}
    for idx, of_unit in enumerate(gains):
        for feature, count in of_unit.items():
            supports.setdefault(feature, []).append((idx, count))
    return supports


def _dominated(problem: BudgetProblem, clipped: Mapping[int, Gains]) -> list[int]:
    # Only features that the other unit brings to their cap by itself count as covered, so that a
    # unit is useless beside it as well as in its place.
    lengths, caps = problem.lengths, problem.caps
    full: dict[int, set[int]] = {
        unit: {f for f, count in gains.items() if count >= caps[f]}
        for unit, gains in clipped.items()
    }
    bringing: dict[int, list[int]] = {}
    for unit, features in full.items():
        for feature in features:
            bringing.setdefault(feature, []).append(unit)
    gone = []
    for unit, gains in clipped.items():
        rivals = min((bringing.get(f, []) for f in gains), key=len)
        place = lengths[unit], unit
        wanted = gains.keys()
        if any((lengths[r], r) < place and wanted <= full[r] for r in rivals):
            gone.append(unit)
    return gone

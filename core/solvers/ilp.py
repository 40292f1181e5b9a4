"""Integer programs: modelled with PuLP, solved by its CBC in a killable process.

CBC logs to a file, from which bounds are read; nothing reaches the standard output. Single-
threaded, hence deterministic.
"""

import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias

import pulp

from awase.core.errors import EnvironmentProblem
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
        """Starts without variables.

        Args:
            time_limit_s: Seconds for all solves together; None = no limit.
            on_bound: Called some ten times a second while CBC works.
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
                    "Install PuLP anew, or a cbc that can be found in PATH.",
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
                "Install PuLP anew, or a cbc that can be found in PATH.",
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

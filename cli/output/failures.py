"""What an error becomes on the command line: one line a problem, and an exit status.

0    done
1    the data, the request or the surroundings are wrong, and the user can mend it
2    usage (click's own)
70   a defect of the program
130  stopped with Ctrl+C
"""

import os
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from awase.cli.output.option_hints import full_text
from awase.cli.output.streams import has_printed, say
from awase.core.errors import Cancelled, EnvironmentProblem, InputError, Problem
from awase.storage.databases.addresses import without_password

if TYPE_CHECKING:
    from awase.core.formats.reading.roles import TakenAs

EXIT_DATA = 1
EXIT_DEFECT = 70
EXIT_INTERRUPTED = 130
MAX_LINES = 50
MAX_WARNINGS = 20
_NOTHING_HALF = "nothing half written was kept"
_NO_MEMORY = Problem(
    what="There is not enough memory for this.",
    hint="Close other programs, or take fewer topics at a time (--topic).",
)
_REPORT = (
    "This is a defect of Awase, not of your data; no file was half written. "
    "Please report it with the lines above and the command that you typed."
)


@contextmanager
def errors_reported() -> Iterator[None]:
    """Turns every error that leaves the block into lines on standard error and an exit status."""
    try:
        yield
        # A closed pipe shows here, not at interpreter exit, where Python would print about it.
        sys.stdout.flush()
    except click.ClickException as error:
        vars(error)["message"] = without_password(error.message)  # what was typed stands in it
        raise
    except click.exceptions.Exit:
        raise
    except InputError as error:
        print_problems("error", error.problems)
        raise click.exceptions.Exit(EXIT_DATA) from error
    except EnvironmentProblem as error:
        print_problems("error", [error.problem])
        raise click.exceptions.Exit(EXIT_DATA) from error
    except (KeyboardInterrupt, click.Abort, Cancelled) as error:
        kept = (
            "what was printed is not complete" if has_printed() else "nothing half written was kept"
        )
        say(f"Stopped; {kept}.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from error
    except BrokenPipeError as error:
        _drop_output()
        raise click.exceptions.Exit(0) from error
    except OSError as error:
        _drop_output()
        print_problems("error", [problem_of_os_error(error)])
        raise click.exceptions.Exit(EXIT_DATA) from error
    except MemoryError as error:
        print_problems("error", [_NO_MEMORY])
        raise click.exceptions.Exit(EXIT_DATA) from error
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        say(_REPORT, err=True)
        raise click.exceptions.Exit(EXIT_DEFECT) from error


def _drop_output() -> None:
    """Sends what is still buffered nowhere, so that the interpreter's last flush cannot fail."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def problem_of_os_error(error: OSError) -> Problem:
    """Returns what the operating system refused, and about which file."""
    return Problem(
        what="{reason}.",
        hint="Check the name, the permissions and the room on the disk.",
        fields={"reason": error.strerror or str(error) or type(error).__name__},
        source=str(error.filename) if error.filename is not None else None,
    )


def print_problems(kind: str, problems: Sequence[Problem]) -> None:
    """Prints a line a problem to standard error: `MAX_LINES` errors, or `MAX_WARNINGS` warnings.

    Where there are more errors, the rest is counted. Where there are more warnings, of each kind
    the first ones are printed, and how many more there are of it.

    Args:
        kind: `error` or `warning`.
        problems: In the order in which they are to be read.
    """
    if kind == "warning" and len(problems) > MAX_WARNINGS:
        _tell_by_kind(problems)
        return
    for problem in problems[:MAX_LINES]:
        _print_problem(kind, problem)
    if len(problems) > MAX_LINES:
        say(f"{kind}: … and {len(problems) - MAX_LINES} more.", err=True)


def print_taken_as(taken_as: "Iterable[TakenAs]") -> None:
    """Prints a line to standard error for each file: what was taken for what in it."""
    for one in taken_as:
        for problem in one.problems():
            _print_problem("note", problem)


def _print_problem(kind: str, problem: Problem) -> None:
    say(f"{kind}: {one_line(without_password(full_text(problem)))}", err=True)


def _tell_by_kind(warnings: Sequence[Problem]) -> None:
    n_by_kind = Counter[str]()
    first: dict[str, list[Problem]] = defaultdict(list)
    for problem in warnings:  # there may be very many, of which a few are held
        n_by_kind[problem.what] += 1
        if n_by_kind[problem.what] <= MAX_WARNINGS:
            first[problem.what].append(problem)
    shown = [*n_by_kind.items()][:MAX_WARNINGS]
    room = MAX_WARNINGS - len(shown)
    for kind, n in shown:
        n_shown = min(n, 1 + room)
        room -= n_shown - 1
        for problem in first[kind][:n_shown]:
            _print_problem("warning", problem)
        if n > n_shown:
            say(f"warning: … and {n - n_shown} more of this kind.", err=True)
    rest = [*n_by_kind.values()][MAX_WARNINGS:]
    if rest:
        say(f"warning: … and {sum(rest)} more, of {len(rest)} other kinds.", err=True)


def one_line(text: str) -> str:
    """Returns `text` without line breaks, and with control characters made visible."""
    blanks = " ".join(text.split("\n"))
    return "".join(char if char.isprintable() or char == "\u3000" else ascii(char)[1:-1]
                   for char in blanks)  # fmt: skip

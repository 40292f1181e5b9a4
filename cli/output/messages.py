"""What is written to standard error: messages, an exit status, and the progress of slow work.

0    done
1    the data, the request or the environment is wrong, and the user can act
2    usage (click's own)
70   a defect of the program
130  stopped with Ctrl+C
"""

import io
import os
import re
import sys
import threading
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from awase.core.errors import (
    Cancelled,
    EnvironmentProblem,
    InputError,
    Missing,
    Problem,
    distinct,
    shortened,
)
from awase.storage.addresses import without_password

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from awase.core.formats.reading.roles import TakenAs
    from awase.core.records.score import ScoreTable


EXIT_DATA = 1
EXIT_DEFECT = 70
EXIT_INTERRUPTED = 130
MAX_LINES = 50
MAX_WARNINGS = 20
_NO_MEMORY = Problem(
    what="There is not enough memory for this.",
    hint="Close other programs, or use fewer topics at a time (--topic).",
)
_REPORT = (
    "This is a defect of Awase, not of your data; no file was half written. "
    "Please report it with the lines above and the command that you typed."
)


def counted(n: int, one: str, more: str = "") -> str:
    """Returns a number and what it counts; `more` is the plural where an s does not make it.

    >>> counted(1, "topic"), counted(2, "topic"), counted(0, "file was", "files were")
    ('1 topic', '2 topics', '0 files were')
    """
    return f"{n} {one if n == 1 else more or f'{one}s'}"


@contextmanager
def errors_reported() -> Iterator[None]:
    """Translates every error in the block into lines on standard error and an exit status."""
    try:
        yield
        # A closed pipe shows here, not at interpreter exit, where Python would print about it.
        sys.stdout.flush()
    except click.ClickException as error:
        typed = without_password(error.message)
        vars(error)["message"] = re.sub(r"\S+", lambda word: shortened(word[0]), typed)
        raise
    except click.exceptions.Exit:
        raise
    except (InputError, EnvironmentProblem) as error:
        print_problems("warning", error.warnings)
        print_problems("error", error.problems)
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


@contextmanager
def errors_at_end(table: "ScoreTable", warnings: Sequence[Problem]) -> Iterator[bool]:
    """Reports warnings, and failed metrics as errors that set the exit status.

    Yields whether all could be computed.
    """
    errors = distinct(one.reason for one in table.failed() if one.reason is not None)
    print_problems("error", errors)
    print_problems("warning", [one for one in warnings if one not in errors])
    yield not errors
    if errors:
        raise click.exceptions.Exit(EXIT_DATA)


def _drop_output() -> None:
    """Discards buffered output, so that the interpreter's last flush cannot fail."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def problem_of_os_error(error: OSError) -> Problem:
    """Translates an operating system error and its file."""
    return Problem(
        what="{reason}.",
        hint="Check the name, the permissions and the free disk space.",
        fields={"reason": error.strerror or str(error) or type(error).__name__},
        source=str(error.filename) if error.filename is not None else None,
    )


def print_problems(kind: str, problems: Sequence[Problem]) -> None:
    """Prints a line a problem to standard error: `MAX_LINES` errors, or `MAX_WARNINGS` warnings.

    Further errors are counted; of warnings the first of each kind are printed, the rest counted.
    """
    if kind == "warning" and len(problems) > MAX_WARNINGS:
        _report_by_kind(problems)
        return
    for problem in problems[:MAX_LINES]:
        _print_problem(kind, problem)
    if len(problems) > MAX_LINES:
        say(f"{kind}: … and {len(problems) - MAX_LINES} more.", err=True)


def print_taken_as(taken_as: "Iterable[TakenAs]") -> None:
    """Prints the assigned columns of each file to standard error."""
    for one in taken_as:
        for problem in one.problems():
            _print_problem("note", problem)


def _print_problem(kind: str, problem: Problem) -> None:
    say(f"{kind}: {one_line(without_password(full_text(problem)))}", err=True)


def _report_by_kind(warnings: Sequence[Problem]) -> None:
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
        kinds = counted(len(rest), "other kind")
        say(f"warning: … and {sum(rest)} more, of {kinds}.", err=True)


def one_line(text: str) -> str:
    """Returns `text` on one line, with control characters escaped."""
    blanks = " ".join(text.split("\n"))
    return "".join(char if char.isprintable() or char == "\u3000" else ascii(char)[1:-1]
                   for char in blanks)  # fmt: skip


# What would move the cursor, change colours or turn the order of letters round: control characters
# but tabs and line feeds, overrides of direction, and half of a surrogate pair.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_PRINTED: Final = "awase.printed"

_ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968")


def visible(text: str) -> str:
    r"""Escapes control characters for terminals.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return _COMMANDS.sub(lambda match: ascii(match[0])[1:-1], text)


def say(text: str = "", *, err: bool = False) -> None:
    """Prints a line for people, to standard error if `err`."""
    click.echo(visible(text), err=err)
    if not err:
        note_printed()


def note_printed() -> None:
    """Records output on standard output."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_PRINTED] = True


def has_printed() -> bool:
    """Returns whether there was output on standard output."""
    context = click.get_current_context(silent=True)
    return context is not None and _PRINTED in context.meta


class _Closed(io.TextIOBase):
    """Replacement of a closed standard output."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        """Raises: nothing can be printed."""
        if not text:
            return 0
        raise EnvironmentProblem(
            "Standard output is closed, so nothing can be printed.", "Write to a file: -o FILE."
        )


def prepare_streams() -> None:
    """Makes output UTF-8 unless a terminal or PYTHONIOENCODING requests otherwise."""
    # Other programs expect UTF-8 in files and pipes; a C locale would refuse every Japanese name.
    # Unencodable characters are escaped.
    for descriptor in (0, 1, 2):
        with suppress(OSError):
            try:
                os.fstat(descriptor)
            except OSError:  # closed: the next file to be opened, a corpus, would be printed into
                os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for ever)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if _keeps_encoding(stream) else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _keeps_encoding(stream: io.TextIOWrapper) -> bool:
    if stream.encoding.lower() in _ASCII:
        return False
    return stream.isatty() or bool(os.environ.get("PYTHONIOENCODING"))


def use_utf_8() -> None:
    """Restarts the program in UTF-8 mode under an ASCII locale, so that all files can be named."""
    # Python does so itself unless PYTHONUTF8 forbids it. In any other locale paths are decoded as
    # the system encodes them, so that no other file is opened.
    if os.name == "posix" and sys.getfilesystemencoding().lower() in _ASCII:
        sys.stdout.flush()
        program = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, program, {**os.environ, "PYTHONUTF8": "1"})


HOW: Final[Mapping[Missing, str]] = {
    Missing.VECTORS: "Name them with --vectors.",
    Missing.MODEL: "Name one with --model FOLDER, or with the metric's option model.",
    Missing.PARSES: "The commands: awase parse CORPUS, and awase parse CORPUS --from FILE.",
    Missing.EDUS: "Name it with --edus FILE.",
    Missing.ORACLES: "The command: awase oracle CORPUS -o FILE.",
    Missing.TIME: "The options: --time-limit SECONDS, --settle.",
    Missing.HUMAN_SCORES: "The command: awase import CORPUS scores.csv.",
    Missing.STUDY_OF_METRICS: "Give them to awase correlate --scores.",
    Missing.PART_OF_FOLDER: "Name it with --part.",
    Missing.FREE_NAME: "The options: --name, --force.",
    Missing.LEAVE_TO_REPLACE: "Or add --force to replace it.",
    Missing.SIZE: "The option: --size.",
    Missing.BACKUP: "The command: awase restore FILE.",
    Missing.COLUMNS: "The options: --column, --reference-column, --document-column, "
    "--system-column, --id-column.",
    Missing.COLUMN_OF_OUTPUTS: "The option: --column NAME.",
    Missing.COLUMN_OF_REFERENCES: "The option: --reference-column NAME, or a file REF.",
    Missing.ALIASES: "Import the files one after the other, one with --aliases FILE (name in the "
    "file, tab, name of the system).",
    Missing.REFERENCES: "Give a file or a folder of references as REF.",
}


def full_text(problem: Problem) -> str:
    """Returns position, problem, hint, and the flag or command to use."""
    how = "" if problem.missing is None else HOW[problem.missing]
    return f"{problem} {how}".rstrip()


def warning_record(problem: Problem) -> dict[str, object]:
    """Returns the warning as JSON commands print it: its message, then its fields."""
    return {
        "message": full_text(problem),
        **{k: v for k, v in problem.fields.items() if k != "message"},
    }


QUIET_S = 0.5  # work that is done by then is not shown


class ProgressBar:
    """A reporter; silent off a terminal, and for work under half a second.

    Where Ctrl+C stopped the work is always reported.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._is_for_people = sys.stderr.isatty()
        self._at = ""
        self._steps: tuple[int, int] | None = None
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._lock = threading.Lock()
        # Work without reports is shown, too.
        self._clock = threading.Timer(QUIET_S, self._start)
        self._clock.daemon = True

    def __enter__(self) -> Self:
        if self._is_for_people:
            self._clock.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._clock.cancel()
        with self._lock:
            self._is_for_people = False  # the clock may be about to start it
            if self._bar is not None:
                self._bar.stop()
        if kind is KeyboardInterrupt and self._at:
            say(f"{self._title} stopped at {self._at}.", err=True)

    def join(self) -> None:
        """Waits until a pending bar is shown; for tests."""
        if self._clock.is_alive():
            self._clock.join()

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Shows that `done` of `total` steps are done, now working on `what`."""
        self._at, self._steps = what, (done, total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, what=what)

    def _start(self) -> None:
        with self._lock:
            if self._is_for_people:
                self._show()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            TextColumn(self._title),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[what]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        done, total = self._steps or (0, None)
        self._task = bar.add_task(self._title, completed=done, total=total, what=self._at)
        self._bar = bar
        bar.start()

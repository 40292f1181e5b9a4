"""The error hierarchy, `Problem`, the form of errors in the user's data, and progress of long work.

    AwaseError
      InputError            the user's data or choice is wrong; carries every problem found
        CorpusFormatError   a file or record breaks the rules of its format
        ScoringUndefinedError   the request is sound but the number does not exist
      EnvironmentProblem    disk full, locked, newer file, missing solver: the user can act
      Cancelled             not a failure; never logged as one

Anything else that is raised is a defect of the program.
"""

import atexit
import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from string import Formatter
from threading import current_thread, main_thread
from typing import Final, Protocol, Self, TypeVar, Union

# Replaces an empty list, or an undefined value, in every language.
NOTHING: Final = "—"
_LONGEST: Final = 400  # characters


def shortened(value: str) -> str:
    """Returns a name, key or text of a stranger's as messages have it: of a long one both ends."""
    half = _LONGEST // 2
    return value if len(value) <= _LONGEST else f"{value[:half]}…{value[-half:]}"


class Missing(StrEnum):
    """Things that can be missing; problems name one in their field `missing`."""

    VECTORS = "vectors"
    MODEL = "model"
    PARSES = "parses"
    EDUS = "edus"
    ORACLES = "oracles"
    TIME = "time"
    HUMAN_SCORES = "human-scores"
    STUDY_OF_METRICS = "study-of-metrics"
    PART_OF_FOLDER = "part-of-folder"
    FREE_NAME = "free-name"
    LEAVE_TO_REPLACE = "leave-to-replace"
    SIZE = "size"
    COLUMNS = "columns"
    COLUMN_OF_OUTPUTS = "column-of-outputs"
    COLUMN_OF_REFERENCES = "column-of-references"
    REFERENCES = "references"
    ALIASES = "aliases"
    BACKUP = "backup"


class Listing(str):
    """Names or numbers listed in a message, to be joined for its language.

    >>> Listing("abc"), Listing("abc", most=2), Listing("abc", most=2, is_counted=True)
    ('a, b, c', 'a, b, …', 'a, b, … (3)')
    """

    parts: tuple[str, ...]  # what is listed, and a mark when something is left out

    def __new__(
        cls, parts: Iterable[object], *, most: int | None = None, is_counted: bool = False
    ) -> Self:
        """Lists the first `most` of `parts`, with their total if `is_counted`."""
        told = tuple(shortened(str(part)) for part in parts)
        if most is not None and len(told) > most:
            told = (*told[:most], f"… ({len(told)})" if is_counted else "…")
        made = super().__new__(cls, ", ".join(told))
        made.parts = told
        return made

    def __getnewargs__(self) -> tuple[tuple[str, ...]]:  # type: ignore[override]  # str's own has no parts
        return (self.parts,)


# Values in a message; a problem is nested as its text.
FieldValue = Union[str, int, float, "Problem"]


class _Templates(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        one, is_choice, more = format_spec.partition("|")
        if is_choice:
            n = len(value.parts) if isinstance(value, Listing) else value
            return one if n == 1 else more
        if isinstance(value, str) and not isinstance(value, Listing):
            value = shortened(value)
        return str(super().format_field(value, format_spec))


_TEMPLATES: Final = _Templates()


def filled(template: str, fields: Mapping[str, FieldValue]) -> str:
    """Fills the `{names}` of a message; `{n:one|more}` is the words that fit the number n.

    A `Listing` counts as its parts.

    >>> [filled("{n} {n:file is|files are} missing.", {"n": n}) for n in (1, 2)]
    ['1 file is missing.', '2 files are missing.']
    """
    return _TEMPLATES.vformat(template, (), fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error in the user's data: message, position and remedy.

    `what` and `hint` are English templates whose `{names}` are filled from `fields`; the window
    translates them.

    Attributes:
        what: Template of the message.
        hint: Template of the remedy; empty when there is none.
        fields: Values of the templates' names.
        source: File name or other origin, None when unknown.
        line: 1-based line in the source, None when it has no lines.
        path: JSON path below the source, such as `topics[0].documents[2].id`; empty at the root.
    """

    what: str
    hint: str = ""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    source: str | None = None
    line: int | None = None
    path: str = ""

    def __str__(self) -> str:
        where = self.where()
        text = filled(self.what, self.fields)
        if self.hint:
            text += " " + filled(self.hint, self.fields)
        return f"{where}: {text}" if where else text

    @property
    def missing(self) -> Missing | None:
        """What must be supplied to solve the problem; None = nothing or unknown."""
        name = self.fields.get("missing")
        return Missing(str(name)) if name in {*Missing} else None

    def where(self) -> str:
        """Returns `source:line: path`, as far as known."""
        place = shortened(self.source or "")
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        return ": ".join(part for part in (place, self.path) if part)

    def below(self, prefix: str) -> "Problem":
        """Returns the same problem with its path set under `prefix`."""
        separator = "." if prefix and self.path and not self.path.startswith("[") else ""
        return replace(self, path=f"{prefix}{separator}{self.path}")

    def in_source(self, source: str) -> "Problem":
        """Returns the problem with `source`, unless it has one."""
        return self if self.source is not None else replace(self, source=source)


class AwaseError(Exception):
    """The root of every error this program raises on purpose."""

    warnings: tuple[Problem, ...] = ()  # noticed on the way; they may say why


class InputError(AwaseError):
    """The user's data or choice is wrong; `problems` has all errors, in reading order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)  # so that a worker process can hand it on

    @classmethod
    def of(
        cls,
        what: str,
        hint: str = "",
        *,
        source: str | None = None,
        line: int | None = None,
        path: str = "",
        **fields: FieldValue,
    ) -> Self:
        """Returns an error of this class with a single problem."""
        problem = Problem(what=what, hint=hint, fields=fields, source=source, line=line, path=path)
        return cls([problem])


class CorpusFormatError(InputError):
    """A file or a record breaks the rules of its format."""


class ScoringUndefinedError(InputError):
    """The request is valid, but the score does not exist."""


class EnvironmentProblem(AwaseError):
    """An error of the environment, on which the user can act.

    Attributes:
        problem: Message and remedy.
    """

    def __init__(self, what: str, hint: str = "", **fields: FieldValue) -> None:
        self.problem = Problem(what=what, hint=hint, fields=fields)
        super().__init__(str(self.problem))

    @classmethod
    def about(cls, problem: Problem, **fields: FieldValue) -> Self:
        """Returns an error of this class with the problem's texts, and further fields."""
        return cls(problem.what, problem.hint, **{**problem.fields, **fields})

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problem, as an `InputError` has its own."""
        return (self.problem,)


class Cancelled(AwaseError):
    """The user cancelled; nothing was changed."""


RefusedError = InputError | EnvironmentProblem  # What the user can act on: it has `problems`.


def distinct(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns each problem once, in the order of appearance."""
    found: list[Problem] = []
    for problem in problems:
        if problem not in found:
            found.append(problem)
    return tuple(found)


def joined_error(errors: Sequence[RefusedError]) -> RefusedError:
    """Merges several errors into one, the first where all are equal."""
    problems = distinct(problem for error in errors for problem in error.problems)
    return errors[0] if problems == errors[0].problems else InputError(problems)


def raise_if_any(problems: Iterator[Problem] | Iterable[Problem]) -> None:
    """Raises `CorpusFormatError` with all of `problems`, if any."""
    found = tuple(problems)
    if found:
        raise CorpusFormatError(found)


@contextmanager
def in_source(source: str) -> Iterator[None]:
    """Names `source` in every problem that is raised within."""
    try:
        yield
    except CorpusFormatError as error:
        raise CorpusFormatError(problem.in_source(source) for problem in error.problems) from error


@dataclass(frozen=True, slots=True)
class FilePosition:
    """A place in a file."""

    path: str = ""  # JSON path, below the line when there is one
    line: int | None = None  # from 1; None where the whole file is one JSON value

    def at(self, step: str | int) -> "FilePosition":
        """Returns the position of a key or an element of a list."""
        if isinstance(step, int):
            return replace(self, path=f"{self.path}[{step}]")
        step = shortened(step)
        return replace(self, path=f"{self.path}.{step}" if self.path else step)


@dataclass(slots=True)
class Findings:
    """Collects errors and warnings of a file.

    A position is a line, a `FilePosition`, or None for the file as a whole.
    """

    source: str | None
    found: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add(
        self, at: FilePosition | int | None, *, what: str, hint: str = "", **fields: FieldValue
    ) -> None:
        """Notes a problem."""
        self.note(at, [Problem(what=what, hint=hint, fields=fields)])

    def note(self, at: FilePosition | int | None, problems: Iterable[Problem]) -> None:
        """Records problems without their paths."""
        self.found += [self._placed(problem, at) for problem in problems]

    @contextmanager
    def noting(self, at: FilePosition | int | None) -> Iterator[None]:
        """Records what is refused within, and skips the rest of it."""
        try:
            yield
        except InputError as error:
            self.note(at, error.problems)

    def remark(
        self, at: FilePosition | int | None, *, what: str, hint: str = "", **fields: FieldValue
    ) -> None:
        """Notes a warning."""
        self.warn(at, [Problem(what=what, hint=hint, fields=fields)])

    def warn(self, at: FilePosition | int | None, problems: Iterable[Problem]) -> None:
        """Records warnings without their paths."""
        self.warnings += [self._placed(problem, at) for problem in problems]

    def refuse_if_any(self) -> None:
        """Raises the recorded problems, if any."""
        if self.found:
            raise CorpusFormatError(sorted(self.found, key=lambda problem: problem.line or 0))

    def _placed(self, problem: Problem, at: FilePosition | int | None) -> Problem:
        place = at if isinstance(at, FilePosition) else FilePosition(line=at)
        return replace(problem, source=self.source, line=place.line, path=place.path)


class Reporter(Protocol):
    """Receives progress; the caller decides what to show."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports that `done` of `total` steps are done, now working on `what`."""
        ...


class OneOfSeveral:
    """Progress of one of several pieces of equal size."""

    def __init__(self, reporter: Reporter, idx: int, n: int) -> None:
        """Reports as piece `idx` (from 0) of `n`."""
        self._reporter, self._idx, self._n = reporter, idx, n

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Reports the progress within the whole."""
        self._reporter.advance(self._idx * total + done, self._n * total, what)


class Silent:
    """Shows nothing and never stops the work."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Ignores progress."""


_Item = TypeVar("_Item")


def batches(items: Iterable[_Item], n_items: int) -> Iterator[list[_Item]]:
    """Yields lists of `n_items` items; the last may be shorter.

    >>> [*batches("abcde", 2)]
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while some := [*islice(rest, n_items)]:
        yield some


_NEW_OBJECTS: Final = 100_000


def search_seldom() -> None:
    """Raises the collector's thresholds, and skips it at exit, for one-shot commands."""
    # Records have no cycles; collecting took a tenth of the time of scoring 57,450 pairs.
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disables the collector within the block, on the main thread only.

    Records and scores have no cycles; collecting took a fifth of the time of loading a corpus, and
    a tenth of that of scoring its extracts. Objects from within the block count as old afterwards.
    """
    # The collector is one for all threads: another one would enable it for whoever disabled it
    # meanwhile, as the window does for good.
    is_ours = gc.isenabled() and current_thread() is main_thread()
    if is_ours:
        gc.disable()
    try:
        yield
    finally:
        if is_ours:
            # The next collection alone took a tenth of the time from files to a table. Skipped
            # where objects are frozen for good, as that would unfreeze them; counting those is
            # slow, so it is checked last.
            if gc.get_threshold()[0] == _NEW_OBJECTS and gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()

"""What is wrong and what is odd in a file, each with its place: one collector for every reader."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from awase.core.errors import CorpusFormatError, FieldValue, Problem


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file.

    Attributes:
        path: JSON path, below the line when there is one.
        line: From 1; None where the whole file is one JSON value.
    """

    path: str = ""
    line: int | None = None

    def at(self, step: str | int) -> "Place":
        """Returns the place of a key or an element of a list."""
        if isinstance(step, int):
            return replace(self, path=f"{self.path}[{step}]")
        return replace(self, path=f"{self.path}.{step}" if self.path else step)


@dataclass(slots=True)
class Findings:
    """Collects what is wrong in a file, and what is odd.

    A place is a line, a `Place`, or None for the file as a whole.

    Attributes:
        source: Name of the file.
        found: What is wrong, as it was met.
        warnings: What is odd, likewise.
    """

    source: str
    found: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add(
        self, at: Place | int | None, *, what: str, hint: str = "", **fields: FieldValue
    ) -> None:
        """Notes a problem."""
        self.note(at, [Problem(what=what, hint=hint, fields=fields)])

    def note(self, at: Place | int | None, problems: Iterable[Problem]) -> None:
        """Notes problems that were raised, without the paths they may have."""
        self.found += [self._placed(problem, at) for problem in problems]

    def note_below(self, at: Place, problems: Iterable[Problem]) -> None:
        """Notes problems that were raised, their paths below a place."""
        self.found += [
            replace(problem.below(at.path), source=self.source, line=at.line)
            for problem in problems
        ]

    def remark(
        self, at: Place | int | None, *, what: str, hint: str = "", **fields: FieldValue
    ) -> None:
        """Notes a warning."""
        self.warn(at, [Problem(what=what, hint=hint, fields=fields)])

    def warn(self, at: Place | int | None, problems: Iterable[Problem]) -> None:
        """Notes warnings, without the paths they may have."""
        self.warnings += [self._placed(problem, at) for problem in problems]

    def refuse_if_any(self) -> None:
        """Does nothing when no problem was noted.

        Raises:
            CorpusFormatError: With all problems, by line.
        """
        if self.found:
            raise CorpusFormatError(sorted(self.found, key=lambda problem: problem.line or 0))

    def _placed(self, problem: Problem, at: Place | int | None) -> Problem:
        place = at if isinstance(at, Place) else Place(line=at)
        return replace(problem, source=self.source, line=place.line, path=place.path)

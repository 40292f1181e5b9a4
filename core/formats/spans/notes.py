"""What is wrong and what is odd in a file of labelled spans, each with its place."""

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
class SpanNotes:
    """Collects problems and warnings."""

    source: str
    found: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add(self, place: Place, *, what: str, hint: str = "", **fields: FieldValue) -> None:
        """Notes a problem."""
        self.note(place, [Problem(what=what, hint=hint, fields=fields)])

    def note(self, place: Place, problems: Iterable[Problem]) -> None:
        """Notes problems that were raised, without the paths they may have."""
        self.found += [self._placed(problem, place) for problem in problems]

    def warn(self, place: Place, *, what: str, hint: str = "", **fields: FieldValue) -> None:
        """Notes a warning."""
        self.warn_of(place, [Problem(what=what, hint=hint, fields=fields)])

    def warn_of(self, place: Place, problems: Iterable[Problem]) -> None:
        """Notes warnings, without the paths they may have."""
        self.warnings += [self._placed(problem, place) for problem in problems]

    def _placed(self, problem: Problem, place: Place) -> Problem:
        return replace(problem, source=self.source, line=place.line, path=place.path)

    def refuse_if_any(self) -> None:
        """Does nothing when no problem was noted.

        Raises:
            CorpusFormatError: With all problems.
        """
        if self.found:
            raise CorpusFormatError(self.found)

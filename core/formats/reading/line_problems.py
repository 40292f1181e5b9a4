"""The lines of a tab-separated file, and its problems by line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from awase.core.errors import CorpusFormatError, Problem


@dataclass(slots=True)
class LineProblems:
    """Collects what is wrong in a file and what is odd, each with its line."""

    source: str
    found: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add(
        self, line: int | None, *, what: str, hint: str = "", **fields: str | int | float
    ) -> None:
        """Notes a problem of `line`."""
        self.note(line, [Problem(what=what, hint=hint, fields=fields)])

    def note(self, line: int | None, problems: Iterable[Problem]) -> None:
        """Notes problems of `line`, without the paths they may have."""
        self.found += [self._placed(problem, line) for problem in problems]

    def warn(self, line: int | None, problems: Iterable[Problem]) -> None:
        """Notes warnings about `line`, likewise."""
        self.warnings += [self._placed(problem, line) for problem in problems]

    def _placed(self, problem: Problem, line: int | None) -> Problem:
        return replace(problem, source=self.source, line=line, path="")

    def refuse_if_any(self) -> None:
        """Does nothing when no problem was noted.

        Raises:
            CorpusFormatError: With all problems, by line.
        """
        if self.found:
            raise CorpusFormatError(sorted(self.found, key=lambda problem: problem.line or 0))


def data_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields (line number, columns) of each line that is neither blank nor a # comment."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = line.removesuffix("\r")
        if line.strip() and not line.startswith("#"):
            yield number, line.split("\t")

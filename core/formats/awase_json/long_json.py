"""A JSON object that is too long to be held, read as it comes, with the faults `load` tells."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NoReturn

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.reading.json_fields import (
    JsonDecoder,
    long_number_problem,
    syntax_problem,
    too_deep,
)

_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_WITH_AN_END: Final = (str, list, dict)
_NEAR_THE_END: Final = 64
"""Letters before the end of what is there in which a fault may mean that more is to come."""


class LongObject:
    """An object of which the values are read one by one, and of lists the items.

    Attributes:
        decoder: Takes note of what readers of JSON overlook.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        """Reads nothing yet.

        Args:
            pieces: The text, from its beginning.
        """
        self.decoder = JsonDecoder()
        self._pieces = iter(pieces)
        self._text, self._at = "", 0
        self._n_lines_before = self._n_columns_before = 0

    def begins(self) -> bool:
        """Returns whether what comes is an object."""
        return self._peek() == "{"

    def each_key(self, *, is_within: bool = False) -> Iterator[str]:
        """Yields the keys, after each of which its value is to be read.

        Args:
            is_within: Whether they are those of an object that is a value of the whole.

        Raises:
            CorpusFormatError: The text is not JSON; with line and column.
        """
        self._next_of("{", before="")
        if self._peek() == "}":
            self._at += 1
        else:
            yield from self._pairs()
        if not is_within and self._peek():
            self._refuse("{}")

    def _pairs(self) -> Iterator[str]:
        before = "{"
        while True:
            if self._peek() != '"':
                self._refuse('{"":"",' if before == "," else "{")
            key = str(self.value())
            self._next_of(":", before='{""')
            yield key
            before = self._next_of(",}", before='{"":""')
            if before == "}":
                return

    def is_list(self) -> bool:
        """Returns whether the next value is a list."""
        return self._peek() == "["

    def items(self) -> Iterator[tuple[object, int]]:
        """Yields the items of a list, each with the length of its text.

        Raises:
            CorpusFormatError: The text is not JSON; with line and column.
        """
        self._next_of("[", before="")
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            yield self._read()
            if self._next_of(",]", before='[""') == "]":
                return

    def value(self) -> object:
        """Returns the next value.

        Raises:
            CorpusFormatError: The text is not JSON; with line and column.
        """
        return self._read()[0]

    def _read(self) -> tuple[object, int]:
        """Returns the next value, and the length of its text."""
        self._peek()
        while True:
            try:
                value, end = self.decoder.decode_at(self._text, self._at)
            except json.JSONDecodeError as error:
                if not (self._is_open(error) and self._fill()):
                    raise self._fault(error.msg, error.pos) from error
            except RecursionError as error:
                raise too_deep() from error
            except ValueError as error:  # a number beyond Python's limit of 4300 digits
                raise self._told(long_number_problem(self._text)) from error
            else:
                is_whole = isinstance(value, _WITH_AN_END) or end < len(self._text) - _NEAR_THE_END
                if is_whole or not self._fill():  # a number may go on
                    n_letters, self._at = end - self._at, end
                    return value, n_letters

    def _is_open(self, error: json.JSONDecodeError) -> bool:
        """Returns whether what follows may mend a fault."""
        is_in_text = error.msg.startswith("Unterminated string")
        return is_in_text or error.pos >= len(self._text) - _NEAR_THE_END

    def _next_of(self, marks: str, before: str) -> str:
        """Returns the next mark, which is behind us then; `before` stands for what came before."""
        mark = self._peek()
        if not mark or mark not in marks:
            self._refuse(before)
        self._at += 1
        return mark

    def _peek(self) -> str:
        """Returns the next letter that is no blank, empty at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _fill(self) -> bool:
        """Takes as much more as there is now, so that a long value is not tried too often."""
        wanted, more, n_more = len(self._text) - self._at, [self._text[self._at :]], 0
        for piece in self._pieces:
            more.append(piece)
            n_more += len(piece)
            if n_more > wanted:
                break
        if n_more:
            behind, self._at = self._text[: self._at], 0
            self._text = "".join(more)
            self._n_lines_before += behind.count("\n")
            last = behind.rfind("\n")
            self._n_columns_before = len(behind) - last - 1 + (last < 0) * self._n_columns_before
        return bool(n_more)

    def _refuse(self, before: str) -> NoReturn:
        """Raises what Python says of what comes, where `before` stands for what came before."""
        while len(self._text) - self._at < _NEAR_THE_END and self._fill():
            pass  # whether a file is cut off is told by what is left of it
        try:
            json.loads(before + self._text[self._at : self._at + _NEAR_THE_END])
        except json.JSONDecodeError as error:
            raise self._fault(error.msg, self._at + error.pos - len(before)) from error
        raise AssertionError("what is refused is JSON")

    def _fault(self, what: str, at: int) -> CorpusFormatError:
        error = json.JSONDecodeError(what, self._text, at)
        problem = syntax_problem(self._text, error)
        if error.lineno == 1 and "column" in problem.fields:
            column = {"column": error.colno + self._n_columns_before}
            problem = replace(problem, fields={**problem.fields, **column})
        return self._told(problem)

    def _told(self, problem: Problem) -> CorpusFormatError:
        """Returns a problem of the text that is there, with its line in all of it."""
        line = None if problem.line is None else problem.line + self._n_lines_before
        return CorpusFormatError([replace(problem, line=line)])

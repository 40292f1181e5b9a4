"""The lines of a file in UTF-8 that is larger than the memory."""

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from awase.core.errors import CorpusFormatError, Problem
from awase.core.text.encoding import decode

BYTES_AT_ONCE: Final = 1 << 18
_NO_FIRST_LINE: Final = b"\n"
"""Before what is read later, so that a byte order mark in it stands inside the text."""


def utf8_lines(file: BinaryIO) -> Iterator[str]:
    """Yields the lines of a file without their ends, whatever these are.

    Raises:
        CorpusFormatError: As `decode` does, once the place is reached where the fault is.
    """
    lead, n_bytes, n_lines = b"", 0, 0
    while piece := b"".join(file.readlines(BYTES_AT_ONCE)):
        try:
            text = decode(lead + piece, "utf-8").text
        except CorpusFormatError as error:
            n_before = n_bytes - len(lead), n_lines - len(lead)
            raise CorpusFormatError(
                _further(problem, *n_before) for problem in error.problems
            ) from error
        lines = text[len(lead) :].removesuffix("\n").split("\n")
        yield from lines
        n_bytes, n_lines = n_bytes + len(piece), n_lines + len(lines)
        lead = _NO_FIRST_LINE


def _further(problem: Problem, n_bytes: int, n_lines: int) -> Problem:
    """Returns the problem of a piece as one of the file, before which there is so much else."""
    fields, offset = problem.fields, problem.fields.get("offset")
    if isinstance(offset, int):
        fields = {**fields, "offset": offset + n_bytes}
    line = None if problem.line is None else problem.line + n_lines
    return replace(problem, fields=fields, line=line)

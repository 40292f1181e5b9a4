"""Where a file's problems and documents come from."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from awase.core.errors import CorpusFormatError


@contextmanager
def in_source(source: str) -> Iterator[None]:
    """Names `source` in every problem that is raised within.

    Raises:
        CorpusFormatError: What was raised, with its source.
    """
    try:
        yield
    except CorpusFormatError as error:
        raise CorpusFormatError(problem.in_source(source) for problem in error.problems) from error


def stem(source: str) -> str:
    """Returns a file's name without folders and ending.

    >>> stem("set1/980101001.txt")
    '980101001'
    """
    name = unicodedata.normalize("NFC", re.split(r"[/\\\\]", source)[-1])
    return name.rpartition(".")[0] or name

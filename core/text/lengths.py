"""How long a summary is, in the units in which limits are given."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from awase.core.text.script import clusters, detect_language


def length_of(sentences: Sequence[str], unit: str) -> int:
    """Returns the length of a summary in `unit`.

    Characters are counted without white space, as in TSC; words are what blanks separate; bytes are
    those of UTF-8, without line ends.

    Args:
        sentences: Its sentences.
        unit: One of `awase.core.records.abstract.LIMIT_UNITS`.

    Raises:
        ValueError: There is no such unit.

    >>> length_of(["犬が 走る。"], "characters")
    5
    """
    return sum(lengths_of(sentences, unit))


def lengths_of(sentences: Iterable[str], unit: str) -> list[int]:
    """Returns the length of each sentence; arguments and errors are those of `length_of`."""
    if unit not in _OF_ONE:
        raise ValueError(f"no unit {unit!r}")
    return [*map(_OF_ONE[unit], sentences)]


def _n_characters(text: str) -> int:
    """Returns how many there are for a reader: marks and variation selectors count with theirs."""
    if text.isascii():
        return len("".join(text.split()))
    return sum(not text[start].isspace() for start, _ in clusters(text))


_OF_ONE: Final[Mapping[str, Callable[[str], int]]] = MappingProxyType(
    {
        "characters": _n_characters,
        "words": lambda sentence: len(sentence.split()),
        "bytes": lambda sentence: len(sentence.encode("utf-8", "replace")),
        "sentences": lambda sentence: int(bool(sentence.strip())),
    }
)


def usual_unit(language: str | None, text: str = "") -> str:
    """Returns the unit that summaries in `language` are measured in; None = ask the text."""
    code = language or detect_language(text)
    return "characters" if code == "ja" else "words"

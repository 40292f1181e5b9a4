"""How long a summary is, in the units in which limits are given."""

from collections.abc import Sequence

from awase.core.text.script import detect_language


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
    if unit == "characters":
        return sum(len("".join(sentence.split())) for sentence in sentences)
    if unit == "words":
        return sum(len(sentence.split()) for sentence in sentences)
    if unit == "bytes":
        return sum(len(sentence.encode("utf-8", "replace")) for sentence in sentences)
    if unit == "sentences":
        return sum(bool(sentence.strip()) for sentence in sentences)
    raise ValueError(f"no unit {unit!r}")


def usual_unit(language: str | None, text: str = "") -> str:
    """Returns the unit that summaries in `language` are measured in; None = ask the text."""
    code = language or detect_language(text)
    return "characters" if code == "ja" else "words"

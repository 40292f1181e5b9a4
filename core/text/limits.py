"""Lengths of texts, and limits of them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from awase.core.errors import InputError
from awase.core.text.script import clusters, detect_language


def length_of(sentences: Sequence[str], unit: str) -> int:
    """Returns the length of a summary in `unit`; `ValueError` if unknown.

    Characters exclude white space, as in TSC; words are separated by blanks; bytes are those of
    UTF-8, without line ends.

    >>> length_of(["犬が 走る。"], "characters")
    5
    """
    return sum(lengths_of(sentences, unit))


def lengths_of(sentences: Iterable[str], unit: str) -> list[int]:
    """Returns the length of each sentence; arguments and errors as of `length_of`."""
    if unit not in _OF_ONE:
        raise ValueError(f"no unit {unit!r}")
    return [*map(_OF_ONE[unit], sentences)]


def _n_characters(text: str) -> int:
    """Returns the number of characters for a reader: marks and variation selectors do not count."""
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
    """Returns the default unit of summaries in `language`; None = detect it in the text."""
    code = language or detect_language(text)
    return "characters" if code == "ja" else "words"


_BLANKS = re.compile(rb"[ \t\n\r\f\v]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthLimit:
    """How much of a summary counts; 0 = no limit."""

    # White-space separated words of the raw text (`-l`); `well-known` and a lone `--` are one each.
    words: int = 0
    bytes: int = 0  # bytes of the raw text in UTF-8, blanks between sentences not counted (`-b`)
    characters: int = 0  # characters of the raw text that are not white space
    # Words of the tokeniser; tokens are cut later, not here.
    tokens: int = 0

    def __post_init__(self) -> None:
        if sum(map(bool, (self.words, self.bytes, self.characters, self.tokens))) > 1:
            raise InputError.of("Limits in words, bytes and characters exclude each other.")


NO_LIMIT = LengthLimit()


def running_text(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the running text within the limit, in pieces to be joined by blanks."""
    if limit.bytes:
        return _first_bytes(sentences, limit.bytes)
    return _cut_alike(sentences, limit)


def sentences_apart(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the sentences within the limit.

    Differs: from expectation as the program does: a byte limit is not accumulated, so that every
    sentence
        shorter than the limit is whole, and the first other one is cut there and is the last.
    """
    if not limit.bytes:
        return _cut_alike(sentences, limit)
    taken: list[bytes] = []
    for sentence in sentences:
        taken.append(sentence[: limit.bytes])
        if len(sentence) >= limit.bytes:
            break
    return taken


def cuts_a_character(sentences: Sequence[bytes], n_bytes: int) -> bool:
    """Returns whether a byte limit splits a UTF-8 character, in either form.

    >>> cuts_a_character(["犬が走った。".encode()], 4)
    True
    """
    limit = LengthLimit(bytes=n_bytes)
    return any(
        _continues_character(sentence[len(piece) :])
        for taken in (running_text(sentences, limit), sentences_apart(sentences, limit))
        for sentence, piece in zip(sentences, taken, strict=False)
    )


def _continues_character(rest: bytes) -> bool:
    return bool(rest) and rest[0] & 0xC0 == 0x80


def _cut_alike(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the text within limits for which both forms agree."""
    if limit.characters:
        return _first_characters(sentences, limit.characters)
    return first_words(sentences, limit.words)


def first_words(sentences: Sequence[bytes], n_words: int) -> list[bytes]:
    """Returns the sentences up to the limit; a blank at a sentence's start counts as a word."""
    if not n_words:
        return list(sentences)
    taken: list[bytes] = []
    room = n_words
    for sentence in sentences:
        words = _BLANKS.split(sentence)
        while words and not words[-1]:
            words.pop()
        if len(words) >= room:
            return [*taken, b" ".join(words[:room])]
        taken.append(sentence)
        room -= len(words)
    return taken


def _first_bytes(sentences: Sequence[bytes], n_bytes: int) -> list[bytes]:
    taken: list[bytes] = []
    room = n_bytes
    for sentence in sentences:
        if len(sentence) >= room:
            return [*taken, sentence[:room]]
        taken.append(sentence)
        room -= len(sentence)
    return taken


def _first_characters(sentences: Sequence[bytes], n_characters: int) -> list[bytes]:
    taken: list[bytes] = []
    room = n_characters
    for sentence in sentences:
        # Bytes that are no UTF-8 count one each.
        text = sentence.decode("utf-8", "surrogateescape")
        counted = [end for start, end in clusters(text) if not text[start].isspace()]
        if len(counted) >= room:
            kept = text[: counted[room - 1]]
            return [*taken, kept.encode("utf-8", "surrogateescape")]
        taken.append(sentence)
        room -= len(counted)
    return taken


def as_bytes(text: str | bytes) -> bytes:
    """Encodes as UTF-8; unencodable characters separate tokens and count one byte."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")

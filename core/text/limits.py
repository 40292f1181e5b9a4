"""Length limits, cut the way ROUGE-1.5.5 cuts: on raw text, before any token is made.

The program reads each summary twice, and its two readers disagree under a byte limit. The first
gives the running text (n-grams, skip-bigrams, and the counts that clip ROUGE-L and ROUGE-W), the
second the sentences of ROUGE-L and ROUGE-W. Both limits hold for references as for systems.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.errors import InputError

_BLANKS = re.compile(rb"[ \t\n\r\f\v]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthLimit:
    """How much of a summary counts; 0 = no limit.

    Attributes:
        words: White-space words of the raw text (`-l`); `well-known` and a lone `--` are one each.
        bytes: Bytes of the raw text in UTF-8, blanks between sentences not counted (`-b`).
    """

    words: int = 0
    bytes: int = 0

    def __post_init__(self) -> None:
        if self.words and self.bytes:
            raise InputError.of("A limit in words and one in bytes exclude each other.")


NO_LIMIT = LengthLimit()


def running_text(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns what the first reader takes; its pieces joined by blanks are one text."""
    if limit.bytes:
        return _first_bytes(sentences, limit.bytes)
    return first_words(sentences, limit.words)


def sentences_apart(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the sentences that the second reader takes.

    Differs: from what one expects, as the program does: under a byte limit it never adds up, so
        every sentence shorter than the limit is taken whole, and the first that is not is cut
        there and ends the summary.
    """
    if not limit.bytes:
        return first_words(sentences, limit.words)
    taken: list[bytes] = []
    for sentence in sentences:
        taken.append(sentence[: limit.bytes])
        if len(sentence) >= limit.bytes:
            break
    return taken


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

"""The tokeniser of ROUGE-1.5.5: runs of ASCII letters and digits, everything else a gap."""

import re
import unicodedata
from collections.abc import Sequence

_UPPER_TO_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_TABLE = bytes(
    lower if (lower := _UPPER_TO_LOWER.get(byte, byte)) in _KEPT else ord(" ")
    for byte in range(256)
)
_LETTERS_MARKS_NUMBERS = "LMN"

SENTENCE_END = b"\x00"
_ZERO = SENTENCE_END.decode()
_TABLE_WITH_ENDS = SENTENCE_END + _TABLE[1:]


def ascii_byte_tokens(text: bytes) -> list[bytes]:
    """Returns the lower-cased tokens of a text given as bytes.

    Source: ROUGE-1.5.5, which reads files as bytes; the steps of its tokeniser (hyphens set apart,
        other bytes blanked, tokens kept that begin with a letter or digit) come to this.
    """
    return text.translate(_TABLE).split()


def closed_by_zeros(sentences: Sequence[bytes]) -> bytes:
    """Returns all sentences as they are, each closed by `SENTENCE_END`, which none has within."""
    joined = SENTENCE_END.join([*sentences, b""])
    if joined.count(SENTENCE_END) != len(sentences):
        return closed_by_zeros([sentence.replace(SENTENCE_END, b" ") for sentence in sentences])
    return joined


def plain_sentences(sentences: Sequence[str | bytes]) -> bytes | None:
    """Returns what `closed_by_zeros` returns, if all are str of ASCII, for less; else None."""
    try:
        whole = "".join(sentences)  # type: ignore[arg-type]  # bytes raise TypeError
    except TypeError:
        return None
    if not whole.isascii() or _ZERO in whole:
        return None
    return _ZERO.join([*sentences, ""]).encode()  # type: ignore[list-item]  # all are str


def text_with_ends(closed: bytes) -> bytes:
    """Returns the tokens of sentences closed by zeros, and their ends, between blanks.

    One pass over all the text is several times faster than one for each sentence.
    """
    return closed.replace(SENTENCE_END, b" " + SENTENCE_END + b" ").translate(_TABLE_WITH_ENDS)


def ascii_tokens(text: str) -> tuple[str, ...]:
    """Returns the lower-cased tokens of `text`; letters outside ASCII part tokens and are lost.

    >>> ascii_tokens("The U.S. café's well-known 3.5%")
    ('the', 'u', 's', 'caf', 's', 'well', 'known', '3', '5')
    """
    # "?" for each character outside ASCII parts tokens exactly as its UTF-8 bytes do.
    return tuple(text.encode("ascii", "replace").decode().translate(_TABLE_OF_STR).split())


_TABLE_OF_STR = {byte: chr(_TABLE[byte]) for byte in range(128)}
_WORD = re.compile("[A-Za-z0-9]+")


def ascii_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `ascii_tokens` as they are written."""
    return tuple(_WORD.findall(text))


def lost_letters(text: str) -> tuple[str, ...]:
    """Returns the different letters, marks and digits that this tokeniser deletes, as first met.

    Punctuation outside ASCII, such as a curly apostrophe, parts tokens like any other and is not a
    loss. A text with lost letters should be scored with another tokeniser, or said to be damaged.

    >>> lost_letters("naïve café — 東京")
    ('ï', 'é', '東', '京')
    """
    if text.isascii():
        return ()
    return tuple(
        char
        for char in dict.fromkeys(text)
        if ord(char) >= 128 and unicodedata.category(char)[0] in _LETTERS_MARKS_NUMBERS
    )

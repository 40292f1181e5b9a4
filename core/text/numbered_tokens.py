"""Vectorised detection of equal tokens in a large text."""
# A Python object and a lookup for each token cost more than everything else that is done with it.
# Here tokens stay in place and are compared as words of eight bytes.

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.binding import Kernel, kernel, passed
from awase.core.text.tokenisers import (
    SENTENCE_END,
    Cut,
    plain_sentences,
    text_with_ends,
    unicode_tokens,
)

_BYTES = 8
_WORD_BITS = 3
_MOST_WORDS = 4
_BLANK = ord(" ")
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_BYTES + 1)], np.uint64)
# 2 ** 64 / golden ratio, and a multiplier of Steele and Vigna (2021) that makes the next from it.
_FIRST_MULTIPLIER = 0x9E3779B97F4A7C15
_NEXT = 0xD1342543DE82EF95

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenKinds:
    """The distinct tokens of a text, extracted lazily."""

    # (n_tokens,) which of them each token is, in reading order; `SENTENCE_END` follows every
    # sentence.
    kind_of: Indices
    end: int  # which of them is `SENTENCE_END`; one above all others where it is not among them
    text: bytes
    bounds: Indices  # (n_kinds, 2) where each begins and ends in `text`; but that of `SENTENCE_END`

    @property
    def n_kinds(self) -> int:
        """Returns their number."""
        return len(self.bounds)

    def tokens(self) -> list[bytes]:
        """Returns them."""
        cut = [self.text[start:end] for start, end in self.bounds.tolist()]
        cut[self.end : self.end + 1] = [SENTENCE_END] * len(cut[self.end : self.end + 1])
        return cut


def token_kinds(closed: bytes) -> TokenKinds:
    """Returns the distinct tokens, and each token's index among them, in reading order.

    Tokens are those of `ascii_byte_tokens`; `SENTENCE_END` follows every sentence. `closed` is from
    `closed_by_zeros`.
    """
    library = kernel()
    compiled = None if library is None else _compiled_kinds(library, closed)
    if compiled is not None:
        return compiled
    text = b" " + text_with_ends(closed) + b" " * _BYTES
    is_gap = np.frombuffer(text, np.uint8) == _BLANK
    edges = np.flatnonzero(is_gap[1:] != is_gap[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    equal = _equal_tokens(text, starts, ends - starts)
    chosen = np.flatnonzero(equal == np.arange(len(equal)))
    kind_of = np.empty(len(equal), np.int64)
    kind_of[chosen] = np.arange(len(chosen))
    of_end = kind_of[equal[-1]] if len(equal) else 0
    return TokenKinds(
        kind_of[equal], int(of_end), text, np.stack((starts[chosen], ends[chosen]), axis=-1)
    )


def _compiled_kinds(library: Kernel, closed: bytes) -> TokenKinds | None:
    text = np.frombuffer(closed, np.uint8)
    lowered = np.empty(len(text) + _BYTES, np.uint8)
    kind_of, spans = np.empty(len(text), np.int64), np.empty(2 * len(text) + 2, np.int64)
    totals = np.zeros(2, np.int64)
    bytes_in, bytes_out = (passed(array, "uint8") for array in (text, lowered))
    numbers = (passed(array, "int64") for array in (kind_of, spans, totals))
    if not library.call("awase_tokens", bytes_in, bytes_out, *numbers):
        return None
    n_tokens, n_kinds = totals.tolist()
    bounds = spans[: 2 * n_kinds].reshape(-1, 2)
    return TokenKinds(kind_of[:n_tokens], 0, lowered.tobytes(), bounds)


def _equal_tokens(text: bytes, starts: Indices, lengths: Indices) -> Indices:
    result = np.empty(len(starts), np.int64)
    n_words = (lengths + _BYTES - 1) >> _WORD_BITS
    for size in range(1, _MOST_WORDS + 1):
        tokens = np.flatnonzero(n_words == size)
        if len(tokens):
            result[tokens] = tokens[_equal_words(text, starts[tokens], lengths[tokens], size)]
    known: dict[bytes, int] = {}
    for token in np.flatnonzero(n_words > _MOST_WORDS).tolist():
        start = starts[token]
        result[token] = known.setdefault(text[start : start + lengths[token]], token)
    return result


def _equal_words(text: bytes, starts: Indices, lengths: Indices, n_words: int) -> Indices:
    """Returns for each token, all of `n_words` words, a representative of its equals."""
    words = np.ndarray((len(text) - _BYTES + 1,), "<u8", buffer=text, strides=(1,))
    equal = np.zeros(len(starts), np.int64)
    for index in range(n_words):
        begin = _BYTES * index
        word = words[starts + begin] & _MASKS[np.minimum(lengths - begin, _BYTES)]
        equal = (
            equal_keys(word)
            if not index
            else equal_keys((equal * len(equal) + equal_keys(word)).astype(np.uint64))
        )
    return equal


def equal_keys(keys: NDArray[np.uint64]) -> Indices:
    """Returns (n,) for each key the index of a representative of its equals."""
    # All keys are written into a hash table; those that read back another key have collided, and
    # are written once more with another hash.
    n_bits = max(len(keys).bit_length(), 1)
    winners = np.empty(1 << n_bits, np.int64)

    def written(indices: Indices, of_indices: NDArray[np.uint64], multiplier: int) -> Indices:
        places = (of_indices * np.uint64(multiplier)) >> np.uint64(64 - n_bits)
        winners[places] = indices
        found: Indices = winners[places]
        return found

    multiplier = _FIRST_MULTIPLIER
    result = written(np.arange(len(keys)), keys, multiplier)
    rest = np.flatnonzero(keys[result] != keys)
    while len(rest):
        multiplier = multiplier * _NEXT % (1 << 64)
        again = written(rest, keys[rest], multiplier)
        result[rest] = again
        rest = rest[keys[again] != keys[rest]]
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedTexts:
    """Texts whose equal tokens have equal numbers."""

    tokens: NDArray[np.int64]  # (n_tokens,) numbers from 0, text by text
    starts: NDArray[np.int64]  # (n_texts + 1,) where each text begins in `tokens`, and their number

    def lengths(self) -> list[int]:
        """Returns each text's number of tokens."""
        lengths: list[int] = np.diff(self.starts).tolist()
        return lengths

    def part(self, begin: int, end: int) -> "NumberedTexts":
        """Returns a slice of the texts with the same numbering."""
        starts = self.starts[begin : end + 1]
        return NumberedTexts(tokens=self.tokens[starts[0] : starts[-1]], starts=starts - starts[0])


def numbered_texts(texts: Sequence[str], cut: Cut) -> NumberedTexts:
    """Returns texts as token numbers; ASCII in one pass, without token objects."""
    plain = plain_sentences(texts) if cut is unicode_tokens else None
    if plain is None:
        return numbered_tokens([cut(text) for text in texts])
    found = token_kinds(plain)
    is_end = found.kind_of == found.end
    ends = np.flatnonzero(is_end)
    starts = np.concatenate(([0], ends - np.arange(len(ends))))
    return NumberedTexts(tokens=found.kind_of[~is_end], starts=starts)


def numbered_tokens(texts: Sequence[Sequence[str]]) -> NumberedTexts:
    """Returns texts that were cut before."""
    numbers = _Numbers()
    tokens = [*map(numbers.__getitem__, chain.from_iterable(texts))]
    return NumberedTexts(
        tokens=np.array(tokens, np.int64),
        starts=np.array([0, *accumulate(map(len, texts))], np.int64),
    )


class _Numbers(dict[str, int]):
    """Token -> a number of its own, from 0, as tokens are met."""

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number

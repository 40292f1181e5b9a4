"""Numbers for the tokens of a large text, equal ones alike."""

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
_MOST_BYTES = 4 * _BYTES
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_BYTES + 1)], np.uint64)
_GOES_ON = np.uint64(1 << 63)  # no letter of ASCII has this bit
_BLANK = ord(" ")
# 2 ** 64 / golden ratio, and a multiplier of Steele and Vigna (2021) that makes the next from it.
_MULTIPLIER = 0x9E3779B97F4A7C15
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
    edges = np.flatnonzero(np.diff(np.frombuffer(text, np.uint8) == _BLANK)) + 1
    starts, ends = edges[0::2], edges[1::2]
    equal = _equal_tokens(text, starts, ends - starts)
    chosen = np.flatnonzero(equal == np.arange(len(equal)))
    kind_of = np.empty(len(equal), np.int64)
    kind_of[chosen] = np.arange(len(chosen))
    of_end = kind_of[equal[-1]] if len(equal) else 0
    bounds = np.stack((starts[chosen], ends[chosen]), axis=-1)
    return TokenKinds(kind_of[equal], int(of_end), text, bounds)


def _equal_tokens(text: bytes, starts: Indices, lengths: Indices) -> Indices:
    """Returns for each token the index of one of its equals, the same for all of them."""
    # An object and a lookup for each take longer than all else that is done with a token: they stay
    # in place, and are compared as words of eight bytes.
    words = np.ndarray((len(text) - _BYTES + 1,), "<u8", buffer=text, strides=(1,))
    equal, rest = np.zeros(len(starts), np.int64), np.arange(len(starts))
    for begin in range(0, _MOST_BYTES, _BYTES):
        left = lengths[rest] - begin
        keys = words[starts[rest] + begin] & _MASKS[np.minimum(left, _BYTES)]
        keys |= np.where(left > _BYTES, _GOES_ON, np.uint64(0))
        if begin:
            keys = (equal[rest] * len(equal) + equal_keys(keys)).astype(np.uint64)
        equal[rest] = rest[equal_keys(keys)]
        rest = rest[left > _BYTES]
    known: dict[bytes, int] = {}
    for token in rest.tolist():
        start = starts[token]
        equal[token] = known.setdefault(text[start : start + lengths[token]], token)
    return equal


def equal_keys(keys: NDArray[np.uint64]) -> Indices:
    """Returns (n,) for each key the index of the last of its equals."""
    # All keys are written into a hash table; those that read back another key have collided, and
    # are written once more with another hash.
    n_bits = max(len(keys).bit_length(), 1)
    winners = np.empty(1 << n_bits, np.int32)
    result, rest, some = np.empty(len(keys), np.int64), np.arange(len(keys)), keys
    multiplier = _MULTIPLIER
    while len(rest):
        places = (some * np.uint64(multiplier)) >> np.uint64(64 - n_bits)
        winners[places] = rest
        found = winners[places]
        result[rest] = found
        is_other = keys[found] != some
        rest, some = rest[is_other], some[is_other]
        multiplier = multiplier * _NEXT % (1 << 64)
    return result


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

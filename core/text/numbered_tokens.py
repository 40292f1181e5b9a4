"""Numbers for the tokens of a large text, equal ones alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import AnyStr

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

_SPARE_BYTES = 8  # behind a text, as the kernel reads by words
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
    number_of: _Numbers[bytes] = _Numbers()
    tokens = text_with_ends(closed).split()
    kind_of = np.array([*map(number_of.__getitem__, tokens)], np.int64)
    lengths = np.array([*map(len, number_of)], np.int64)
    starts = np.cumsum(lengths + 1) - lengths - 1
    bounds = np.stack((starts, starts + lengths), axis=-1)
    text = b" ".join(number_of) + b" " * _SPARE_BYTES
    return TokenKinds(kind_of, number_of.get(SENTENCE_END, 0), text, bounds)


def _compiled_kinds(library: Kernel, closed: bytes) -> TokenKinds | None:
    text = np.frombuffer(closed, np.uint8)
    lowered = np.empty(len(text) + _SPARE_BYTES, np.uint8)
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
    number_of: _Numbers[str] = _Numbers()
    tokens = [*map(number_of.__getitem__, chain.from_iterable(texts))]
    return NumberedTexts(
        tokens=np.array(tokens, np.int64),
        starts=np.array([0, *accumulate(map(len, texts))], np.int64),
    )


class _Numbers(dict[AnyStr, int]):
    """Token -> a number of its own, from 0, as tokens are met."""

    def __missing__(self, token: AnyStr) -> int:
        number = self[token] = len(self)
        return number

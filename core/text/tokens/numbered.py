"""Texts as numbers, a number for each kind of token, all in one array."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from awase.core.text.tokens.ascii import plain_sentences
from awase.core.text.tokens.kinds import token_kinds
from awase.core.text.tokens.tokenisers import Cut
from awase.core.text.tokens.words import unicode_tokens


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedTexts:
    """Texts whose equal tokens have equal numbers.

    Attributes:
        tokens: (n_tokens,) numbers from 0, text by text.
        starts: (n_texts + 1,) where each text begins in `tokens`, and their number.
    """

    tokens: NDArray[np.int64]
    starts: NDArray[np.int64]

    def lengths(self) -> list[int]:
        """Returns how many tokens each has."""
        lengths: list[int] = np.diff(self.starts).tolist()
        return lengths

    def part(self, begin: int, end: int) -> "NumberedTexts":
        """Returns the texts from `begin` to before `end`, with the numbers that they have."""
        starts = self.starts[begin : end + 1]
        return NumberedTexts(tokens=self.tokens[starts[0] : starts[-1]], starts=starts - starts[0])


def numbered_texts(texts: Sequence[str], cut: Cut) -> NumberedTexts:
    """Returns texts cut into tokens; of ASCII all at once, without making any token."""
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

"""Numbers for tokens: each text is tokenised, stemmed and numbered once, however often compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.tokens.preparation import Preparation
from awase.core.metrics.rouge.tokens.token_numbers import (
    DROPPED,
    END,
    Summary,
    all_as_bytes,
    numbers,
    tokens_of_text,
    warn_of_lost_letters,
)
from awase.core.text.limits import running_text, sentences_apart
from awase.core.text.tokens.ascii import SENTENCE_END
from awase.core.text.tokens.kinds import token_kinds

Ids = NDArray[np.int64]
Offsets = NDArray[np.int64]
Sentences = Sequence[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedTexts:
    """Token ids of several texts, sentence by sentence.

    Attributes:
        ids: (n_tokens,) ids from 1 on, texts one after the other.
        sentence_starts: (n_sentences + 1,) offsets into `ids`.
        text_starts: (n_texts + 1,) offsets into `sentence_starts`.
    """

    ids: Ids
    sentence_starts: Offsets
    text_starts: Offsets


class Lexicon:
    """Turns texts into ids under one preparation; ids are the same for all texts it reads."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._numbers = numbers(preparation)

    @property
    def n_ids(self) -> int:
        """Returns a number above all ids."""
        return len(self._numbers) + 1

    def read(self, summaries: Sequence[Summary]) -> tuple[NumberedTexts, NumberedTexts]:
        """Returns the running texts and the sentences of the texts, both after the limit.

        The two are one and the same unless a byte limit parts them; see `limits`.
        """
        limit = self._preparation.limit
        warn_of_lost_letters(summaries, self._preparation.tokeniser)
        texts = [all_as_bytes(summary) for summary in summaries]
        apart = self._numbered([sentences_apart(text, limit) for text in texts])
        if not limit.bytes:
            return apart, apart
        return self._numbered([running_text(text, limit) for text in texts]), apart

    def _numbered(self, texts: Sequence[Sentences]) -> NumberedTexts:
        kinds, kind_of = self._kinds(texts)
        ids = np.array(self._numbers.numbers_of(kinds), np.int64)[kind_of]
        ids = ids[ids != DROPPED]
        ends = np.flatnonzero(ids == END)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return NumberedTexts(
            ids=ids[ids != END],
            sentence_starts=_starts(np.diff(ends, prepend=-1) - 1),
            text_starts=_starts(lengths),
        )

    def _kinds(self, texts: Sequence[Sentences]) -> tuple[Sequence[bytes], NDArray[np.int64]]:
        """Returns the different tokens, and which of them each is; marks close the sentences."""
        tokeniser = self._preparation.tokeniser
        if tokeniser is None:
            return token_kinds(list(chain.from_iterable(texts)))
        n_tokens = self._preparation.limit.tokens
        place_of: dict[bytes, int] = {}
        places = [
            place_of.setdefault(token, len(place_of))
            for text in texts
            for tokens in tokens_of_text(text, tokeniser, n_tokens)
            for token in (*tokens, SENTENCE_END)
        ]
        return [*place_of], np.array(places, np.int64)


def _starts(lengths: NDArray[np.integer]) -> Offsets:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

"""Numbers for tokens: each text is tokenised, stemmed and numbered once, however often compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.limits import running_text, sentences_apart
from awase.core.metrics.rouge.preparation import Preparation
from awase.core.metrics.rouge.token_numbers import DROPPED, END, numbers, tokens_of
from awase.core.text.ascii_tokens import SENTENCE_END, tokens_with_ends

Ids = NDArray[np.int32]
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

    def read(self, texts: Sequence[Sentences]) -> tuple[NumberedTexts, NumberedTexts]:
        """Returns the running texts and the sentences of the texts, both after the limit.

        The two are one and the same unless a byte limit parts them; see `limits`.
        """
        limit = self._preparation.limit
        apart = self._numbered([sentences_apart(text, limit) for text in texts])
        if not limit.bytes:
            return apart, apart
        return self._numbered([running_text(text, limit) for text in texts]), apart

    def _numbered(self, texts: Sequence[Sentences]) -> NumberedTexts:
        tokens = self._tokens(list(chain.from_iterable(texts)))
        ids = np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, len(tokens))
        if ids.size and ids.min() == DROPPED:
            ids = ids[ids != DROPPED]
        ends = np.flatnonzero(ids == END)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return NumberedTexts(
            ids=ids[ids != END],
            sentence_starts=_starts(np.diff(ends, prepend=-1) - 1),
            text_starts=_starts(lengths),
        )

    def _tokens(self, sentences: Sentences) -> Sequence[bytes]:
        """Returns the tokens of all sentences, each sentence closed by a mark."""
        tokeniser = self._preparation.tokeniser
        if tokeniser is None:
            return tokens_with_ends(sentences)
        tokens: list[bytes] = []
        for sentence in sentences:
            tokens += tokens_of(sentence, tokeniser)
            tokens.append(SENTENCE_END)
        return tokens


def _starts(lengths: NDArray[np.integer]) -> Offsets:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

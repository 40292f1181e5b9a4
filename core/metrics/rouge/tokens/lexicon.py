"""Numbers for tokens: each text is tokenised, stemmed and numbered once, however often compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.tokens.compiled_words import compiled_words
from awase.core.metrics.rouge.tokens.preparation import Preparation, Tokeniser
from awase.core.metrics.rouge.tokens.token_numbers import (
    END,
    Summary,
    all_as_bytes,
    numbers,
    sentences_of_all,
    tokens_of_text,
    warn_of_lost_letters,
)
from awase.core.text.limits import NO_LIMIT, running_text, sentences_apart
from awase.core.text.tokens.ascii import SENTENCE_END, closed_by_zeros, plain_sentences
from awase.core.text.tokens.kinds import TokenKinds, token_kinds

Ids = NDArray[np.int64]
Offsets = NDArray[np.int64]
Sentences = Sequence[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Texts as tokens; twice one after the other if they are read in two ways.

    Attributes:
        kinds: (n_marks,) which kind of token each is; marks close the sentences.
        words: (n_kinds,) `END`, `DROPPED`, or the number of the word that is counted, from 1 on.
        text_starts: (n_readings * n_texts + 1,) offsets into the sentences.
        n_readings: 1, or 2 if running texts and their sentences differ, the former first.
    """

    kinds: Ids
    words: Ids
    text_starts: Offsets
    n_readings: int


class Lexicon:
    """Turns texts into words under one preparation."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._numbers = numbers(preparation)

    def read(self, summaries: Sequence[Summary]) -> Reading:
        """Returns the running texts and the sentences of the texts, both after the limit.

        The two are one and the same unless a byte limit parts them; see `limits`.
        """
        limit = self._preparation.limit
        apart = sentences_of_all(summaries)
        lengths, sentences = [*map(len, apart)], [*chain.from_iterable(apart)]
        plain = plain_sentences(sentences) if self._preparation.takes_all else None
        if plain is not None:
            return self._read(token_kinds(plain), lengths, 1)
        warn_of_lost_letters([sentences], self._preparation.tokeniser)
        texts = _parted(all_as_bytes(sentences), lengths)
        if limit.bytes:
            running = [running_text(text, limit) for text in texts]
            texts = [*running, *(sentences_apart(text, limit) for text in texts)]
        elif limit != NO_LIMIT:
            texts = [sentences_apart(text, limit) for text in texts]
        lengths, n_readings = [*map(len, texts)], 2 if limit.bytes else 1
        tokeniser = self._preparation.tokeniser
        if tokeniser is None:
            closed = closed_by_zeros([*chain.from_iterable(texts)])
            return self._read(token_kinds(closed), lengths, n_readings)
        places, tokens = self._tokens_of(texts, tokeniser)
        words = np.array(self._numbers.numbers_of(tokens), np.int64)
        return _reading(places, words, lengths, n_readings)

    def _read(self, found: TokenKinds, lengths: Sequence[int], n_readings: int) -> Reading:
        words = (
            np.arange(1, found.n_kinds + 1)
            if self._preparation.counts_as_is
            else compiled_words(found, self._preparation)
        )
        if words is None:
            words = np.array(self._numbers.numbers_of(found.tokens()), np.int64)
        words[found.end : found.end + 1] = END
        return _reading(found.kind_of, words, lengths, n_readings)

    def _tokens_of(
        self, texts: Sequence[Sentences], tokeniser: Tokeniser
    ) -> tuple[Ids, Sequence[bytes]]:
        n_tokens = self._preparation.limit.tokens
        place_of: dict[bytes, int] = {}
        places = [
            place_of.setdefault(token, len(place_of))
            for text in texts
            for tokens in tokens_of_text(text, tokeniser, n_tokens)
            for token in (*tokens, SENTENCE_END)
        ]
        return np.array(places, np.int64), [*place_of]


def _reading(kinds: Ids, words: Ids, lengths: Sequence[int], n_readings: int) -> Reading:
    text_starts = starts_of(np.array(lengths, np.int64))
    return Reading(kinds=kinds, words=words, text_starts=text_starts, n_readings=n_readings)


def _parted(sentences: Sequence[bytes], lengths: Iterable[int]) -> list[Sentences]:
    rest = iter(sentences)
    return [[*islice(rest, length)] for length in lengths]


def starts_of(lengths: NDArray[np.integer]) -> Offsets:
    """Returns (n + 1,) offsets of pieces of these lengths, one after the other."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

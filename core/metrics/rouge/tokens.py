"""Numbers for tokens: each text is tokenised, stemmed and numbered once, however often compared.

Also the word lists of ROUGE-1.5.5: stop words, and irregular forms for its stemmer.
"""

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, chain, islice
from types import MappingProxyType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.binding import Array, kernel, passed
from awase.core.metrics.kit.metric import NO_LIMIT, LengthLimit, running_text, sentences_apart
from awase.core.text.numbered_tokens import TokenKinds, token_kinds
from awase.core.text.rouge_stemmer import RougeStemmer, wordnet_exceptions
from awase.core.text.tokenisers import (
    SENTENCE_END,
    ascii_byte_tokens,
    closed_by_zeros,
    lost_letters,
    plain_sentences,
)


@cache
def stop_list() -> tuple[str, ...]:
    """Returns the 598 entries in the program's order (provenance: resources/rouge/README.md)."""
    text = files("awase.resources").joinpath("rouge", "stop_words.txt").read_text("utf-8")
    return tuple(text.splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """The lists that a run uses."""

    stop_words: frozenset[str]
    exceptions: Mapping[str, str]  # irregular form to base form, under `-m`


@cache
def own_lists() -> WordLists:
    """Returns the lists of the program's distribution."""
    return WordLists(stop_words=frozenset(stop_list()), exceptions=wordnet_exceptions())


def stop_words_of(content: bytes) -> frozenset[str]:
    """Parses a stop word file of the program, a line each as is."""
    return frozenset(content.decode("latin-1").removesuffix("\n").split("\n"))


def exceptions_of(contents: Iterable[bytes]) -> Mapping[str, str]:
    """Parses WordNet's `.exc` files, in the database's order.

    Of a form in several the last counts, as does the first base form of a line.
    """
    lines = (line.split() for content in contents for line in content.decode("latin-1").split("\n"))
    return MappingProxyType({words[0]: words[1] for words in lines if len(words) > 1})


SHORTEST_STEMMED = 4  # letters of a token: shorter ones are not stemmed


# Cuts a sentence into tokens in reading order; pure, and the same for equal text.
Cut = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """Preprocessing of systems' and references' texts."""

    stem: bool = False  # whether tokens of four characters or more are stemmed (`-m`)
    # Whether tokens of the stop list are dropped before n-grams are formed (`-s`).
    drops_stop_words: bool = False
    limit: LengthLimit = NO_LIMIT  # how much of each summary counts
    # None = ROUGE-1.5.5's own, on bytes. With another, stop words and stems are those of its ASCII
    # tokens, and it sees the text after the limit. An empty token counts towards a limit in tokens,
    # and is dropped.
    tokeniser: Cut | None = None
    # Stop words and irregular forms; None = those of the program's distribution.
    lists: WordLists | None = None

    @property
    def counts_as_is(self) -> bool:
        """Returns whether every token is counted as it is."""
        return not self.stem and not self.drops_stop_words

    def stemmer(self) -> RougeStemmer | None:
        """Returns the stemmer; None = no stemming."""
        return RougeStemmer((self.lists or own_lists()).exceptions) if self.stem else None

    def reduction(self) -> "Reduction | None":
        """Returns the reduction of tokens; None = tokens are counted as they are."""
        if self.counts_as_is:
            return None
        lists = self.lists or own_lists()
        dropped = lists.stop_words if self.drops_stop_words else frozenset()
        return Reduction(dropped, self.stemmer())


class Reduction:
    """Maps a token to the counted word; empty = dropped."""

    def __init__(self, dropped: frozenset[str], stemmer: RougeStemmer | None) -> None:
        self._dropped = dropped
        self._stemmer = stemmer

    def __call__(self, token: str) -> str:
        """Returns the counted word of one token."""
        if token in self._dropped:
            return ""
        if self._stemmer is None or len(token) < SHORTEST_STEMMED:
            return token
        return self._stemmer(token)


AS_IS = Preparation()


# Sentences, or a single one; ROUGE-1.5.5 reads bytes, so that str is encoded as UTF-8.
Summary = str | bytes | Sequence[str | bytes]

ONE_SENTENCE = (str, bytes)  # what a summary is that has no list of sentences

END = 0  # number of the mark that ends a sentence
DROPPED = -1  # number of every stop word


_LETTERS_SHOWN = 5


class LostLettersWarning(UserWarning):
    """Text has letters that the tokeniser deletes, so that scores do not see them."""


class Numbers(dict[bytes, int]):
    """Raw token -> number of the counted word, from 1 on in the order of first lookup."""

    def __init__(self, reduction: Reduction | None) -> None:
        """`reduction` None = tokens are words."""
        super().__init__({SENTENCE_END: END})
        self._reduction = reduction
        self._numbers: dict[str, int] = {"": DROPPED}

    def numbers_of(self, tokens: Iterable[bytes]) -> list[int]:
        """Returns the numbers of the tokens."""
        tokens = [*tokens]
        new = [token for token in dict.fromkeys(tokens) if token not in self]
        if new:
            self.update(zip(new, self._new_numbers(new), strict=True))
        return [*map(self.__getitem__, tokens)]

    def _new_numbers(self, tokens: Sequence[bytes]) -> Iterable[int]:
        if self._reduction is None:
            return range(len(self), len(self) + len(tokens))
        words = [self._reduction(token.decode()) for token in tokens]
        numbers = self._numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]


def sentences_of_all(summaries: Sequence[Summary]) -> Sequence[Sequence[str | bytes]]:
    """Returns the sentences of each summary."""
    if {*map(type, summaries)} <= {tuple, list}:
        # The usual case; checking each takes longer than the rest.
        return cast("Sequence[Sequence[str | bytes]]", summaries)
    return [(one,) if isinstance(one, ONE_SENTENCE) else one for one in summaries]


def tokens_of_text(
    sentences: Sequence[bytes], tokeniser: Cut | None, n_tokens: int = 0
) -> list[Sequence[bytes]]:
    """Returns the tokens of each sentence of a text; `tokeniser` None = that of ROUGE-1.5.5.

    Up to `n_tokens`, 0 = all. Empty tokens are counted but not returned.
    """
    tokens: list[Sequence[bytes]]
    if tokeniser is None:
        tokens = [*map(ascii_byte_tokens, sentences)]
    else:
        # A byte limit may have cut a character in the middle.
        texts = (sentence.decode("utf-8", "ignore") for sentence in sentences)
        tokens = [[token.encode() for token in tokeniser(text)] for text in texts]
    if not n_tokens:
        return tokens
    taken: list[Sequence[bytes]] = []
    for of_sentence in tokens:
        taken.append([token for token in of_sentence[:n_tokens] if token])
        n_tokens = max(0, n_tokens - len(of_sentence))
    return taken


def all_as_bytes(summary: Summary) -> list[bytes]:
    """Returns `as_bytes` of all sentences in one call."""
    sentences = [summary] if isinstance(summary, str | bytes) else summary
    try:
        return [*map(str.encode, sentences)]  # type: ignore[arg-type]  # bytes raise TypeError
    except (TypeError, UnicodeEncodeError):
        pass
    return [
        text if isinstance(text, bytes) else text.encode("utf-8", "replace") for text in sentences
    ]


def warn_of_lost_letters(summaries: Iterable[Summary], tokeniser: Cut | None) -> None:
    """Warns of letters in str that the tokeniser of ROUGE-1.5.5 deletes; bytes are as they are."""
    if tokeniser is not None:
        return
    for summary in summaries:
        if _is_ascii(summary):
            continue
        for text in (summary,) if isinstance(summary, str | bytes) else summary:
            if isinstance(text, str) and (lost := lost_letters(text)):
                letters = "".join(lost[:_LETTERS_SHOWN])
                warnings.warn(
                    f"The tokeniser of ROUGE-1.5.5 deletes letters outside ASCII: {letters}. Give "
                    "Preparation a tokeniser for them, such as japanese_tokens or unicode_tokens.",
                    LostLettersWarning,
                    stacklevel=3,
                )
                return


def _is_ascii(summary: Summary) -> bool:
    """Returns whether all is ASCII, if one check can tell."""
    if isinstance(summary, str):
        return summary.isascii()
    try:
        return "".join(summary).isascii()  # type: ignore[arg-type]  # bytes raise TypeError
    except TypeError:
        return False


Ids = NDArray[np.int64]
Offsets = NDArray[np.int64]
Sentences = Sequence[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizedTexts:
    """Texts as tokens; twice one after the other if they are read in two ways."""

    kinds: Ids  # (n_marks,) which kind of token each is; marks close the sentences
    words: Ids  # (n_kinds,) `END`, `DROPPED`, or the number of the word that is counted, from 1 on
    text_starts: Offsets  # (n_readings * n_texts + 1,) offsets into the sentences
    n_readings: int  # 1, or 2 if running texts and their sentences differ, the former first


class Lexicon:
    """Turns texts into words under one preparation."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._numbers = Numbers(preparation.reduction())

    def read(self, summaries: Sequence[Summary]) -> TokenizedTexts:
        """Returns running texts and sentences, after the limit; a byte limit separates them."""
        limit = self._preparation.limit
        apart = sentences_of_all(summaries)
        lengths, sentences = [*map(len, apart)], [*chain.from_iterable(apart)]
        takes_all = self._preparation.tokeniser is None and limit == NO_LIMIT
        plain = plain_sentences(sentences) if takes_all else None
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

    def _read(self, found: TokenKinds, lengths: Sequence[int], n_readings: int) -> TokenizedTexts:
        words = (
            np.arange(1, found.n_kinds + 1)
            if self._preparation.counts_as_is
            else compiled_words(found, self._preparation)
        )
        if words is None:
            words = np.array(self._numbers.numbers_of(found.tokens()), np.int64)
        words[found.end : found.end + 1] = END
        return _reading(found.kind_of, words, lengths, n_readings)

    def _tokens_of(self, texts: Sequence[Sentences], tokeniser: Cut) -> tuple[Ids, Sequence[bytes]]:
        n_tokens = self._preparation.limit.tokens
        place_of: dict[bytes, int] = {}
        places = [
            place_of.setdefault(token, len(place_of))
            for text in texts
            for tokens in tokens_of_text(text, tokeniser, n_tokens)
            for token in (*tokens, SENTENCE_END)
        ]
        return np.array(places, np.int64), [*place_of]


def _reading(kinds: Ids, words: Ids, lengths: Sequence[int], n_readings: int) -> TokenizedTexts:
    text_starts = starts_of(np.array(lengths, np.int64))
    return TokenizedTexts(kinds=kinds, words=words, text_starts=text_starts, n_readings=n_readings)


def _parted(sentences: Sequence[bytes], lengths: Iterable[int]) -> list[Sentences]:
    rest = iter(sentences)
    return [[*islice(rest, length)] for length in lengths]


def starts_of(lengths: NDArray[np.integer]) -> Offsets:
    """Returns (n + 1,) offsets of consecutive pieces of these lengths."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


# Letters of words, one after the other, and (n + 1,) offsets into them.
_Words = tuple[NDArray[np.uint8], NDArray[np.int64]]


def compiled_words(found: TokenKinds, preparation: Preparation) -> NDArray[np.int64] | None:
    """Returns (n_kinds,) word numbers from 1, or `DROPPED`; None without a kernel.

    That of `SENTENCE_END` means nothing.
    """
    library = kernel()
    if library is None:
        return None
    irregular, dropped = _own() if preparation.lists is None else _packed(preparation.lists)
    text = np.frombuffer(found.text, np.uint8)
    spans, words = np.ascontiguousarray(found.bounds), np.empty(found.n_kinds, np.int64)
    dropped = dropped if preparation.drops_stop_words else _joined(())
    shortest = SHORTEST_STEMMED if preparation.stem else 0
    library.call(
        "awase_words", passed(text, "uint8"), passed(spans, "int64"), *_lists(irregular),
        *_lists(dropped), shortest, passed(words, "int64"),
    )  # fmt: skip
    return words


def _lists(words: _Words) -> tuple[Array, Array]:
    letters, starts = words
    return passed(letters, "uint8"), passed(starts, "int64")


@cache
def _own() -> tuple[_Words, _Words]:
    return _packed(own_lists())


def _packed(lists: WordLists) -> tuple[_Words, _Words]:
    return _joined([*chain.from_iterable(lists.exceptions.items())]), _joined(lists.stop_words)


def _joined(words: Collection[str]) -> _Words:
    encoded = [word.encode() for word in words]
    starts = np.array([0, *accumulate(map(len, encoded))], np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), starts


def compiled_numbers(
    reading: TokenizedTexts, starts_of_models: Offsets, starts_of_peers: Offsets
) -> tuple[Ids, Offsets, Offsets] | None:
    """Returns token ids, sentence offsets into them, and `Batch.id_starts`.

    `starts_of_models` are (n_comparisons + 1,) offsets into the texts. None without a kernel, or
    with too many words for its tables.
    """
    library = kernel()
    if library is None:
        return None
    ids = np.empty(len(reading.kinds), np.int64)
    sentence_starts = np.empty(int(reading.text_starts[-1]) + 1, np.int64)
    id_starts = np.empty(len(starts_of_models), np.int64)
    given: list[NDArray[np.int64]] = [
        reading.kinds, reading.words, reading.text_starts, starts_of_models, starts_of_peers,
        ids, sentence_starts, id_starts,
    ]  # fmt: skip
    if not library.call("awase_numbers", *(passed(array, "int64") for array in given)):
        return None
    return ids[: sentence_starts[-1]], sentence_starts, id_starts

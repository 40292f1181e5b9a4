"""The word lists of ROUGE-1.5.5: stop words, and irregular forms for its stemmer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Protocol

from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.rouge_stemmer import RougeStemmer, wordnet_exceptions


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


class Tokeniser(Protocol):
    """Cuts a sentence into tokens; pure, and the same for equal text."""

    def __call__(self, text: str, /) -> tuple[str, ...]:
        """Returns the tokens in reading order."""
        ...


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
    tokeniser: Tokeniser | None = None
    # Stop words and irregular forms; None = those of the program's distribution.
    lists: WordLists | None = None

    @property
    def counts_as_is(self) -> bool:
        """Returns whether every token is counted as it is."""
        return not self.stem and not self.drops_stop_words

    @property
    def takes_all(self) -> bool:
        """Whether only the program's own tokeniser is used, without limits."""
        return self.tokeniser is None and self.limit == NO_LIMIT

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

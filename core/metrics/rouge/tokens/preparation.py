"""How a summary becomes tokens: every choice made before anything is counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from awase.core.metrics.rouge.tokens.stop_words import WordLists, own_lists
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokens.rouge_stemmer import RougeStemmer

SHORTEST_STEMMED = 4
"""Letters of a token: shorter ones are counted as they are."""


class Tokeniser(Protocol):
    """Cuts a sentence into tokens; pure, and the same for equal text."""

    def __call__(self, text: str, /) -> tuple[str, ...]:
        """Returns the tokens in reading order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What is done to the text of systems and references alike.

    Attributes:
        stem: Whether tokens of four characters or more are stemmed (`-m`).
        drops_stop_words: Whether tokens of the stop list are dropped before n-grams are formed
            (`-s`).
        limit: How much of each summary counts.
        tokeniser: None = ROUGE-1.5.5's own, on bytes. With another, stop words and stems are those
            of its ASCII tokens, and it sees the text after the limit. An empty token counts
            towards a limit in tokens, and is dropped.
        lists: Stop words and irregular forms; None = those of the program's distribution.
    """

    stem: bool = False
    drops_stop_words: bool = False
    limit: LengthLimit = NO_LIMIT
    tokeniser: Tokeniser | None = None
    lists: WordLists | None = None

    @property
    def counts_as_is(self) -> bool:
        """Returns whether every token is counted as it is."""
        return not self.stem and not self.drops_stop_words

    @property
    def takes_all(self) -> bool:
        """Returns whether the program's own tokeniser takes all of every text."""
        return self.tokeniser is None and self.limit == NO_LIMIT

    def stemmer(self) -> RougeStemmer | None:
        """Returns what stems words; None = they are not stemmed."""
        return RougeStemmer((self.lists or own_lists()).exceptions) if self.stem else None

    def reduction(self) -> "Reduction | None":
        """Returns what is counted in the place of a token; empty = the token is dropped.

        None = every token is counted as it is.
        """
        if self.counts_as_is:
            return None
        lists = self.lists or own_lists()
        dropped = lists.stop_words if self.drops_stop_words else frozenset()
        return Reduction(dropped, self.stemmer())


class Reduction:
    """What is counted in the place of a token; empty = the token is dropped."""

    def __init__(self, dropped: frozenset[str], stemmer: RougeStemmer | None) -> None:
        """Takes the stop words, and what stems the others."""
        self._dropped = dropped
        self._stemmer = stemmer

    def __call__(self, token: str) -> str:
        """Returns what is counted in the place of one token."""
        if token in self._dropped:
            return ""
        if self._stemmer is None or len(token) < SHORTEST_STEMMED:
            return token
        return self._stemmer(token)

    def words(self, tokens: Sequence[str]) -> list[str]:
        """Returns what is counted in the place of each token, for less than one at a time."""
        words = ["" if token in self._dropped else token for token in tokens]
        if self._stemmer is None:
            return words
        stemmed = [index for index, word in enumerate(words) if len(word) >= SHORTEST_STEMMED]
        stems = self._stemmer.stems([words[index] for index in stemmed])
        for index, stem in zip(stemmed, stems, strict=True):
            words[index] = stem
        return words


AS_IS = Preparation()

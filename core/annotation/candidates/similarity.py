"""Similarity of a topic's source sentences by terms; near-duplicates."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

from awase.core.annotation.candidates.terms import inverse_frequencies, inverse_frequency, keys_of

# Cosine of terms from which two sentences are shown as near-duplicates.
NEAR_DUPLICATE: Final = 0.55

# The same for Japanese, by pairs of characters; docs/candidates.md says why.
NEAR_DUPLICATE_IN_JAPANESE: Final = 0.45

FEWEST_TERMS_TO_COMPARE: Final = 3

_JAPANESE: Final = re.compile("[\u3040-\u30ff]")
_BETWEEN_RUNS: Final = re.compile(r"[\s、。「」（）()・]+")


class Cosines:
    """Cosines of texts, each a set of features weighted by idf."""

    def __init__(self, features: Sequence[Sequence[str]]) -> None:
        counts = [Counter(of_text) for of_text in features]
        self.idf = inverse_frequencies(counts)
        self._square_by_key = {key: weight * weight for key, weight in self.idf.items()}
        self.keys = [tuple(of_text) for of_text in counts]
        self._norms = [
            math.sqrt(sum(self._square_by_key[key] for key in keys)) or 1.0 for keys in self.keys
        ]
        self._holders: dict[str, list[int]] = {}
        for idx, keys in enumerate(self.keys):
            for key in keys:
                self._holders.setdefault(key, []).append(idx)

    def to(self, idx: int) -> list[float]:
        """Returns each text's similarity to the one at `idx`: 0..1."""
        products = [0.0] * len(self.keys)
        for key in self.keys[idx]:
            for other in self._holders[key]:
                products[other] += self._square_by_key[key]
        norm = self._norms[idx]
        return [
            min(1.0, product / (norm * other))
            for product, other in zip(products, self._norms, strict=True)
        ]


class SentenceSimilarity:
    """Similarities of one topic's source sentences."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)
        self._terms = Cosines([keys_of(text) for text in texts])

    def to(self, sent_idx: int) -> list[float]:
        """Returns each sentence's similarity to the one at `sent_idx`: 0..1."""
        return self._terms.to(sent_idx)

    def to_nearest(self, sent_indices: Sequence[int]) -> list[float]:
        """Returns each sentence's similarity to the nearest of `sent_indices`: 0..1."""
        rows = [self.to(sent_idx) for sent_idx in sent_indices]
        return [max(column) for column in zip(*rows, strict=True)]

    def shares_of(self, text: str) -> list[float]:
        """Returns the share of `text` that each sentence covers: 0..1 of the idf of its terms."""
        # A term that no sentence has is the rarest of all, and weighs most.
        idf, keys = self._terms.idf, set(keys_of(text))
        of_unknown = inverse_frequency(0, len(self._texts))
        total = sum(idf.get(key, of_unknown) for key in keys) or 1.0
        return [sum(idf[key] for key in keys.intersection(own)) / total for own in self._terms.keys]

    def near_duplicates(self, sent_idx: int, threshold: float | None = None) -> tuple[int, ...]:
        """Returns the other sentences above the cosine threshold (None = the script's), in order.

        Sentences of fewer than three terms are never compared: "He agreed." has no twin.
        """
        if len(self._terms.keys[sent_idx]) < FEWEST_TERMS_TO_COMPARE:
            return ()
        if threshold is None:
            threshold = NEAR_DUPLICATE_IN_JAPANESE if self._is_japanese else NEAR_DUPLICATE
        return tuple(
            other
            for other, likeness in enumerate(self._wordings.to(sent_idx))
            if other != sent_idx
            and likeness >= threshold
            and len(self._terms.keys[other]) >= FEWEST_TERMS_TO_COMPARE
        )

    @cached_property
    def _is_japanese(self) -> bool:
        n_japanese = sum(bool(_JAPANESE.search(text)) for text in self._texts)
        return 2 * n_japanese > len(self._texts)

    @cached_property
    def _wordings(self) -> Cosines:
        """Terms of near-duplicates: in Japanese with endings."""
        if not self._is_japanese:
            return self._terms
        return Cosines([_pairs_of(text) for text in self._texts])


@lru_cache(maxsize=4)
def similarity_of(texts: tuple[str, ...]) -> SentenceSimilarity:
    """Returns a topic's similarities, cached, as ranking and suggestions both need them."""
    return SentenceSimilarity(texts)


def _pairs_of(text: str) -> list[str]:
    """Returns the character bigrams of runs, hiragana included."""
    runs = _BETWEEN_RUNS.split(unicodedata.normalize("NFKC", text).lower())
    return [run[at : at + 2] for run in runs for at in range(len(run) - 1)]

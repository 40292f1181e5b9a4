"""How alike the source sentences of a topic are, by their terms; which are near-duplicates."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from awase.core.annotation.terms import inverse_frequencies, keys_of

NEAR_DUPLICATE: Final = 0.55
"""Cosine from which two sentences are shown as near-duplicates; docs/candidates.md says why."""

FEWEST_TERMS_TO_COMPARE: Final = 3


class Likeness:
    """Cosines of the source sentences' terms, weighted by idf within the topic."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(keys_of(text)) for text in texts]
        idf = inverse_frequencies(counts)
        self._idf = idf
        self._square_by_key = {key: weight * weight for key, weight in idf.items()}
        self._keys = [tuple(of_sentence) for of_sentence in counts]
        self._norms = [
            math.sqrt(sum(self._square_by_key[key] for key in keys)) or 1.0 for keys in self._keys
        ]
        self._holders: dict[str, list[int]] = {}
        for idx, keys in enumerate(self._keys):
            for key in keys:
                self._holders.setdefault(key, []).append(idx)

    def to(self, sent_idx: int) -> list[float]:
        """Returns how much each sentence is like the one at `sent_idx`: 0..1."""
        products = [0.0] * len(self._keys)
        for key in self._keys[sent_idx]:
            for other in self._holders[key]:
                products[other] += self._square_by_key[key]
        norm = self._norms[sent_idx]
        return [
            min(1.0, product / (norm * other))
            for product, other in zip(products, self._norms, strict=True)
        ]

    def to_nearest(self, sent_indices: Sequence[int]) -> list[float]:
        """Returns how much each sentence is like the most similar of `sent_indices`: 0..1."""
        rows = [self.to(sent_idx) for sent_idx in sent_indices]
        return [max(column) for column in zip(*rows, strict=True)]

    def shares_of(self, text: str) -> list[float]:
        """Returns how much of `text` each sentence shares: 0..1 of the idf of its terms."""
        keys = set(keys_of(text)) & self._idf.keys()
        total = sum(self._idf[key] for key in keys) or 1.0
        return [sum(self._idf[key] for key in keys.intersection(own)) / total for own in self._keys]

    def near_duplicates(self, sent_idx: int, threshold: float = NEAR_DUPLICATE) -> tuple[int, ...]:
        """Returns the other sentences that say nearly the same, in the order of the documents.

        Sentences of fewer than three terms are never compared: "He agreed." has no twin.
        """
        if len(self._keys[sent_idx]) < FEWEST_TERMS_TO_COMPARE:
            return ()
        return tuple(
            other
            for other, likeness in enumerate(self.to(sent_idx))
            if other != sent_idx
            and likeness >= threshold
            and len(self._keys[other]) >= FEWEST_TERMS_TO_COMPARE
        )

"""Ranking by BM25 within a topic, with a little of the neighbouring sentences' scores."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final

from awase.core.annotation.candidates.terms import inverse_frequencies, keys_of

SATURATION: Final = 1.2
LENGTH_SHARE: Final = 0.5
NEIGHBOUR_SHARE: Final = 0.1
WORTH_OF_WHAT_IS_THERE: Final = 0.25


class Bm25Ranker:
    """BM25 over the topic's sentences, so that terms of the topic weigh little.

    k1 = 1.2, b = 0.5 (in a topic, long sentences say more). A tenth of both neighbours' scores is
    added: sentences that continue a subject rarely name it again. docs/candidates.md has the
    measurements.

    Source: Robertson and Zaragoza 2009, “The Probabilistic Relevance Framework: BM25 and Beyond”,
        equation 3.15, with 1 added within the logarithm of idf, which keeps it above 0.
    """

    def __init__(
        self,
        documents: Sequence[Sequence[str]],
        *,
        saturation: float = SATURATION,
        length_share: float = LENGTH_SHARE,
        neighbour_share: float = NEIGHBOUR_SHARE,
        worth_of_what_is_there: float = WORTH_OF_WHAT_IS_THERE,
    ) -> None:
        self._counts = [Counter(keys_of(text)) for texts in documents for text in texts]
        self._starts = frozenset(accumulate(map(len, documents)))
        self._neighbour_share = neighbour_share
        self._worth_of_what_is_there = worth_of_what_is_there
        self._postings = _weighted_postings(self._counts, saturation, length_share)

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns 0 or more for each source sentence."""
        there = {key for idx in having for key in self._counts[idx]}
        own = [0.0] * len(self._counts)
        for key in dict.fromkeys(keys_of(text)):
            worth = self._worth_of_what_is_there if key in there else 1.0
            for idx, weight in self._postings.get(key, ()):
                own[idx] += worth * weight
        return self._with_neighbours(own)

    def _with_neighbours(self, own: Sequence[float]) -> list[float]:
        scores = list(own)
        for idx in range(1, len(own)):
            if idx not in self._starts:
                scores[idx] += self._neighbour_share * own[idx - 1]
                scores[idx - 1] += self._neighbour_share * own[idx]
        return scores


def _weighted_postings(
    counts: Sequence[Counter[str]], saturation: float, length_share: float
) -> dict[str, list[tuple[int, float]]]:
    """Returns term -> (index of the sentence, weight)."""
    idf = inverse_frequencies(counts)
    lengths = [of_sentence.total() for of_sentence in counts]
    mean = (sum(lengths) / len(lengths) if lengths else 0.0) or 1.0
    postings: dict[str, list[tuple[int, float]]] = {}
    for idx, of_sentence in enumerate(counts):
        norm = saturation * (1 - length_share + length_share * lengths[idx] / mean)
        for key, count in of_sentence.items():
            weight = idf[key] * count * (saturation + 1) / (count + norm)
            postings.setdefault(key, []).append((idx, weight))
    return postings

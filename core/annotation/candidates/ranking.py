"""Rankers of source sentences: what they have in common, and the table of those there are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from awase.core.annotation.candidates.bm25 import Bm25Ranker
from awase.core.annotation.candidates.overlap import OverlapRanker

# The texts of a topic's sentences, by document. Sentence indices run through all of them.
Documents = Sequence[Sequence[str]]


class Ranker(Protocol):
    """Made once for the documents of a topic, then asked for each abstract sentence."""

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns how likely it is that each source sentence is a source of `text`.

        Args:
            having: Sentences that the alternative has already; what they say of `text` counts
                less, so that what is still lacking comes first.

        Returns:
            (n_sentences,), higher is likelier. Only 0 has a meaning: nothing speaks for it.
        """


RankerFactory = Callable[[Documents], Ranker]

BM25: Final = "bm25"
OVERLAP: Final = "overlap"

DEFAULT_RANKER: Final = BM25  # chosen by the table in docs/candidates.md

# Id to factory.
RANKERS: Final[Mapping[str, RankerFactory]] = MappingProxyType(
    {BM25: Bm25Ranker, OVERLAP: OverlapRanker}
)


def best_first(scores: Sequence[float]) -> list[int]:
    """Returns the indices of `scores`, the highest first; equal ones in the documents' order."""
    return sorted(range(len(scores)), key=lambda idx: (-scores[idx], idx))

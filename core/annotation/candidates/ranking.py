"""Interface and registry of rankers of source sentences."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from awase.core.annotation.candidates.bm25 import Bm25Ranker
from awase.core.annotation.candidates.overlap import OverlapRanker

# The texts of a topic's sentences, by document. Sentence indices run through all of them.
Documents = Sequence[Sequence[str]]


class Ranker(Protocol):
    """Ranks a topic's source sentences for its abstract sentences."""

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns (n_sentences,) scores as sources of `text`, higher is likelier; 0 = no evidence.

        Args:
            having: Members of the current alternative; terms that they cover count less, so that
            what is
                still lacking comes first.
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

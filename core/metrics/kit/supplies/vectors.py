"""Word vectors for metrics: fetched once, refused in words when they are not there."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from awase.core.errors import InputError, Missing
from awase.core.metrics.kit.supplies.supplies import UNDECIDED, Supplies
from awase.core.vectors.source import WordVectors, label_of

if TYPE_CHECKING:  # It brings numpy, which scoring extracts does without.
    from awase.core.vectors.vector_file import Vector

ANY_VECTORS = "any"
NO_VECTORS = "none"


def vectors_label(metric: str, asked: str, supplies: Supplies, *, are_needed: bool) -> str:
    """Returns how the signature names the vectors.

    Args:
        asked: What the request says: `any`, or how a signature names them.
    """
    if not are_needed:
        if asked not in (ANY_VECTORS, NO_VECTORS):
            raise InputError.of(
                "{metric} without clusters needs no vectors, but vectors={asked} are asked for.",
                "Leave vectors out, or choose prune=cls or prune=cnt+cls.",
                metric=metric,
                asked=asked,
            )
        return NO_VECTORS
    if supplies is UNDECIDED:
        return asked
    if supplies.vectors is None:
        raise InputError.of(
            "{metric} needs word vectors, and none were given.",
            "They come as a file (word2vec, GloVe, fastText), a model's folder, or ja-ginza.",
            metric=metric,
            missing=Missing.VECTORS,
        )
    label = label_of(supplies.vectors)
    if asked not in (ANY_VECTORS, label):
        raise InputError.of(
            "{metric} asks for the vectors {asked}; those given are {label}.",
            "Give those vectors, or leave vectors out.",
            metric=metric,
            asked=asked,
            label=label,
        )
    return label


class FetchedVectors:
    """The vectors of some words, held in memory."""

    def __init__(self, source: WordVectors, words: Iterable[str]) -> None:
        """Fetches them, all at once."""
        self.name = source.name
        self.digest = source.digest
        self._vectors: Mapping[str, Vector] = source.vectors_of(dict.fromkeys(words))

    def vectors_of(self, words: Iterable[str]) -> "Mapping[str, Vector]":
        """Returns the vectors of those words that have one."""
        return {word: self._vectors[word] for word in words if word in self._vectors}

"""Ranking by sentence embeddings, alone or with another ranker; needs an encoder from outside."""

import importlib
import math
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Final

from awase.core.annotation.candidates.ranking import Documents, Ranker, RankerFactory

Encode = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Texts to their vectors, all of one length."""

_SHARE_OF_WHAT_IS_THERE: Final = 0.5
_TEXTS_REMEMBERED: Final = 256


class EmbeddingRanker:
    """Cosine of the sentences' embeddings; what is like a member of the alternative comes later."""

    def __init__(self, documents: Documents, encode: Encode) -> None:
        texts = [text for of_document in documents for text in of_document]
        self._vectors = [_unit(vector) for vector in encode(texts)] if texts else []
        # Encoding takes far longer than comparing; the same sentence is asked for again and again.
        self._encoded = lru_cache(_TEXTS_REMEMBERED)(lambda text: _unit(encode([text])[0]))

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns -1..1 for each source sentence; lower when there are members to be unlike."""
        if not self._vectors:
            return []
        wanted = self._encoded(text)
        scores = [_dot(wanted, vector) for vector in self._vectors]
        if not having:
            return scores
        members = [self._vectors[idx] for idx in having]
        return [
            score - _SHARE_OF_WHAT_IS_THERE * max(_dot(member, vector) for member in members)
            for score, vector in zip(scores, self._vectors, strict=True)
        ]


class SummedRanker:
    """The sum of what several rankers say, each stretched to 0..1 over the topic."""

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self._rankers = tuple(rankers)

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns 0 to the number of rankers for each source sentence."""
        rows = [_stretched(ranker.scores(text, having)) for ranker in self._rankers]
        return [sum(column) for column in zip(*rows, strict=True)]


def by_embeddings(encode: Encode) -> RankerFactory:
    """Returns the factory of rankers by these embeddings alone."""
    return lambda documents: EmbeddingRanker(documents, encode)


def with_embeddings(lexical: RankerFactory, encode: Encode) -> RankerFactory:
    """Returns the factory of rankers that add these embeddings to a lexical ranker."""
    return lambda documents: SummedRanker((lexical(documents), EmbeddingRanker(documents, encode)))


def sentence_transformer(model: Path) -> Encode:
    """Returns the encoder of a sentence-transformers model in a folder; nothing is downloaded.

    Raises:
        ModuleNotFoundError: The extra `embeddings` is not installed.
    """
    module = importlib.import_module("sentence_transformers")
    loaded = module.SentenceTransformer(str(model), device="cpu", local_files_only=True)

    def encode(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        vectors: list[list[float]] = loaded.encode(list(texts), show_progress_bar=False).tolist()
        return vectors

    return encode


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    norm = math.sqrt(_dot(vector, vector)) or 1.0
    return tuple(value / norm for value in vector)


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return math.fsum(map(mul, left, right))


def _stretched(scores: Sequence[float]) -> list[float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    width = (high - low) or 1.0
    return [(score - low) / width for score in scores]

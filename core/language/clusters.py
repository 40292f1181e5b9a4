"""Clusters of near-synonyms by complete linkage.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE", sections 3.3 and 4. They give the
    linkage and the share of clusters; distance, rounding and ties are our choice.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.language.vector_file import Vector

_HALF = Fraction(1, 2)


class Distance(Enum):
    """Distances of word vectors."""

    COSINE = "cosine"  # The angle between the vectors. Reported as 1 - cosine.
    EUCLIDEAN = "euclidean"  # the length of their difference


class Cluster(NamedTuple):
    """Words that count as one."""

    words: tuple[str, ...]  # at least two, in code point order; the first is the representative
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """Which words of a vocabulary count as one."""

    n_words: int = 0
    n_clusters: int = 0
    merged: tuple[Cluster, ...] = ()  # clusters of more than one word, the closest first
    # Merged word to its cluster's representative: a member, so that it cannot collide with another
    # word.
    representatives: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_merges(self) -> int:
        """Returns the number of merges."""
        return self.n_words - self.n_clusters

    def representative_of(self, word: str) -> str:
        """Returns the representative that is counted instead of a word."""
        return self.representatives.get(word, word)


def n_clusters(n_words: int, ratio: Fraction) -> int:
    """Returns `ratio` * `n_words`, a half rounded up.

    >>> n_clusters(10, Fraction("0.95")), n_clusters(20, Fraction("0.975"))
    (10, 20)
    """
    return max(floor(ratio * n_words + _HALF), min(n_words, 1))


def clustered(
    vectors: Mapping[str, Vector], ratio: Fraction, distance: Distance = Distance.COSINE
) -> Clustering:
    """Returns the clusters after the first merges of complete linkage.

    Args:
        vectors: Word to a non-zero vector, in any order.
        ratio: Clusters to be left, as a share of the words; 0 to 1.

    Source: the paper; N clusters of Q words are those after the first Q - N merges. Cutting at a
        height would leave fewer where heights are equal.
    """
    words = sorted(vectors)
    n_left = n_clusters(len(words), ratio)
    if n_left == len(words):
        return Clustering(n_words=len(words), n_clusters=n_left)
    from scipy.cluster.hierarchy import linkage

    points = np.array([vectors[word] for word in words], dtype=np.float64)
    if distance is Distance.COSINE:
        # Complete linkage sees only the order of distances, which is that of the chords; and
        # equal directions are exactly 0 apart.
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    merges = linkage(points, method="complete", metric="euclidean")[: len(words) - n_left]
    merged = sorted(
        (
            Cluster(
                tuple(words[member] for member in sorted(members)),
                height**2 / 2 if distance is Distance.COSINE else height,
            )
            for members, height in _groups(merges, len(words))
        ),
        key=lambda cluster: (cluster.distance, cluster.words),
    )
    return Clustering(
        n_words=len(words),
        n_clusters=n_left,
        merged=tuple(merged),
        representatives={word: one.words[0] for one in merged for word in one.words},
    )


def _groups(merges: NDArray[np.float64], n_words: int) -> list[tuple[list[int], float]]:
    """Returns the words of each cluster of more than one, and its height, from scipy's linkage."""
    groups: dict[int, tuple[list[int], float]] = {}
    for made, (one, other, height, _) in enumerate(merges.tolist(), start=n_words):
        members: list[int] = []
        for part in (int(one), int(other)):
            members += groups.pop(part)[0] if part >= n_words else [part]
        groups[made] = members, height
    return [*groups.values()]

"""The extractors of the TSC-3 paper, section 4: each chooses n sentences of a topic.

All return indices of sentences in their order of rank; of equals the earlier one comes first.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from awase.core.extraction.sources import Bags, Source

if TYPE_CHECKING:
    import numpy as np


def lead(sources: Sequence[Source], n: int) -> list[int]:
    """Returns the first sentence of each document, then the second of each, and so on.

    Args:
        sources: Document by document in the order of their dates.
        n: How many are wanted.

    Source: Hirao et al. (2004), section 4.2.1.
    """
    return sorted(range(len(sources)), key=lambda idx: sources[idx].place)[:n]


def at_random(sources: Sequence[Source], n: int, rng: "np.random.Generator") -> list[int]:
    """Returns sentences drawn without replacement; of one generator, fewer are the first ones."""
    return [int(idx) for idx in rng.permutation(len(sources))[:n]]


def seeded(seed: int, topic: str) -> "np.random.Generator":
    """Returns the generator of one topic, the same whatever other topics the corpus has."""
    import numpy as np

    digest = hashlib.sha256(topic.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def best(bags: Bags, n: int) -> list[int]:
    """Returns the sentences of highest importance (equation 9)."""
    return bags.best_first[:n]


def clustered(bags: Bags, n: int, pool: int) -> list[int]:
    """Returns the best sentence of each of n clusters of the best `pool` * n, best first.

    Ward's method on raw counts of tokens scaled to length 1, so that the squared distance of two
    sentences is 2 - 2 cos; merged until n clusters are left.

    Source: Hirao et al. (2004), section 4.3.
    """
    chosen = bags.best_first[: pool * n]
    if len(chosen) <= n or n < 1:
        return chosen[:n]
    from scipy.cluster.hierarchy import linkage  # 0.4 s to import

    merges = linkage(bags.unit_vectors(chosen), "ward")
    clusters: dict[int, list[int]] = {row: [row] for row in range(len(chosen))}
    # Not fcluster(maxclust), which returns fewer clusters where merges are tied.
    for step in range(len(chosen) - n):
        one, other = int(merges[step, 0]), int(merges[step, 1])
        clusters[len(chosen) + step] = clusters.pop(one) + clusters.pop(other)
    return [chosen[row] for row in sorted(min(rows) for rows in clusters.values())]


def mmr(bags: Bags, n: int, pool: int, share: float) -> list[int]:
    """Returns the best `pool` * n reranked by Maximal Marginal Relevance, as far as n.

    Each time the sentence of highest `share` * S / max S - (1 - share) * (highest cosine to a
    chosen one) is taken.

    Source: Hirao et al. (2004), section 4.3, after Carbonell and Goldstein (1998). The paper does
        not give the share, nor how the two parts are scaled.
    """
    import numpy as np

    chosen = bags.best_first[: pool * n]
    if not chosen:
        return []
    vectors = bags.unit_vectors(chosen)
    cosines = vectors @ vectors.T
    highest = max(bags.scores[chosen[0]], 0.0) or 1.0
    worth = share * np.array([bags.scores[idx] for idx in chosen]) / highest
    likeness = np.zeros(len(chosen))
    ranked: list[int] = []
    is_left = np.ones(len(chosen), np.bool_)
    earlier_first = np.argsort(chosen, kind="stable")
    while len(ranked) < min(n, len(chosen)):
        value = np.where(is_left, worth - (1 - share) * likeness, -np.inf)[earlier_first]
        # Rounding must not decide between equals.
        row = int(earlier_first[int(np.argmax(value >= value.max() - 1e-12))])
        ranked.append(chosen[row])
        is_left[row] = False
        likeness = np.maximum(likeness, cosines[row])
    return ranked

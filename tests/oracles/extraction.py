"""The TSC-3 paper's extractors written as plainly as they can be, to compare with."""

from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

Sentences = Sequence[tuple[str, ...]]


def tfidf(sentences: Sentences, documents: Sequence[set[str]]) -> list[float]:
    everything = [token for sentence in sentences for token in sentence]
    scores = []
    for sentence in sentences:
        score = 0.0
        for token in sentence:
            df = sum(token in document for document in documents)
            score += everything.count(token) * log(len(documents) / df)
        scores.append(score)
    return scores


def cosine(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    vocabulary = {*one, *other}
    dot = sum(one.count(t) * other.count(t) for t in vocabulary)
    norms = sqrt(sum(one.count(t) ** 2 for t in vocabulary)) * sqrt(
        sum(other.count(t) ** 2 for t in vocabulary)
    )
    return dot / norms if norms else 0.0


def best_first(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda idx: (-scores[idx], idx))


def mmr(sentences: Sentences, scores: Sequence[float], n: int, share: float) -> list[int]:
    pool = best_first(scores)[: 3 * n]
    highest = max((scores[idx] for idx in pool), default=0.0) or 1.0
    ranked: list[int] = []
    while pool and len(ranked) < n:

        def value(idx: int) -> float:
            likeness = [cosine(sentences[idx], sentences[other]) for other in ranked]
            return share * scores[idx] / highest - (1 - share) * max(likeness, default=0.0)

        best = max(map(value, pool))
        taken = min(idx for idx in pool if value(idx) >= best - 1e-9)
        pool.remove(taken)
        ranked.append(taken)
    return ranked


def squared_error(sentences: Sentences, cluster: Sequence[int]) -> float:
    """Sum of squared distances to the centroid: half the mean of all pairs' 2 - 2 cos."""
    pairs = combinations(cluster, 2)
    return sum(2 - 2 * cosine(sentences[i], sentences[j]) for i, j in pairs) / len(cluster)


def ward(sentences: Sentences, pool: Sequence[int], n: int) -> set[frozenset[int]] | None:
    clusters = [frozenset([idx]) for idx in pool]
    while len(clusters) > n:
        costs = sorted(
            (
                squared_error(sentences, [*a | b])
                - squared_error(sentences, [*a])
                - squared_error(sentences, [*b]),
                i,
                j,
            )
            for (i, a), (j, b) in combinations(enumerate(clusters), 2)
        )
        if len(costs) > 1 and costs[1][0] - costs[0][0] < 1e-9:
            return None
        _, i, j = costs[0]
        merged = clusters[i] | clusters[j]
        clusters = [c for k, c in enumerate(clusters) if k not in (i, j)] + [merged]
    return set(clusters)

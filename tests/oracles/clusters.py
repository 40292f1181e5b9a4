"""Complete linkage as textbooks have it: merge the two closest clusters, again and again."""

from itertools import combinations, product
from math import dist, sqrt


def unit(vector):
    length = sqrt(sum(x * x for x in vector))
    return [x / length for x in vector]


def complete_linkage(vectors, n_left, cosine):
    """Clusters of words as a set of frozensets, and every distance at which two were merged."""
    points = {word: unit(v) if cosine else [*v] for word, v in vectors.items()}
    clusters = [frozenset([word]) for word in sorted(vectors)]
    heights = []

    def apart(pair):
        return max(dist(points[a], points[b]) for a, b in product(*pair))

    while len(clusters) > n_left:
        one, other = min(combinations(clusters, 2), key=apart)
        heights.append(apart((one, other)))
        clusters = [c for c in clusters if c not in (one, other)] + [one | other]
    return set(clusters), heights

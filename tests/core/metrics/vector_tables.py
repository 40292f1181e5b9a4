"""Word vectors for tests, small enough to see what is near what."""

import numpy as np

from awase.core.metrics.kit.supplies import Supplies


class Table(dict):
    """Word to vector; the name and digest are those that signatures show."""

    name, digest = "table", "0123456789abcdef" * 4

    def vectors_of(self, words):
        return {word: self[word] for word in words if word in self}


def table(**vectors):
    return Table({word: np.array(vector, np.float32) for word, vector in vectors.items()})


def apart(*words, **near):
    """Vectors at right angles; `near` names words that are close to one of them."""
    axes = np.eye(len(words), dtype=np.float32)
    vectors = Table(zip(words, axes, strict=True))
    for number, (word, other) in enumerate(near.items(), start=1):
        vectors[word] = axes[words.index(other)] + 0.01 * number * axes[words.index(other) - 1]
    return vectors


def given(vectors, **others):
    return Supplies(vectors=vectors, **others)

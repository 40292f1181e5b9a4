"""Finding the vector of a word under one of its spellings."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from awase.core.vectors.source import WordVectors

Vector = NDArray[np.float32]
Spellings = tuple[str, ...]
"""Under which a word is looked up, in this order."""


def spellings_of(word: str, surfaces: Iterable[str], lemma: str = "") -> Spellings:
    """Returns under which spellings a word is looked up.

    Args:
        word: In the one case in which words are compared.
        surfaces: How it is written where it stands. Of several the last in code point order comes
            first, which is the one with small letters: `the` before `The` before `THE`.
        lemma: Tried last; empty = not tried.
    """
    tried = (*sorted(surfaces, reverse=True), word, lemma)
    return tuple(dict.fromkeys(spelling for spelling in tried if spelling))


def looked_up(spellings: Mapping[str, Spellings], vectors: WordVectors) -> dict[str, Vector]:
    """Returns the vector of each word that has one which is not zero.

    Args:
        spellings: Word to its spellings.
        vectors: Where they are looked up, all at once.
    """
    every = (spelling for tried in spellings.values() for spelling in tried)
    found = {
        spelling: vector
        for spelling, vector in vectors.vectors_of(dict.fromkeys(every)).items()
        if vector.any()
    }
    return dict(_first_found(spellings, found))


def _first_found(
    spellings: Mapping[str, Spellings], found: Mapping[str, Vector]
) -> Iterator[tuple[str, Vector]]:
    for word, tried in spellings.items():
        vector = next((found[spelling] for spelling in tried if spelling in found), None)
        if vector is not None:
            yield word, vector

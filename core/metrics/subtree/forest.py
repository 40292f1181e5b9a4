"""All subtrees of a text, each with its vector: what one side of a comparison consists of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.parsing.basic_elements import Subtree, punctuation_of, subtrees_of
from awase.core.records.parse import ParsedSentence

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class HeadKey(Enum):
    """What two head words must have in common."""

    SURFACE = "surface"
    """The form."""
    LEMMA = "lemma"
    """The lemma; the form of a word that has none."""
    LEMMA_UPOS = "lemma+upos"
    """The lemma and the universal part of speech."""

    def key_of(self, sentence: ParsedSentence, place: int) -> str:
        """Returns the key of the word at a place, from 0; without regard to capitals."""
        word = sentence.words[place]
        if self is HeadKey.SURFACE:
            return word.form.lower()
        lemma = (word.lemma or word.form).lower()
        return f"{lemma}/{word.upos}" if self is HeadKey.LEMMA_UPOS else lemma


class SubtreeVector(Enum):
    """What stands for a subtree when it is compared."""

    MEAN = "mean"
    """The mean of its words' vectors (equation 1)."""
    HEAD = "head"
    """The vector of its head word: what equation 4 says, read to the letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestOptions:
    """How texts become subtrees.

    Attributes:
        key: What the heads of two subtrees must share.
        drops_punctuation: Whether punctuation marks are taken off the tree first.
    """

    key: HeadKey = HeadKey.SURFACE
    drops_punctuation: bool = False
    distinct: bool = True
    vector: SubtreeVector = SubtreeVector.MEAN


DEFAULT = ForestOptions()


class PlacedTree(NamedTuple):
    """A subtree of a text."""

    sentence_idx: int
    subtree: Subtree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forest:
    """The subtrees of a text, the shortest first; those of one length as they stand in the text.

    Attributes:
        lengths: (n_subtrees,) words of each, ascending.
        keys: What each one's head is known by.
        directions: (n_subtrees, dimension) their vectors, of length 1 or, where there is none, 0.
    """

    subtrees: tuple[PlacedTree, ...]
    lengths: Numbers
    keys: tuple[str, ...]
    directions: Floats


def forest_of(
    sentence: ParsedSentence,
    vectors: NDArray[np.floating],
    options: ForestOptions = DEFAULT,
) -> Forest:
    """Returns the subtrees of one sentence.

    Raises:
        ValueError: There is not one vector a word.
    """
    if vectors.ndim != 2 or len(vectors) != len(sentence.words):
        raise ValueError(f"{len(sentence.words)} words, vectors of the shape {vectors.shape}")
    left_out = punctuation_of(sentence) if options.drops_punctuation else frozenset()
    heads = [word.head for word in sentence.words]
    found = subtrees_of(heads, left_out, distinct=options.distinct)
    subtrees = sorted(found, key=lambda subtree: len(subtree.words))
    lengths = np.array([len(subtree.words) for subtree in subtrees], np.int64)
    return Forest(
        subtrees=tuple(PlacedTree(0, subtree) for subtree in subtrees),
        lengths=lengths,
        keys=tuple(options.key.key_of(sentence, subtree.head) for subtree in subtrees),
        directions=_directions(subtrees, lengths, vectors, options.vector),
    )


def _directions(
    subtrees: Sequence[Subtree],
    lengths: Numbers,
    vectors: NDArray[np.floating],
    kind: SubtreeVector,
) -> Floats:
    words: Floats = vectors.astype(np.float64)
    if kind is SubtreeVector.HEAD:
        means: Floats = words[[subtree.head for subtree in subtrees]]
    else:
        membership = np.zeros((len(subtrees), len(words)))
        rows = np.repeat(np.arange(len(subtrees)), lengths)
        membership[rows, [place for subtree in subtrees for place in subtree.words]] = 1
        # The length of a vector does not matter to its direction, so that the sum will do.
        means = membership @ words
    norms = np.linalg.norm(means, axis=1, keepdims=True)
    directions: Floats = np.divide(means, norms, out=np.zeros_like(means), where=norms > 0)
    return directions


def joined(forests: Iterable[Forest]) -> Forest:
    """Returns the subtrees of a text, given those of each of its sentences.

    Subtrees never cross a sentence, and equal ones of two sentences are two.
    """
    forests = [*forests]
    filled = [forest for forest in forests if forest.subtrees]
    if not filled:
        return EMPTY
    subtrees = [
        PlacedTree(sentence_idx, placed.subtree)
        for sentence_idx, forest in enumerate(forests)
        for placed in forest.subtrees
    ]
    keys = [key for forest in filled for key in forest.keys]
    lengths = np.concatenate([forest.lengths for forest in filled])
    order = np.argsort(lengths, kind="stable")
    return Forest(
        subtrees=tuple(subtrees[idx] for idx in order.tolist()),
        lengths=lengths[order],
        keys=tuple(keys[idx] for idx in order.tolist()),
        directions=np.concatenate([forest.directions for forest in filled])[order],
    )


EMPTY = Forest(subtrees=(), lengths=np.empty(0, np.int64), keys=(), directions=np.empty((0, 0)))
"""Of a text without a word."""

"""Subtrees of a dependency tree: single words, paths from leaves upwards, whole branches.

Source: Chousa and Hirao, "Automatic evaluation of language generation based on the similarity of
    subtrees", section 3, step 1.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from awase.core.records.parse import ParsedSentence

_PUNCTUATION = "PUNCT"


class Subtree(NamedTuple):
    """Words of a sentence that hang together.

    Attributes:
        words: Their places in the sentence, from 0, ascending; there may be gaps.
        head: The place of the topmost one.
    """

    words: tuple[int, ...]
    head: int


def subtrees_of(
    heads: Sequence[int], left_out: Collection[int] = (), *, distinct: bool = True
) -> tuple[Subtree, ...]:
    """Returns the subtrees of a sentence: every word, every path from a leaf up, every branch.

    Args:
        heads: (n_words,) number of each word's head, from 1; 0 = it is the root.
        left_out: Places of words, from 0, that are taken off the tree, with all that is below them.
        distinct: Whether the same words count once, whichever way they were found; else a leaf,
            which is a word, a path and a branch, is there three times.

    >>> [subtree.words for subtree in subtrees_of([2, 0, 2])]
    [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)]
    """
    words = [place for place in range(len(heads)) if place not in left_out]
    below: dict[int, list[int]] = {place: [] for place in words}
    for place in words:
        if heads[place]:
            below[heads[place] - 1].append(place)
    found = [
        *(Subtree((place,), place) for place in words),
        *_paths([place for place in words if not below[place]], heads),
        *_branches(words, heads, below),
    ]
    return tuple(dict.fromkeys(found)) if distinct else tuple(found)


def _paths(leaves: Sequence[int], heads: Sequence[int]) -> Iterator[Subtree]:
    """Yields the way from each leaf to itself and to everything above it."""
    for leaf in leaves:
        way = [leaf]
        yield Subtree((leaf,), leaf)
        while heads[way[-1]]:
            way.append(heads[way[-1]] - 1)
            yield Subtree(tuple(sorted(way)), way[-1])


def _branches(
    words: Sequence[int], heads: Sequence[int], below: dict[int, list[int]]
) -> Iterator[Subtree]:
    """Yields each word with all that is below it."""
    from_root: list[int] = [place for place in words if not heads[place]]
    for place in from_root:  # grows while it is gone through
        from_root += below[place]
    branches: dict[int, list[int]] = {}
    for place in reversed(from_root):
        branches[place] = [place, *(one for child in below[place] for one in branches[child])]
    for place in words:
        yield Subtree(tuple(sorted(branches[place])), place)


def punctuation_of(sentence: ParsedSentence) -> frozenset[int]:
    """Returns the places of the punctuation marks, from 0, that have nothing but such below."""
    kept = {0}
    for number, word in enumerate(sentence.words, start=1):
        if word.upos != _PUNCTUATION:
            while number not in kept:
                kept.add(number)
                number = sentence.words[number - 1].head
    return frozenset(place for place in range(len(sentence.words)) if place + 1 not in kept)

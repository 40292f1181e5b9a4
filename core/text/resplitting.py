"""Where the sentences of a text are found after it was split or written anew.

Old sentences have numbers that others refer to. A new sentence takes over the number of the old one
that it is, so that what refers to it stays right; a number never comes to stand for another text.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.text.matching_pieces import chains_of

Numbered = tuple[int, str]
"""(number, text) of a sentence."""


class Fate(Enum):
    """What became of an old sentence."""

    SAME = "same"
    """A new sentence has its text."""
    JOINED = "joined"
    """Its text is part of one new sentence."""
    CUT = "cut"
    """Its text went on several new sentences."""
    EDITED = "edited"
    """A new sentence resembles it."""
    GONE = "gone"
    """Nothing resembles it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resplit:
    """Old sentences found again among new ones.

    Attributes:
        sentences: The new sentences with their numbers.
        found: Number of each old sentence to the numbers that have its text now, in order; none
            when it is gone.
        fates: Number of each old sentence to what became of it.
    """

    sentences: tuple[Numbered, ...]
    found: dict[int, tuple[int, ...]]
    fates: dict[int, Fate]

    def to_review(self) -> tuple[int, ...]:
        """Returns the old sentences that a person should look at, in their order."""
        return tuple(n for n, fate in self.fates.items() if fate is not Fate.SAME)

    def gone(self) -> tuple[int, ...]:
        """Returns the old sentences that are nowhere, in their order."""
        return tuple(n for n, fate in self.fates.items() if fate is Fate.GONE)


def resplit(old: Sequence[Numbered], new: Sequence[str]) -> Resplit:
    """Returns the new texts with numbers, and where each old sentence is now.

    Texts are compared without white space and after Unicode normalisation (NFKC). A text that is
    equal is found first; then texts that are equal once neighbours are put together; then, for what
    is left, the one that resembles an old sentence most.

    >>> resplit([(1, "A. B."), (2, "C.")], ["A.", "B.", "C."]).sentences
    ((1, 'A.'), (3, 'B.'), (2, 'C.'))
    """
    old_keys = [comparable(text) for _, text in old]
    new_keys = [comparable(text) for text in new]
    chains = chains_of(old_keys, new_keys)
    number_by_idx = _numbers(old, chains, len(new))
    found: dict[int, tuple[int, ...]] = {}
    fates: dict[int, Fate] = {}
    shared = _shared(chains)
    for old_idx, (n, _) in enumerate(old):
        places = tuple(sorted(chains.get(old_idx, ())))
        found[n] = tuple(number_by_idx[new_idx] for new_idx in places)
        same = [old_keys[old_idx] == new_keys[new_idx] for new_idx in places]
        whole = "".join(new_keys[new_idx] for new_idx in places)
        fates[n] = _fate(old_keys[old_idx], whole, same, any(map(shared.__contains__, places)))
    sentences = tuple((number_by_idx[idx], text) for idx, text in enumerate(new))
    return Resplit(sentences=sentences, found=found, fates=fates)


def comparable(text: str) -> str:
    """Returns a text without what a new split or another width of its letters changes."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def _shared(chains: dict[int, frozenset[int]]) -> set[int]:
    """Returns the new sentences that hold more than one old one."""
    once: set[int] = set()
    twice: set[int] = set()
    for places in chains.values():
        twice |= once & places
        once |= places
    return twice


def _fate(old_key: str, whole: str, same: list[bool], is_shared: bool) -> Fate:
    if not same:
        return Fate.GONE
    if same == [True]:
        return Fate.SAME
    if len(same) > 1:
        return Fate.CUT
    return Fate.JOINED if is_shared and old_key in whole else Fate.EDITED


def _numbers(old: Sequence[Numbered], chains: dict[int, frozenset[int]], n_new: int) -> list[int]:
    """Returns the number of each new sentence: of the first old one that it has, or a fresh one."""
    next_fresh = max((n for n, _ in old), default=0) + 1
    taken: set[int] = set()
    sources: list[list[int]] = [[] for _ in range(n_new)]
    for old_idx, (n, _) in enumerate(old):
        for new_idx in sorted(chains.get(old_idx, ())):
            sources[new_idx].append(n)
    numbers: list[int] = []
    for candidates in sources:
        number = next((n for n in candidates if n not in taken), None)
        if number is None:
            number, next_fresh = next_fresh, next_fresh + 1
        taken.add(number)
        numbers.append(number)
    return numbers

"""Which abstract sentences are looked at, and what each of them costs a system.

A system's coverage of an abstract is the mean of e(i) over the sentences that count. A sentence
costs it what the mean lacks because of it: (1 - e(i)) / n, as points of 100. The costs of an
abstract's sentences add up to 100 less its coverage.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from awase.core.inspection.columns import ColumnedSentences, Mask, columned
from awase.core.inspection.sentences import Inspection, Key
from awase.core.records.alignment import AlignmentState

_POINTS = 100


class Share(Enum):
    """How much of a sentence a system has."""

    ANY = "any"
    MISSED = "missed"
    """e(i) = 0."""
    PART = "part"
    """Some of it, not all."""
    FULL = "full"
    """e(i) = 1."""
    NOT_FULL = "not-full"
    """e(i) < 1."""

    def holds(self, value: Fraction | None) -> bool:
        """Returns whether e(i) is so; what was not measured is any alone."""
        if self is Share.ANY:
            return True
        if value is None:
            return False
        return {
            Share.MISSED: value == 0,
            Share.PART: 0 < value < 1,
            Share.FULL: value == 1,
            Share.NOT_FULL: value < 1,
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceFilter:
    """What a sentence must be to be looked at.

    Attributes:
        system: Whose share of it counts; empty = nobody's.
        share: How much of it that system has.
        right: The system that has all of it, where `system`, if there is one, has not; empty =
            none is asked for.
        rank: Its rank; None = any.
        state: Of its alignment; None = any.
        length: Length class of its abstract; None = any.
        text: Words that stand in it, in any case; empty = any.
        keys: The sentences that are left to choose from; None = all.
    """

    system: str = ""
    share: Share = Share.ANY
    right: str = ""
    rank: str | None = None
    state: AlignmentState | None = None
    length: str | None = None
    text: str = ""
    keys: frozenset[Key] | None = None

    def among(self, sentences: ColumnedSentences) -> Mask:
        """Returns which of the sentences are to be looked at."""
        columns = sentences.columns
        own = columns.shares_of(self.system)
        held = np.ones(len(sentences), bool)
        if self.right:
            held &= columns.which(columns.shares_of(self.right), Share.FULL.holds)
            if self.system:
                held &= columns.which(own, Share.NOT_FULL.holds)
        if self.system and self.share is not Share.ANY:
            held &= columns.which(own, self.share.holds)
        if self.rank is not None:
            held &= columns.is_rank(self.rank)
        if self.state is not None:
            held &= columns.is_state(self.state)
        if self.length is not None:
            held &= columns.is_length(self.length)
        if self.text:
            words = self.text.casefold()
            held &= np.fromiter((words in text for text in sentences.folded), bool)
        if self.keys is not None:
            keys = self.keys
            held &= np.fromiter((one.key in keys for one in sentences), bool)
        return held


def has_any_word(text: str, words: Iterable[str]) -> bool:
    """Returns whether a text has one of the words, in any case.

    Words of letters that are written with blanks between words must stand alone; others, such as
    Japanese ones, may stand anywhere.
    """
    return any(_pattern(word).search(text) for word in words if word)


@cache
def _pattern(word: str) -> re.Pattern[str]:
    edge = r"\b" if word[0].isascii() and word[-1].isascii() and word.isalnum() else ""
    return re.compile(f"{edge}{re.escape(word)}{edge}", re.IGNORECASE)


def sentences_with(found: Inspection, words: Iterable[str]) -> frozenset[Key]:
    """Returns which sentences have one of the words."""
    wanted = tuple(words)
    return frozenset(one.key for one in found.sentences if has_any_word(one.text, wanted))


def filtered(found: Inspection, wanted: SentenceFilter) -> Inspection:
    """Returns what was found, of the sentences that are wanted alone; order and totals stay."""
    if wanted == SentenceFilter():
        return found
    sentences = columned(found.sentences)
    return replace(found, sentences=sentences.where(wanted.among(sentences)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a sentence costs a system, in points of 100 of its abstract's coverage.

    Attributes:
        lost: Points that are missing because of it, 0 to 100.
        gap: Points by which the best system is ahead there; below 0 where it is behind.
    """

    lost: Fraction
    gap: Fraction


def costs(found: Inspection, system: str, best: str) -> "Costs":
    """Returns what each sentence costs a system that was measured there, found when it is asked.

    Args:
        found: All sentences of their abstracts, or some that were `filtered` out of all, as
            shares are of whole abstracts.
        system: Whose.
        best: The system that it is compared with; where that has no extract the gap is 0.
    """
    return Costs(columned(found.sentences), system, best)


class Costs(Mapping[Key, Cost]):
    """What sentences cost a system: by their keys, or by their places among the sentences."""

    def __init__(self, sentences: ColumnedSentences, system: str, best: str) -> None:
        self._sentences, self._columns = sentences, sentences.columns
        self._own = self._columns.shares_of(system)
        best_shares = self._columns.shares_of(best)
        self._best = np.where(best_shares < 0, self._own, best_shares)

    @cached_property
    def _place_by_key(self) -> Mapping[Key, int]:
        measured = (self._own >= 0).tolist()
        return {one.key: at for at, one in enumerate(self._sentences) if measured[at]}

    def at(self, place: int) -> Cost | None:
        """Returns what the sentence at a place costs; None where the system was not measured."""
        if self._own[place] < 0:
            return None
        values = self._columns.values
        own, best = values[self._own[place]], values[self._best[place]]
        point = Fraction(_POINTS, int(self._columns.n_counted[place]))
        return Cost(lost=(1 - own) * point, gap=(best - own) * point)

    @property
    def lost(self) -> NDArray[np.float64]:
        """Of each sentence the points that are missing, each rounded once; NaN = not measured."""
        tops, bottoms = self._columns.parts
        own = self._own
        return self._points(bottoms[own] - tops[own], bottoms[own])

    @property
    def gap(self) -> NDArray[np.float64]:
        """Of each sentence the points by which the best system is ahead, likewise."""
        tops, bottoms = self._columns.parts
        own, best = self._own, self._best
        ahead = tops[best] * bottoms[own] - tops[own] * bottoms[best]
        return self._points(ahead, bottoms[own] * bottoms[best])

    def _points(self, tops: NDArray[np.int64], bottoms: NDArray[np.int64]) -> NDArray[np.float64]:
        n = np.maximum(self._columns.n_counted, 1).astype(np.int64)
        return np.where(self._own < 0, np.nan, tops * _POINTS / (bottoms * n))

    def __getitem__(self, key: Key) -> Cost:
        cost = self.at(self._place_by_key[key])
        assert cost is not None  # others have no place
        return cost

    def __len__(self) -> int:
        return len(self._place_by_key)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._place_by_key)


def best_system(found: Inspection) -> str:
    """Returns the system with the highest mean coverage; empty where none was measured.

    Each abstract counts as much as the next; the first in the alphabet is taken of equals.
    """
    columns = columned(found.sentences).columns

    def coverage(system: str) -> Fraction:
        shares = columns.shares[system]
        is_known = shares >= 0
        own, abstract = shares[is_known], columns.abstract[is_known]
        n_own = np.bincount(abstract)
        # Abstracts of as many sentences weigh each value alike, and are added at once.
        n_of_its = n_own[abstract]
        means = (columns.sum_of(own[n_of_its == n]) / n for n in np.unique(n_of_its).tolist())
        return sum(means, Fraction(0)) / int(np.count_nonzero(n_own))

    return max(sorted(columns.shares), key=coverage, default="")

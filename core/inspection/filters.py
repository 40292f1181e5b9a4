"""Which abstract sentences are looked at, and what each of them costs a system.

A system's coverage of an abstract is the mean of e(i) over the sentences that count. A sentence
costs it what the mean lacks because of it: (1 - e(i)) / n, as points of 100. The costs of an
abstract's sentences add up to 100 less its coverage.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache

from awase.core.inspection.sentences import InspectedSentence, Inspection, Key, sum_of
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
        right: The system that has all of it, where `system` has not; empty = none is asked for.
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

    def holds(self, sentence: InspectedSentence) -> bool:
        """Returns whether the sentence is to be looked at."""
        value = sentence.values.get(self.system)
        if self.right and not (
            sentence.values.get(self.right) == 1 and value is not None and value < 1
        ):
            return False
        return (
            (not self.system or self.share.holds(value))
            and self.rank in (None, sentence.rank)
            and self.state in (None, sentence.state)
            and self.length in (None, sentence.length)
            and (not self.text or self.text.casefold() in sentence.text.casefold())
            and (self.keys is None or sentence.key in self.keys)
        )


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
    return replace(found, sentences=tuple(filter(wanted.holds, found.sentences)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a sentence costs a system, in points of 100 of its abstract's coverage.

    Attributes:
        lost: Points that are missing because of it, 0 to 100.
        gap: Points by which the best system is ahead there; below 0 where it is behind.
    """

    lost: Fraction
    gap: Fraction


def costs(found: Inspection, system: str, best: str) -> Mapping[Key, Cost]:
    """Returns what each sentence costs a system that was measured there, found when it is asked.

    Args:
        found: All sentences of their abstracts; not filtered, as shares are of whole abstracts.
        system: Whose.
        best: The system that it is compared with; where that has no extract the gap is 0.
    """
    return _Costs(found, system, best)


class _Costs(Mapping[Key, Cost]):
    def __init__(self, found: Inspection, system: str, best: str) -> None:
        self._system, self._best = system, best
        self._sentences = {one.key: one for one in found.sentences if system in one.values}
        self._n_counted = Counter(
            (one.key.topic, one.key.abstract) for one in found.sentences if one.values
        )
        self._known: dict[tuple[int, int, int], Cost] = {}  # of a few values, which are few objects

    def __getitem__(self, key: Key) -> Cost:
        values = self._sentences[key].values
        own = values[self._system]
        best, n = values.get(self._best, own), self._n_counted[key.topic, key.abstract]
        known = self._known.get((id(own), id(best), n))
        if known is None:
            point = Fraction(_POINTS, n)
            known = Cost(lost=(1 - own) * point, gap=(best - own) * point)
            self._known[id(own), id(best), n] = known
        return known

    def __len__(self) -> int:
        return len(self._sentences)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._sentences)


def best_system(found: Inspection) -> str:
    """Returns the system with the highest mean coverage; empty where none was measured.

    Each abstract counts as much as the next; the first in the alphabet is taken of equals.
    """
    by_place: dict[tuple[str, str], list[Mapping[str, Fraction]]] = {}
    for sentence in found.sentences:
        if sentence.values:
            by_place.setdefault((sentence.key.topic, sentence.key.abstract), []).append(
                sentence.values
            )
    # Abstracts of as many sentences weigh each value alike, and are added at once.
    alike: dict[str, dict[int, list[Fraction]]] = {}
    n_abstracts: Counter[str] = Counter()
    for sentences in by_place.values():
        for system in dict.fromkeys(name for values in sentences for name in values):
            own = [values[system] for values in sentences if system in values]
            alike.setdefault(system, {}).setdefault(len(own), []).extend(own)
            n_abstracts[system] += 1

    def coverage(system: str) -> Fraction:
        means = (sum_of(values) / n for n, values in alike[system].items())
        return sum(means, Fraction(0)) / n_abstracts[system]

    return max(sorted(alike), key=coverage, default="")

"""Filters, losses and groups of inspected sentences, and explanations of their coverage.

Sentences are columns, so that filters of 25,000 take under 0.1 s.
Every distinct value has a number; a column holds numbers, -1 where there is no value. Sums are
exact fractions, from counts of distinct values.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from itertools import compress
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.core.annotation.candidates import TopicIndex, shared_spans
from awase.core.metrics.extracts.gold import gold_of
from awase.core.metrics.extracts.scorers import (
    ExtractScore,
    SentenceScore,
    Tsc3Options,
    score_extract,
)
from awase.core.metrics.kit.outputs import alignment_for, extracts_for
from awase.core.records.abstract import Abstract, AlignmentState
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.script import Span

Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]
_STATES = tuple(AlignmentState)
_Value = TypeVar("_Value")


class _Numbering:
    """Numbers distinct values in order of appearance, the same object without hashing it anew."""

    def __init__(self) -> None:
        self._at_by_id: dict[int, int] = {}
        self._at: dict[Fraction, int] = {}
        self._kept: list[Fraction] = []  # what has an id here must stay

    def of(self, value: Fraction | None) -> int:
        if value is None:
            return -1
        known = self._at_by_id.get(id(value))
        if known is None:
            known = self._at_by_id[id(value)] = self._at.setdefault(value, len(self._at))
            self._kept.append(value)
        return known

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(self._at)


@dataclass(frozen=True, kw_only=True, eq=False)
class SentenceColumns:
    """n sentences, each column an array of n whole numbers."""

    # What occurs: a number in `shares`, `mean` and `spread` is a place among these.
    values: tuple[Fraction, ...]
    shares: Mapping[str, Codes]  # system to e(i); -1 = it has no extract
    mean: Codes  # mean e(i) over systems; -1 = no system was measured
    spread: Codes  # how far the systems disagree; -1 as above
    abstract: Codes
    n_counted: Codes  # how many sentences of its abstract count, those that are not here, too
    rank: Codes  # place among `ranks`; -1 = not ranked
    ranks: tuple[str, ...]  # in the order of the alphabet
    state: Codes  # place of its alignment's state in `AlignmentState`
    length: Codes
    lengths: tuple[str | None, ...]  # length classes of abstracts; None = it has none
    n_alternatives: Codes
    smallest: Codes  # size of the smallest of them; 0 = it has none
    earliest: Codes

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """`values` as floats, NaN at -1."""
        return np.array([*map(float, self.values), np.nan])

    @cached_property
    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numerators and denominators of the `values` in `shares`; 0 and 1 at the place -1."""
        # Shares are numbered before means, whose denominators may need more than 64 bits.
        last = max((int(codes.max(initial=-1)) for codes in self.shares.values()), default=-1)
        of_shares = self.values[: last + 1]
        return (
            np.array([*(one.numerator for one in of_shares), 0], np.int64),
            np.array([*(one.denominator for one in of_shares), 1], np.int64),
        )

    def shares_of(self, system: str) -> Codes:
        """Returns the system's column of `shares`; -1 everywhere for one that is not there."""
        found = self.shares.get(system)
        return np.full(len(self.mean), -1, np.int32) if found is None else found

    def which(self, codes: Codes, holds: Callable[[Fraction], bool]) -> Mask:
        """Returns where the value of a column is such; nowhere where there is none."""
        return np.array([*map(holds, self.values), False], bool)[codes]

    def is_rank(self, rank: str | None) -> Mask:
        """Returns where the rank is this one; None = where there is none."""
        nowhere = -1 if rank is None else -2
        return np.asarray(self.rank == _place(self.ranks, rank, none=nowhere))

    def sum_of(self, codes: Codes) -> Fraction:
        """Returns the sum of a column's values without missing ones."""
        counts = np.bincount(codes[codes >= 0])
        total = Fraction(0)
        for at in np.flatnonzero(counts).tolist():
            total += self.values[at] * int(counts[at])
        return total

    def where(self, mask: Mask) -> "SentenceColumns":
        """Returns the columns of the selected sentences; abstracts keep their numbers."""
        names = (one.name for one in fields(self))
        columns = [name for name in names if isinstance(getattr(self, name), np.ndarray)]
        return replace(
            self,
            shares={system: codes[mask] for system, codes in self.shares.items()},
            **{name: getattr(self, name)[mask] for name in columns},
        )


class ColumnedSentences(tuple[InspectedSentence, ...]):
    """Sentences with lazy columns, which are sliced along with them."""

    @cached_property
    def columns(self) -> SentenceColumns:
        """Their columns."""
        return _columns(self)

    @cached_property
    def folded(self) -> list[str]:
        """Their texts, in which upper and lower case are one."""
        return [_folded(one.text) for one in self]

    @cached_property
    def text_order(self) -> Codes:
        """Collation rank of each text; equal texts share one."""
        place = {text: at for at, text in enumerate(sorted({one.text for one in self}))}
        return _array(place[one.text] for one in self)

    def where(self, mask: Mask) -> "ColumnedSentences":
        """Returns the selected sentences, in order."""
        taken = ColumnedSentences(compress(self, mask.tolist()))
        taken.__dict__["columns"] = self.columns.where(mask)
        if "text_order" in self.__dict__:
            taken.__dict__["text_order"] = self.text_order[mask]
        return taken


def columned(sentences: Iterable[InspectedSentence]) -> ColumnedSentences:
    """Returns the sentences with columns, cached ones as they are."""
    if isinstance(sentences, ColumnedSentences):
        return sentences
    return ColumnedSentences(sentences)


def place_of(sentences: Iterable[InspectedSentence], key: Key | None, otherwise: int) -> int:
    """Returns the position of the sentence with this key, or `otherwise`."""
    places = (at for at, one in enumerate(sentences) if one.key == key) if key else iter(())
    return next(places, otherwise)


def _columns(sentences: Sequence[InspectedSentence]) -> SentenceColumns:
    numbering = _Numbering()
    systems = dict.fromkeys(system for one in sentences for system in one.values)
    shares = {
        system: _array(numbering.of(one.values.get(system)) for one in sentences)
        for system in systems
    }
    mean = _array(numbering.of(one.mean) for one in sentences)
    spread = _array(numbering.of(one.spread) for one in sentences)
    places = {one: at for at, one in enumerate(dict.fromkeys(one.key[:2] for one in sentences))}
    abstract = _array(places[one.key[:2]] for one in sentences)
    n_counted = np.bincount(abstract[mean >= 0], minlength=len(places)).astype(np.int32)
    ranks = tuple(sorted({one.rank for one in sentences if one.rank is not None}))
    lengths = tuple(dict.fromkeys(one.length for one in sentences))
    return SentenceColumns(
        values=numbering.values,
        shares=shares,
        mean=mean,
        spread=spread,
        abstract=abstract,
        n_counted=n_counted[abstract],
        rank=_array(_place(ranks, one.rank, none=-1) for one in sentences),
        ranks=ranks,
        state=_array(_STATES.index(one.state) for one in sentences),
        length=_array(lengths.index(one.length) for one in sentences),
        lengths=lengths,
        n_alternatives=_array(len(one.sizes) for one in sentences),
        smallest=_array(min(one.sizes, default=0) for one in sentences),
        earliest=_array(one.earliest for one in sentences),
    )


def _array(numbers: Iterable[int]) -> Codes:
    return np.fromiter(numbers, np.int32)


def _place(values: Sequence[_Value], value: _Value, *, none: int) -> int:
    return values.index(value) if value in values else none


def _folded(text: str) -> str:
    folded = text.casefold()
    return text if folded == text else folded


_POINTS = 100


class Share(Enum):
    """Filter by a system's e(i)."""

    ANY = "any"
    MISSED = "missed"  # e(i) = 0
    PART = "part"  # some of it, not all
    FULL = "full"  # e(i) = 1
    NOT_FULL = "not-full"  # e(i) < 1

    def holds(self, value: Fraction | None) -> bool:
        """Returns whether e(i) matches; unmeasured only matches any."""
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
    """A filter of abstract sentences."""

    system: str = ""  # the system with the share; empty = none
    share: Share = Share.ANY
    # The system that covers it fully, where `system`, if any, does not; empty = no such filter.
    right: str = ""
    rank: str | None = None  # its rank; None = any
    state: AlignmentState | None = None  # of its alignment; None = any
    length: str | None = None  # length class of its abstract; None = any
    text: str = ""  # text that it contains, in any case; empty = any
    keys: frozenset[Key] | None = None  # the sentences that are left to choose from; None = all

    def among(self, sentences: ColumnedSentences) -> Mask:
        """Returns the mask of the sentences that match."""
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
            held &= columns.state == _STATES.index(self.state)
        if self.length is not None:
            held &= columns.length == _place(columns.lengths, self.length, none=-2)
        if self.text:
            words = self.text.casefold()
            held &= np.fromiter((words in text for text in sentences.folded), bool)
        if self.keys is not None:
            keys = self.keys
            held &= np.fromiter((one.key in keys for one in sentences), bool)
        return held


def has_any_word(text: str, words: Iterable[str]) -> bool:
    """Returns whether a text contains one of the words, case-insensitively.

    Words of scripts written with blanks must match whole words; others, such as Japanese, any
    substring.
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
    """Returns the inspection of matching sentences only; order and totals stay."""
    if wanted == SentenceFilter():
        return found
    sentences = columned(found.sentences)
    return replace(found, sentences=sentences.where(wanted.among(sentences)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A system's loss by a sentence, in points of 100 of its abstract's coverage."""

    lost: Fraction  # points that are missing because of it, 0 to 100
    gap: Fraction  # points by which the best system is ahead there; below 0 where it is behind


class Costs:
    """Losses of a system where it was measured, by position."""

    def __init__(self, found: Inspection, system: str, best: str) -> None:
        """Compares with `best`; the gap is 0 where that has no extract.

        `found` has all sentences of their abstracts, or some of them `filtered`, as shares are of
        whole abstracts.
        """
        self._columns = columned(found.sentences).columns
        self._own = self._columns.shares_of(system)
        best_shares = self._columns.shares_of(best)
        self._best = np.where(best_shares < 0, self._own, best_shares)

    def at(self, place: int) -> Cost | None:
        """Returns the loss at a position; None where the system was not measured."""
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


def best_system(found: Inspection) -> str:
    """Returns the system with the highest mean coverage over abstracts; empty without any."""
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


# Share of the abstract sentence's weighted terms from which an unlinked sentence is shown.
ALIKE: Final = Fraction(2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSentence:
    """A source sentence as it is shown."""

    ref: SentenceRef
    text: str
    matches: tuple[Span, ...]
    place: int  # position in the extract, from 1; 0 = not in it, or beyond the cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """An extract's coverage of one abstract sentence, and its unrelated sentences."""

    value: Fraction
    extracted: tuple[SeenSentence, ...]
    missing: tuple[SeenSentence, ...]
    others: tuple[int, ...]  # sizes of the alternatives that were not chosen
    redundant: tuple[SeenSentence, ...]
    irrelevant: tuple[SeenSentence, ...]
    # Counted sentences in no alternative of this sentence that are likely missing links: near-
    # duplicates of a linked one, or sharing many of its words.
    unlinked: tuple[SeenSentence, ...]
    n_counted: int
    asked: int


def explain(
    topic: Topic,
    abstract: Abstract,
    n: int,
    system: str,
    *,
    annotator: str,
    h: int,
    options: Tsc3Options,
    index: TopicIndex,
) -> Explanation | None:
    """Explains how far `system` covers abstract sentence `n`; None if not scored.

    `annotator` is an id or `first`.
    """
    extract = extracts_for(topic, abstract.length).get(system)
    gold = gold_of(abstract, alignment_for(abstract, annotator))
    own = next((sentence for sentence in gold.sentences if sentence.n == n), None)
    if extract is None or own is None:
        return None
    score = score_extract(gold, extract.sentences, h, options)
    of_sentence = next(sentence for sentence in score.sentences if sentence.n == n)
    text = next(sentence.text for sentence in abstract.sentences if sentence.n == n)
    linked = {ref for members in own.alternatives for ref in members}
    seen = _Seeing(topic, score, text)
    return Explanation(
        value=of_sentence.value,
        extracted=seen.all_of(of_sentence.extracted),
        missing=seen.all_of(of_sentence.missing),
        others=tuple(
            len(members) for members in own.alternatives if members != of_sentence.alternative
        ),
        redundant=seen.all_of(of_sentence.redundant),
        irrelevant=seen.all_of(score.irrelevant),
        unlinked=seen.all_of(_unlinked(score, of_sentence, linked, text, index)),
        n_counted=len(score.part.counted),
        asked=score.part.denominator,
    )


class _Seeing:
    """Source sentences with their display facts."""

    def __init__(self, topic: Topic, score: ExtractScore, text: str) -> None:
        self._texts = {ref: sentence.text for ref, sentence in topic.sentences()}
        self._places = {ref: place for place, ref in enumerate(score.part.counted, start=1)}
        self._text = text

    def all_of(self, refs: Iterable[SentenceRef]) -> tuple[SeenSentence, ...]:
        return tuple(
            SeenSentence(
                ref=ref,
                text=self._texts[ref],
                matches=shared_spans(self._texts[ref], self._text),
                place=self._places.get(ref, 0),
            )
            for ref in refs
        )


def _unlinked(
    score: ExtractScore,
    sentence: SentenceScore,
    linked: set[SentenceRef],
    text: str,
    index: TopicIndex,
) -> list[SentenceRef]:
    if sentence.value == 1:
        return []
    twins = {twin for ref in linked for twin in index.near_duplicates(ref)}
    overlaps = index.overlaps(text)
    candidates = [ref for ref in score.part.counted if ref not in linked]
    alike = [ref for ref in candidates if ref in twins or overlaps.get(ref, 0.0) >= ALIKE]
    return sorted(alike, key=lambda ref: (ref not in twins, -overlaps.get(ref, 0.0)))


_MOST_ALTERNATIVES: Final = 4
_MOST_MEMBERS: Final = 3
_Bound = int | str | None
_PLACES: Final = ((1, 1), (2, 3), (4, 10), (11, None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """Sentences that have a feature in common."""

    # Smallest value of the feature; for ranks the rank itself, None = without.
    lowest: int | str | None
    highest: int | str | None  # largest value, None = no upper end; for ranks equal to `lowest`
    n: int
    # System to its mean e(i), 0..1; None when it has no extract for any of them.
    means: dict[str, Fraction | None]
    mean: Fraction | None
    sentences: tuple[InspectedSentence, ...]

    @property
    def keys(self) -> frozenset[Key]:
        """Which sentences they are."""
        return frozenset(one.key for one in self.sentences)


class SentenceGroups:
    """Measured sentences grouped by one feature at a time."""

    def __init__(self, sentences: Iterable[InspectedSentence], systems: Sequence[str]) -> None:
        self._systems = systems
        known = columned(sentences)
        self._sentences = known.where(known.columns.mean >= 0)

    def by_rank(self) -> tuple[Bucket, ...]:
        """Returns a bucket for each rank, in the order of the alphabet, unranked ones last."""
        columns = self._sentences.columns
        return self._filled((rank, rank, columns.is_rank(rank)) for rank in (*columns.ranks, None))

    def by_alternatives(self) -> tuple[Bucket, ...]:
        """Returns buckets by the number of alternatives: 1, 2, 3, 4 and more."""
        numbers = self._sentences.columns.n_alternatives
        return self._in_ranges(_up_to(_MOST_ALTERNATIVES), numbers)

    def by_size(self) -> tuple[Bucket, ...]:
        """Returns buckets by the size of the smallest alternative: 1, 2, 3 and more."""
        return self._in_ranges(_up_to(_MOST_MEMBERS), self._sentences.columns.smallest)

    def by_place(self) -> tuple[Bucket, ...]:
        """Returns buckets by a member's earliest position in its document: 1, 2-3, 4-10, later."""
        return self._in_ranges(_PLACES, self._sentences.columns.earliest)

    def features(self) -> tuple[tuple[Bucket, ...], ...]:
        """Returns the buckets of all four features."""
        return self.by_rank(), self.by_alternatives(), self.by_size(), self.by_place()

    def _in_ranges(
        self, ranges: Iterable[tuple[int, int | None]], numbers: Codes
    ) -> tuple[Bucket, ...]:
        return self._filled(
            (low, high, (low <= numbers) & (True if high is None else numbers <= high))
            for low, high in ranges
        )

    def _filled(self, wanted: Iterable[tuple[_Bound, _Bound, Mask]]) -> tuple[Bucket, ...]:
        return tuple(self._bucket(low, high, held) for low, high, held in wanted if held.any())

    def _bucket(self, low: _Bound, high: _Bound, held: Mask) -> Bucket:
        columns = self._sentences.columns
        own = {system: columns.shares_of(system)[held] for system in self._systems}
        n_values = {system: int((shares >= 0).sum()) for system, shares in own.items()}
        sums = {system: columns.sum_of(shares) for system, shares in own.items()}
        n_all = sum(n_values.values())
        return Bucket(
            lowest=low,
            highest=high,
            n=int(held.sum()),
            means={one: sums[one] / n if n else None for one, n in n_values.items()},
            mean=sum(sums.values(), Fraction(0)) / n_all if n_all else None,
            sentences=tuple(compress(self._sentences, held.tolist())),
        )


def _up_to(most: int) -> tuple[tuple[int, int | None], ...]:
    return (*((n, n) for n in range(1, most)), (most, None))

"""Explanation of an extract's coverage of an abstract sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Final

from awase.core.analysis.columns import Codes, Mask, columned
from awase.core.analysis.inspection import InspectedSentence, Key
from awase.core.annotation.candidates import TopicIndex, shared_spans
from awase.core.metrics.extracts.gold import gold_of
from awase.core.metrics.extracts.scorers import (
    ExtractScore,
    SentenceScore,
    Tsc3Options,
    score_extract,
)
from awase.core.metrics.kit.outputs import alignment_for, extracts_for
from awase.core.records.abstract import Abstract
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.script import Span

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

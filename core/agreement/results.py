"""Settings and results of an agreement study.

Both golds are restricted to the abstract sentences that both settled, so that only their entries
differ. Every extract is cut at the h of the gold that it is measured against, as everywhere.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Final

from awase.core.agreement.distances import (
    MOST_STATES,
    ROBOT,
    Kind,
    SetDistance,
    alignment_of,
    raters_in,
)
from awase.core.errors import Problem, Reporter
from awase.core.metrics.extracts.gold import gold_of, size_of_minimal_cover
from awase.core.metrics.extracts.scorers import Tsc3Options, score_extract
from awase.core.metrics.kit.outputs import extracts_for
from awase.core.metrics.kit.signature import ExactMean, mean, named, signature_text
from awase.core.metrics.kit.supplies import ALONE, StillWanted, Workers
from awase.core.metrics.significance import Resampling
from awase.core.records.abstract import Abstract, Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.statistics.bootstraps import Interval

_JOIN: Final = "+"


def _resampling() -> Resampling:
    return Resampling(n_resamples=9_999, seed=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRequest:
    """Settings of an agreement study."""

    annotators: tuple[str, ...] = ()  # in display order; empty = everybody
    length: str | None = None  # length class of the abstracts; None = all together
    distances: tuple[SetDistance, ...] = tuple(SetDistance)
    resampling: Resampling = field(default_factory=_resampling)
    most_states: int = MOST_STATES  # of a function of sentences; one with more has no distance
    compares_texts: bool = True
    compares: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()

    def signature(
        self,
        distance: SetDistance,
        annotators: tuple[str, ...],
        n_items: int,
        topics: Iterable[str],
    ) -> str:
        """Returns everything that a value depends on."""
        length = {} if self.length is None else {"length": self.length}
        return signature_text(
            "agreement",
            {
                "distance": distance.value,
                "expected": "corpus" if distance is SetDistance.LINKS else "topic",
                "absorb": "yes",
                "annotators": spelled_annotators(annotators),
                **length,
                "states": "settled",
                "items": str(n_items),
                "topics": named(topics),
                "resample": "topics",
                "n": str(self.resampling.n_resamples),
                "seed": str(self.resampling.seed),
                "confidence": f"{self.resampling.level:g}",
            },
        )


def spelled_annotators(annotators: Iterable[str]) -> str:
    """Returns annotators as signatures name them."""
    return _JOIN.join(who.replace(_JOIN, "%2B") for who in annotators)


Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverSizes:
    """h of one abstract under both golds."""

    topic: str
    abstract: str
    # Annotator to h; None when no sentence of theirs has an alternative.
    values: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Effects of two annotators' disagreement."""

    annotators: Pair
    length: str | None
    # Of each abstract that has sentences both settled, in the order of the topics.
    h: Sequence[CoverSizes]
    mean_abs_h: Fraction | None  # mean of |h1 - h2| over abstracts with both; None without any
    share_equal_h: Fraction | None
    # Mean of |e1(i) - e2(i)| over extracts and sentences with both, 0..1; None without any.
    mean_abs_e: Fraction | None
    n_e: int
    # System to its mean coverage under each gold, in the order of `annotators`.
    coverage: Mapping[str, tuple[Fraction, Fraction]]
    # Kendall's tau-b of the two orders of systems by coverage, -1..1; None when there are fewer
    # than two systems or one gold ties them all.
    tau_b: float | None
    flipped: tuple[Pair, ...]  # pairs of systems whose order is the opposite
    signature: str


def effects_of(
    corpus: Corpus,
    annotators: Sequence[str],
    length: str | None,
    reporter: Reporter,
    workers: Workers = ALONE,
) -> tuple[Effects, ...]:
    """Returns the effects of each pair's disagreement, without the robot, which has no alignment.

    `length` None = abstracts of all length classes together.
    """
    is_person = ROBOT in annotators and not raters_in(corpus.topics, reporter).has_robot
    people = [who for who in annotators if who != ROBOT or is_person]
    pairs = [*combinations(people, 2)]
    joined = {pair: _Joined(pair, length) for pair in pairs}
    measure = partial(_effects_in, pairs, length)
    for of_topic in workers.map(measure, corpus.topics, reporter):
        for pair in pairs:
            joined[pair].add([effects for one, effects in of_topic if one == pair])
    return tuple(one.effects() for one in joined.values())


def _effects_in(
    pairs: Sequence[Pair], length: str | None, topic: Topic, still_wanted: StillWanted
) -> list[tuple[Pair, "_AbstractEffects"]]:
    still_wanted(topic.id)
    measure = _Measure(topic, partial(still_wanted, topic.id))
    return [
        (pair, effects)
        for abstract in topic.abstracts
        if length is None or abstract.length == length
        for pair in pairs
        for effects in measure.effects(abstract, pair)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """One gold of some sentences of an abstract, and what extracts are worth under it."""

    h: int | None  # None when nothing can be covered
    e: Mapping[str, Mapping[int, Fraction]]  # system to e(i), 0..1, each extract cut at h

    @property
    def coverage(self) -> Mapping[str, Fraction]:
        """System to its mean e(i)."""
        return {system: mean([*values.values()]) for system, values in self.e.items() if values}


@dataclass(frozen=True, slots=True, kw_only=True)
class _AbstractEffects:
    sizes: CoverSizes
    length: str | None
    sentence_effects: tuple[Worth, Worth]


class _Measure:
    """Measures a topic's extracts, cached over pairs of annotators."""

    def __init__(self, topic: Topic, still_wanted: Callable[[], None]) -> None:
        self._topic = topic
        self._still_wanted = still_wanted
        self._known: dict[tuple[str, str, frozenset[int]], Worth] = {}

    def effects(self, abstract: Abstract, pair: Pair) -> Iterator[_AbstractEffects]:
        settled = [_settled(alignment_of(abstract, who)) for who in pair]
        common = frozenset(settled[0]) & frozenset(settled[1])
        if not common:
            return
        first, second = (
            self._worth(abstract, who, common, entries)
            for who, entries in zip(pair, settled, strict=True)
        )
        yield _AbstractEffects(
            sizes=CoverSizes(
                topic=self._topic.id,
                abstract=abstract.id,
                values={pair[0]: first.h, pair[1]: second.h},
            ),
            length=abstract.length,
            sentence_effects=(first, second),
        )

    def _worth(
        self,
        abstract: Abstract,
        who: str,
        common: frozenset[int],
        entries: Mapping[int, SentenceAlignment],
    ) -> Worth:
        key = abstract.id, who, common
        if key not in self._known:
            kept = tuple(entry for n, entry in entries.items() if n in common)
            self._known[key] = worth_of(
                self._topic, abstract, Alignment(annotator=who, sentences=kept), self._still_wanted
            )
        return self._known[key]


def worth_of(
    topic: Topic, abstract: Abstract, alignment: Alignment, still_wanted: Callable[[], None]
) -> Worth:
    """Returns h and e(i) of the sentences with an entry in `alignment`, the gold.

    `still_wanted` is called now and then and may raise to stop.
    """
    asked = {entry.n for entry in alignment.sentences}
    sentences = tuple(one for one in abstract.sentences if one.n in asked)
    gold = gold_of(replace(abstract, sentences=sentences, alignments=(), gold=()), alignment)
    if not gold.sentences:
        return Worth(h=None, e={})
    h = size_of_minimal_cover(gold, still_wanted)
    options = Tsc3Options()
    extracts = extracts_for(topic, abstract.length)
    e = {
        system: {
            one.n: one.value for one in score_extract(gold, extract.sentences, h, options).sentences
        }
        for system, extract in extracts.items()
    }
    return Worth(h=h, e=e)


def _settled(alignment: Alignment | None) -> dict[int, SentenceAlignment]:
    entries = alignment.sentences if alignment else ()
    return {entry.n: entry for entry in entries if entry.state.is_settled}


class _Joined:
    """The effects of a pair, topic by topic: exact sums, and of each abstract the sizes alone."""

    def __init__(self, pair: Pair, length: str | None) -> None:
        self._pair = pair
        self._length = length
        self._sizes: list[CoverSizes] = []
        self._abs_h, self._equal_h, self._abs_e = ExactMean(), ExactMean(), ExactMean()
        self._coverage: dict[str, tuple[ExactMean, ExactMean]] = {}

    def add(self, of_topic: Sequence[_AbstractEffects]) -> None:
        for one in of_topic:
            self._sizes.append(one.sizes)
            first, second = one.sentence_effects
            if first.h is not None and second.h is not None:
                self._abs_h.add(Fraction(abs(first.h - second.h)))
                self._equal_h.add(Fraction(first.h == second.h))
            for value in _differences_of_e(one):
                self._abs_e.add(value)
        for system, cells in _coverage_in(of_topic).items():
            means = self._coverage.setdefault(system, (ExactMean(), ExactMean()))
            for cell in cells:
                for side, of_side in enumerate(means):
                    of_side.add(mean([pair[side] for pair in cell]))

    def effects(self) -> Effects:
        coverage = {
            system: (first.value() or Fraction(0), second.value() or Fraction(0))
            for system, (first, second) in self._coverage.items()
        }
        tau_b, flipped = _orders(coverage)
        return Effects(
            annotators=self._pair,
            length=self._length,
            h=tuple(self._sizes),
            mean_abs_h=self._abs_h.value(),
            share_equal_h=self._equal_h.value(),
            mean_abs_e=self._abs_e.value(),
            n_e=self._abs_e.n,
            coverage=coverage,
            tau_b=tau_b,
            flipped=flipped,
            signature=self._signature(),
        )

    def _signature(self) -> str:
        length = {} if self._length is None else {"length": self._length}
        facts = {
            "annotators": spelled_annotators(self._pair), **length, "states": "settled",
            "cut": "h", "systems": named(self._coverage),
            "topics": named(size.topic for size in self._sizes),
        }  # fmt: skip
        return signature_text("agreement-effects", facts)


def _differences_of_e(one: _AbstractEffects) -> Iterator[Fraction]:
    first, second = one.sentence_effects
    for system, values in first.e.items():
        others = second.e.get(system, {})
        yield from (abs(value - others[n]) for n, value in values.items() if n in others)


_Cell = list[tuple[Fraction, Fraction]]


def _coverage_in(of_topic: Sequence[_AbstractEffects]) -> dict[str, list[_Cell]]:
    """Returns coverage of each abstract under both golds by system and length class.

    A system's coverage is the mean over topics and length classes of the mean over their abstracts.
    """
    values: dict[str, dict[str | None, _Cell]] = defaultdict(dict)
    for one in of_topic:
        first, second = one.sentence_effects
        for system, e in first.e.items():
            others = second.e.get(system)
            if others is not None:
                pair = mean([*e.values()]), mean([*others.values()])
                values[system].setdefault(one.length, []).append(pair)
    return {system: [*cells.values()] for system, cells in values.items()}


def _orders(
    coverage: Mapping[str, tuple[Fraction, Fraction]],
) -> tuple[float | None, tuple[Pair, ...]]:
    """Returns Kendall's tau-b of the two orders, and the discordant pairs.

    Source: Kendall (1945), The treatment of ties in ranking problems.
    """
    flipped: list[Pair] = []
    n_same = n_first = n_second = 0
    for one, other in combinations(coverage, 2):
        first = coverage[one][0] - coverage[other][0]
        second = coverage[one][1] - coverage[other][1]
        n_first += first != 0
        n_second += second != 0
        n_same += first * second > 0
        if first * second < 0:
            flipped.append((one, other))
    if not n_first or not n_second:
        return None, tuple(flipped)
    return (n_same - len(flipped)) / math.sqrt(n_first * n_second), tuple(flipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicAgreement:
    """The agreement within one topic."""

    topic: str
    n_items: int
    observed: float | None  # mean distance within items; None without items or where undefined
    expected: float | None  # mean distance within the topic; likewise
    alpha: float | None  # 1 - observed / expected; None where undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """How far some annotators agree on one level."""

    annotators: tuple[str, ...]
    distance: SetDistance
    length: str | None
    n_items: int
    n_topics: int
    signature: str
    observed: float | None = None  # mean distance within items, 0..1 but for ranks
    expected: float | None = None  # mean distance expected by chance within topics; likewise
    # 1 - observed / expected, Krippendorff's; Cohen's kappa for links. 1 = full agreement, 0 =
    # chance; None where undefined.
    alpha: float | None = None
    interval: Interval | None = None  # 95 % over topics; None where undefined
    # Why `alpha`, or else `interval`, is None; None when both are defined.
    reason: Problem | None = None
    precision: float | None = None  # links only: share of the second one's links that the first has
    recall: float | None = None  # links only: share of the first one's links that the second has
    f1: float | None = None  # links only: their harmonic mean
    # Annotator to the alpha of the first candidate alone against that annotator, on what the
    # annotator settled; empty unless requested.
    robot: Mapping[str, float | None] = field(default_factory=dict)
    # Annotator to the alpha of the gold against that annotator; empty without a gold.
    gold: Mapping[str, float | None] = field(default_factory=dict)
    by_topic: Sequence[TopicAgreement] = ()  # the same within each topic that has an item


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementDifference:
    """How much more some annotators agree than others, over the topics that both have."""

    distance: SetDistance
    first: tuple[str, ...]
    second: tuple[str, ...]
    # Of the first and the second over these topics; None where undefined.
    alphas: tuple[float | None, float | None]
    n_topics: int
    # Of the difference, over topics, by the same resamples; None where undefined.
    interval: Interval | None
    reason: Problem | None  # why there is no difference or no interval; None when there is

    @property
    def value(self) -> float | None:
        """The first less the second; above 0 the first agree more."""
        one, other = self.alphas
        return None if one is None or other is None else one - other


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceAgreement:
    """Two annotators' settled entries of an abstract sentence."""

    topic: str
    abstract: str
    n: int
    annotators: tuple[str, str]
    kind: Kind
    distances: Mapping[SetDistance, float | None]  # of families: from 0 to 1, None = undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFacts:
    """How two annotators differ, over all that both settled."""

    annotators: tuple[str, str]
    kinds: Mapping[Kind, int]  # how often each kind occurs; kinds that do not occur are left out
    # Mean of P(first satisfied) - P(second satisfied) when each source sentence is extracted with
    # probability 1/2: above 0 the first accepts more. None where undefined.
    bias: float | None
    n_different: int  # sentences with different entries, both with a source
    # Of these, the number of sentences equal up to near-duplicates.
    n_near_duplicates: int
    # (rank by the first, rank by the second) to how often; own ranks only.
    ranks: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """All results."""

    annotators: tuple[str, ...]  # in the order of the request
    length: str | None
    n_sentences: int
    # For each level: each pair, then everybody where there are three or more.
    rows: tuple[AgreementRow, ...]
    sentences: Sequence[SentenceAgreement]  # for each pair and each sentence that both settled
    pairs: tuple[PairFacts, ...]
    warnings: tuple[Problem, ...]
    # For each level, of the choices that were to be compared.
    differences: tuple[AgreementDifference, ...] = ()

    def row(self, annotators: tuple[str, ...], distance: SetDistance) -> AgreementRow | None:
        """Returns the row of these annotators and level; None when it was not requested."""
        for row in self.rows:
            if row.annotators == annotators and row.distance is distance:
                return row
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementStudy:
    """Agreement, and what the disagreement does."""

    request: AgreementRequest
    agreement: Agreement
    effects: tuple[Effects, ...]  # what the disagreement of each pair does

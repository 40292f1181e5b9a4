"""Coverage of every abstract sentence by every system's extract, and use of its sentences.

Source: e(i) of Hirao et al. (2004), eq. 4. The classes are ours: a counted sentence is *useful*
when it belongs to the alternative chosen for some abstract sentence, *redundant* when it belongs to
alternatives, none of which was chosen, and *irrelevant* when it is in no alternative.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from awase.core.annotation.candidates import SentenceSimilarity, Term, TopicIndex, terms_of
from awase.core.errors import Problem
from awase.core.metrics.extracts.gold import Gold, gold_of, known_size_of_cover, not_proved
from awase.core.metrics.extracts.scorers import (
    MINIMAL_COVER,
    ExtractScore,
    Tsc3Options,
    score_extract,
)
from awase.core.metrics.kit.outputs import alignment_for, extracts_for
from awase.core.metrics.kit.supplies import TIME_LIMIT_S
from awase.core.records.abstract import Abstract, AlignmentState
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.records.topic import TextOutput, Topic
from awase.core.text.script import Span, joined_spans

MOST_SOURCES: Final = 3
# Share of a sentence's weighted terms below which a source sentence is no resemblance.
LEAST_SHARE: Final = 0.2


class Marking(Enum):
    """Which parts of two sentences are marked as common."""

    WORDS = "words"
    RUNS = "runs"
    SUBSEQUENCE = "subsequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resembled:
    """A sentence that a system's sentence resembles."""

    ref: SentenceRef | int
    text: str
    share: float  # how much of the system's sentence it has, 0..1 of the idf of its terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """A sentence of a text output."""

    text: str
    # The source sentences that it resembles most, best first; may be empty.
    sources: tuple[Resembled, ...]
    # The sentence of the abstract that it resembles most; None when none does.
    reference: Resembled | None


def resemblances(
    topic: Topic, abstract: Abstract, output: TextOutput, index: TopicIndex
) -> tuple[Resemblance, ...]:
    """Returns the sentences most similar to each sentence of the output."""
    source_texts = {ref: sentence.text for ref, sentence in topic.sentences()}
    references = abstract.sentences
    likeness = SentenceSimilarity([sentence.text for sentence in references])
    found = []
    for text in output.sentences:
        shares = zip(references, likeness.shares_of(text), strict=True)
        sources = _best(
            Resembled(ref=ref, text=source_texts[ref], share=share)
            for ref, share in index.overlaps(text).items()
        )
        like = _best(Resembled(ref=one.n, text=one.text, share=share) for one, share in shares)
        reference = like[0] if like else None
        found.append(Resemblance(text=text, sources=sources, reference=reference))
    return tuple(found)


def _best(found: Iterable[Resembled]) -> tuple[Resembled, ...]:
    likely = [candidate for candidate in found if candidate.share >= LEAST_SHARE]
    return tuple(sorted(likely, key=lambda candidate: -candidate.share)[:MOST_SOURCES])


def common_spans(
    first: str, second: str, marking: Marking
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Returns the spans that two sentences have in common, in each of them.

    `WORDS` are all terms in common, `RUNS` those of at least two that follow each other in both,
    `SUBSEQUENCE` one longest common subsequence of terms.
    """
    ours, theirs = list(terms_of(first)), list(terms_of(second))
    if marking is Marking.WORDS:
        keys = {term.key for term in ours} & {term.key for term in theirs}
        pairs = (
            [idx for idx, term in enumerate(ours) if term.key in keys],
            [idx for idx, term in enumerate(theirs) if term.key in keys],
        )
    elif marking is Marking.RUNS:
        pairs = _in_runs(ours, theirs), _in_runs(theirs, ours)
    else:
        pairs = _subsequence([term.key for term in ours], [term.key for term in theirs])
    return _spans(ours, pairs[0]), _spans(theirs, pairs[1])


def _in_runs(ours: Sequence[Term], theirs: Sequence[Term]) -> list[int]:
    known = {(a.key, b.key) for a, b in pairwise(theirs)}
    marked: set[int] = set()
    for idx, pair in enumerate(pairwise(ours)):
        if (pair[0].key, pair[1].key) in known:
            marked |= {idx, idx + 1}
    return sorted(marked)


def _subsequence(first: Sequence[str], second: Sequence[str]) -> tuple[list[int], list[int]]:
    """Returns the indices of a longest common subsequence in both; the earliest in the first."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            lengths[i][j] = (
                lengths[i + 1][j + 1] + 1
                if first[i] == second[j]
                else max(lengths[i + 1][j], lengths[i][j + 1])
            )
    i = j = 0
    pairs: list[tuple[int, int]] = []
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] > lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return [i for i, _ in pairs], [j for _, j in pairs]


def _spans(terms: Sequence[Term], indices: Sequence[int]) -> tuple[Span, ...]:
    return joined_spans((terms[idx].start, terms[idx].end) for idx in indices)


class Key(NamedTuple):
    """Address of an abstract sentence; a tuple, as tens of thousands are compared and hashed."""

    topic: str
    abstract: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedSentence:
    """An abstract sentence with e(i) of each system."""

    key: Key
    length: str | None
    text: str
    rank: str | None  # its rank; None when not ranked
    state: AlignmentState
    # Size of each alternative, in the annotator's order; empty = it does not count.
    sizes: tuple[int, ...]
    # Place in its document, from 1, of the earliest member of any alternative; 0 when it does not
    # count.
    earliest: int
    # System to e(i), 0..1; only systems with an extract, empty when it does not count.
    values: Mapping[str, Fraction]
    # The mean e(i) over systems, 0..1; None when no system was measured.
    mean: Fraction | None = field(init=False)
    # How far the systems disagree, 0..1: the largest e(i) less the smallest.
    spread: Fraction | None = field(init=False)

    def __post_init__(self) -> None:
        mean, spread = _mean_and_spread(self.values.values())
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "spread", spread)

    def __reduce__(self) -> tuple[object, ...]:
        # What the systems have cannot be pickled, and is one object for thousands of sentences.
        own = {name: getattr(self, name) for name in _OWN_FIELDS}
        return _unpacked, (own, tuple(self.values.items()))

    @property
    def place(self) -> str:
        """Displayed address, such as `0310-short · 3`."""
        return sentence_place(*self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Counts of sentences in a system's extracts by use."""

    n_extracts: int = 0
    n_asked: int = 0
    n_useful: int = 0
    n_redundant: int = 0
    n_irrelevant: int = 0
    n_repeated: int = 0
    n_unused: int = 0  # places that were not filled

    def __add__(self, other: "Spending") -> "Spending":
        names = [one.name for one in fields(self)]
        return Spending(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def parts(self) -> tuple[int, ...]:
        """Counts in the order of the attributes from `n_useful` on."""
        return (
            self.n_useful, self.n_redundant, self.n_irrelevant, self.n_repeated, self.n_unused,
        )  # fmt: skip

    def share(self, n: int) -> Fraction | None:
        """Returns `n` as a share of the places; None without places."""
        return Fraction(n, self.n_asked) if self.n_asked else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Result of inspecting some topics."""

    sentences: Sequence[InspectedSentence] = ()
    spending: Mapping[str, Spending] = field(default_factory=dict)
    h: Mapping[tuple[str, str], int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()  # why extracts for an abstract were skipped

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in order of appearance."""
        return tuple(self.spending)


# Thousands of sentences share a few values: each is one object.
_fraction = lru_cache(maxsize=1 << 16)(Fraction)


@lru_cache(maxsize=1 << 14)
def _shared(values: tuple[tuple[str, Fraction], ...]) -> Mapping[str, Fraction]:
    """Returns a shared mapping of systems' values: thousands of sentences have equal ones."""
    return MappingProxyType(dict(values))


_OWN_FIELDS: Final = ("key", "length", "text", "rank", "state", "sizes", "earliest")


def _unpacked(own: dict[str, Any], values: tuple[tuple[str, Fraction], ...]) -> InspectedSentence:
    return InspectedSentence(**own, values=_shared(values))


def _mean_and_spread(values: Collection[Fraction]) -> tuple[Fraction | None, Fraction | None]:
    """Returns both in integer arithmetic, four times as fast as with fractions."""
    if not values:
        return None, None
    below = lcm(*(value.denominator for value in values))
    above = [value.numerator * (below // value.denominator) for value in values]
    return _fraction(sum(above), below * len(above)), _fraction(max(above) - min(above), below)


def joined(parts: Iterable[Inspection]) -> Inspection:
    """Returns several topics' inspections as one."""
    sentences: list[InspectedSentence] = []
    spending: dict[str, Spending] = {}
    h: dict[tuple[str, str], int] = {}
    problems: list[Problem] = []
    for part in parts:
        h |= part.h
        problems += part.problems
        sentences += part.sentences
        for system, own in part.spending.items():
            spending[system] = spending.get(system, Spending()) + own
    return Inspection(sentences=tuple(sentences), spending=spending, h=h, problems=tuple(problems))


def inspect_topic(
    topic: Topic,
    annotator: str,
    options: Tsc3Options,
    still_wanted: Callable[[], None] = lambda: None,
) -> Inspection:
    """Returns e(i) of every system for every abstract sentence of the topic.

    Extracts for an abstract whose h is not proved within the usual time are skipped, unless they
    count whole. `annotator` is an id or `first`.
    """
    return joined(
        _inspect_abstract(topic, abstract, annotator, options, still_wanted)
        for abstract in topic.abstracts
    )


def _inspect_abstract(
    topic: Topic,
    abstract: Abstract,
    annotator: str,
    options: Tsc3Options,
    still_wanted: Callable[[], None],
) -> Inspection:
    alignment = alignment_for(abstract, annotator)
    gold = gold_of(abstract, alignment)
    size = known_size_of_cover(gold, lambda _: still_wanted(), TIME_LIMIT_S)
    is_looked_at = size.h is not None or options.first != MINIMAL_COVER
    scores = {
        system: score_extract(gold, extract.sentences, size.upper, options)
        for system, extract in extracts_for(topic, abstract.length).items()
        if is_looked_at
    }
    states = {entry.n: entry.state for entry in alignment.sentences} if alignment else {}
    places = _places(topic)
    counting = {sentence.n: sentence for sentence in gold.sentences}
    values = _values_by_n(scores)
    sentences = []
    for sentence in abstract.sentences:
        own = counting.get(sentence.n)
        members = {ref for alternative in own.alternatives for ref in alternative} if own else ()
        sentences.append(
            InspectedSentence(
                key=Key(topic=topic.id, abstract=abstract.id, n=sentence.n),
                length=abstract.length,
                text=sentence.text,
                rank=sentence.rank,
                state=states.get(sentence.n, AlignmentState.TODO),
                sizes=own.sizes if own else (),
                earliest=min((places[ref] for ref in members), default=0),
                values=values.get(sentence.n, {}),
            )
        )
    return Inspection(
        sentences=tuple(sentences),
        spending={system: spending_of(gold, score) for system, score in scores.items()},
        h={(topic.id, abstract.id): size.upper} if is_looked_at else {},
        problems=() if is_looked_at else (not_proved(abstract.id, size),),
    )


def _places(topic: Topic) -> dict[SentenceRef, int]:
    return {
        SentenceRef(document.id, sentence.n): place
        for document in topic.documents
        for place, sentence in enumerate(document.sentences, start=1)
    }


def _values_by_n(scores: Mapping[str, ExtractScore]) -> dict[int, Mapping[str, Fraction]]:
    values: dict[int, dict[str, Fraction]] = {}
    for system, score in scores.items():
        for sentence in score.sentences:
            value = _fraction(sentence.value.numerator, sentence.value.denominator)
            values.setdefault(sentence.n, {})[system] = value
    return {n: _shared(tuple(own.items())) for n, own in values.items()}


def spending_of(gold: Gold, score: ExtractScore) -> Spending:
    """Returns the use of one extract's sentences; zeros when nothing could be covered."""
    if not gold.sentences:
        return Spending()
    part = score.part
    serving = {ref for sentence in score.sentences for ref in sentence.alternative}
    irrelevant = len(score.irrelevant)
    useful = sum(ref in serving for ref in part.counted)
    return Spending(
        n_extracts=1,
        n_asked=part.denominator,
        n_useful=useful,
        n_redundant=len(part.counted) - useful - irrelevant,
        n_irrelevant=irrelevant,
        n_repeated=max(0, part.denominator - part.shortfall - len(part.counted)),
        n_unused=part.shortfall,
    )

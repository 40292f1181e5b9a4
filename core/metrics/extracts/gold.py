"""The gold: an abstract and one alignment of it, its minimal cover, and assisted links.

Which abstract sentences count (our decisions; the paper does not say):

- a sentence with at least one alternative counts;
- one marked “no source” does not, and signatures say how many there are;
- one without any alternative does not either: it is skipped, and the scores are provisional;
- its rank is the one of the alignment, or else the abstract's;
- scores are also provisional while a sentence that counts is not confirmed.

Source: Hirao et al. (2004), section 3.1: h is the size of a smallest set of source sentences that
contains a whole alternative of every abstract sentence that counts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import lcm
from operator import attrgetter, or_
from typing import Final, NamedTuple

from awase.core.errors import Problem
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    AssistOrigin,
    SentenceAlignment,
)
from awase.core.records.source import SentenceRef
from awase.core.solvers.cover import CoverProblem, MinimalCover, Need, Status
from awase.core.solvers.cover_solving import wait_for_cover


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSentence:
    """An abstract sentence that counts."""

    n: int
    rank: str | None  # its rank; None when not ranked
    # At least one, without repetitions, in the annotator's order.
    alternatives: tuple[tuple[SentenceRef, ...], ...]
    masks: tuple[int, ...]  # the same alternatives as bit sets over `Gold.items`
    sizes: tuple[int, ...]  # how many members each alternative has
    union: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The gold of one abstract."""

    # Those that count, in the abstract's order; their number is n of eq. 6.
    sentences: tuple[GoldSentence, ...]
    # Every source sentence in some alternative; its index is its bit.
    items: tuple[SentenceRef, ...]
    bit_by_ref: dict[SentenceRef, int]  # the bit of each item
    common_size: int
    skipped: tuple[int, ...] = ()  # numbers of abstract sentences without any alternative
    no_source: tuple[int, ...] = ()  # numbers of those marked “no source”
    unsettled: tuple[int, ...] = ()  # numbers of those that count but are not confirmed

    @property
    def provisional(self) -> bool:
        """Whether the annotation is unfinished, so that scores may change."""
        return bool(self.skipped or self.unsettled)

    def mask_of(self, refs: Iterable[SentenceRef]) -> int:
        """Returns the bits of `refs`; those in no alternative are ignored."""
        bit_of = self.bit_by_ref.get
        mask = 0
        for ref in refs:
            mask |= bit_of(ref, 0)
        return mask


def gold_of(abstract: Abstract, alignment: Alignment | None) -> Gold:
    """Returns the gold of an alignment; None = every sentence is skipped."""
    return GoldMaker().gold_of(abstract, alignment)


class GoldMaker:
    """Builds the gold of successive states of an alignment, incrementally."""

    # Unchanged entries and their bits are reused until a source sentence is in no alternative any
    # more, so the order of `items` may differ from a first build; no result depends on it.

    def __init__(self) -> None:
        self._bit_by_ref: dict[SentenceRef, int] = {}
        self._known: dict[int, tuple[SentenceAlignment, str | None, GoldSentence]] = {}

    def gold_of(self, abstract: Abstract, alignment: Alignment | None) -> Gold:
        """Returns the gold of an alignment; None = every sentence is skipped."""
        gold = self._made(abstract, alignment)
        used = reduce(or_, map(attrgetter("union"), gold.sentences), 0)
        if used.bit_count() == len(gold.items):
            return gold
        self._bit_by_ref, self._known = {}, {}
        return self._made(abstract, alignment)

    def _made(self, abstract: Abstract, alignment: Alignment | None) -> Gold:
        entries = {entry.n: entry for entry in alignment.sentences} if alignment else {}
        sentences: list[GoldSentence] = []
        skipped: list[int] = []
        no_source: list[int] = []
        unsettled: list[int] = []
        known_of = self._known.get
        for sentence in abstract.sentences:
            entry = entries.get(sentence.n)
            known = known_of(sentence.n)
            if known is not None and known[0] is entry and known[1] == sentence.rank:
                made = known[2]  # of thousands of sentences, all but one
            elif entry is not None and entry.state is AlignmentState.NO_SOURCE:
                no_source.append(sentence.n)
                continue
            elif entry is None or not entry.alternatives:
                skipped.append(sentence.n)
                continue
            else:
                made = self._sentence(sentence.n, sentence.rank, entry)
            sentences.append(made)
            if entry is not None and not entry.state.is_settled:
                unsettled.append(sentence.n)
        return Gold(
            sentences=tuple(sentences),
            items=tuple(self._bit_by_ref),
            bit_by_ref=dict(self._bit_by_ref),
            common_size=lcm(*set(chain.from_iterable(map(attrgetter("sizes"), sentences)))),
            skipped=tuple(skipped),
            no_source=tuple(no_source),
            unsettled=tuple(unsettled),
        )

    def _sentence(self, n: int, rank: str | None, entry: SentenceAlignment) -> GoldSentence:
        alternatives = [alternative.members for alternative in entry.alternatives]
        judged = rank if entry.rank is None else entry.rank
        made = _gold_sentence(n, judged, alternatives, self._bit_by_ref)
        self._known[n] = entry, rank, made
        return made


def _gold_sentence(
    n: int,
    rank: str | None,
    alternatives: Iterable[tuple[SentenceRef, ...]],
    bit_by_ref: dict[SentenceRef, int],
) -> GoldSentence:
    members_by_mask: dict[int, tuple[SentenceRef, ...]] = {}
    union = 0
    for members in alternatives:
        mask = 0
        for ref in members:
            bit = bit_by_ref.get(ref)
            if bit is None:
                bit = bit_by_ref[ref] = 1 << len(bit_by_ref)
            mask |= bit
        union |= mask
        members_by_mask.setdefault(mask, members)
    return GoldSentence(
        n=n,
        rank=rank,
        alternatives=tuple(members_by_mask.values()),
        masks=tuple(members_by_mask),
        sizes=tuple([mask.bit_count() for mask in members_by_mask]),
        union=union,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverReport:
    """The minimal covers of an abstract; sentences are in the order of the documents."""

    h: int | None  # size of a minimal cover; None when unknown or without any
    lower: int | None  # h is at least this; None when there is no cover at all
    upper: int | None  # h is at most this; None when there is no cover at all
    sentences: tuple[SentenceRef, ...]
    # Number of minimal covers, or a lower bound of it; None unless h is proved.
    n_covers: int | None
    is_count_exact: bool  # whether `n_covers` is the number
    in_every: tuple[SentenceRef, ...]
    in_none: tuple[SentenceRef, ...]
    conflict: tuple[int, ...]
    skipped: tuple[int, ...]  # numbers of abstract sentences without any alternative
    is_optimal: bool


def cover_problem(gold: Gold, without: Collection[str] = ()) -> CoverProblem:
    """Returns the cover problem of an abstract, its items the indices in `gold.items`.

    Sentences of the documents `without` may not be used.
    """
    known = {ref: at for at, ref in enumerate(gold.items)}
    return CoverProblem(
        needs=tuple([_need_of(sentence, known) for sentence in gold.sentences]),
        forbidden=frozenset(known[ref] for ref in gold.items if ref.document_id in without),
    )


class ProblemMaker:
    """Builds the cover problems of successive states of an alignment, reusing unchanged needs."""

    # Items are the topic's running numbers, which are stable under edits: answers can be cached.

    def __init__(self) -> None:
        self._known: dict[int, tuple[GoldSentence, Need]] = {}
        self._last = CoverProblem(needs=())

    def problem_of(self, gold: Gold, numbers: Mapping[SentenceRef, int]) -> CoverProblem:
        """Returns the problem of covering the abstract; `numbers` are the same at each call."""
        needs = []
        known_of = self._known.get
        for sentence in gold.sentences:
            known = known_of(sentence.n)
            if known is None or known[0] is not sentence:
                known = self._known[sentence.n] = sentence, _need_of(sentence, numbers)
            needs.append(known[1])
        self._last = self._last.with_needs(tuple(needs))
        return self._last


def _need_of(sentence: GoldSentence, numbers: Mapping[SentenceRef, int]) -> Need:
    number_of = numbers.__getitem__
    return tuple([frozenset(map(number_of, one)) for one in sentence.alternatives])


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSize:
    """h, as far as known."""

    lower: int  # h is at least this
    upper: int  # h is at most this

    @property
    def h(self) -> int | None:
        """Returns h; None = it is not proved."""
        return self.upper if self.lower == self.upper else None

    def __str__(self) -> str:
        return f"{self.lower} ≤ h ≤ {self.upper}"


def known_size_of_cover(
    gold: Gold,
    on_bounds: Callable[[KnownSize], None] = lambda _: None,
    time_limit_s: float | None = None,
) -> KnownSize:
    """Returns h, or bounds at the time limit; 0 when no abstract sentence counts.

    `on_bounds` is called now and then with the bounds; raising ends the search.
    """

    def size(answer: MinimalCover) -> KnownSize:
        return KnownSize(lower=answer.lower or 0, upper=answer.upper or 0)

    return size(
        wait_for_cover(
            cover_problem(gold),
            lambda answer: on_bounds(size(answer)),
            size_only=True,
            time_limit_s=time_limit_s,
        )
    )


def size_of_minimal_cover(gold: Gold, still_wanted: Callable[[], None] = lambda: None) -> int:
    """Returns the proved h, without a time limit; 0 when no abstract sentence counts."""
    return known_size_of_cover(gold, lambda _: still_wanted()).upper


def not_proved(abstract: str, size: KnownSize) -> Problem:
    """Returns the reason that h has bounds only."""
    return Problem(
        what="h of abstract “{abstract}” is not proved in the time allowed: {lower} ≤ h ≤ {upper}.",
        hint="Allow more time, or count another part of the extracts than the first h sentences.",
        fields={"abstract": abstract, "lower": size.lower, "upper": size.upper},
    )


def cover_report(gold: Gold, result: MinimalCover, order: dict[SentenceRef, int]) -> CoverReport:
    """Converts a solver's result to sentences; `order` is by position in the topic."""

    def refs(items: Collection[int]) -> tuple[SentenceRef, ...]:
        return tuple(sorted((gold.items[item] for item in items), key=order.__getitem__))

    is_optimal = result.status is Status.OPTIMAL
    return CoverReport(
        h=result.h,
        lower=result.lower,
        upper=result.upper,
        sentences=refs(result.cover or ()),
        n_covers=result.n_covers,
        is_count_exact=result.n_covers_exact,
        in_every=refs(result.in_every),
        in_none=refs(result.in_none),
        conflict=tuple(gold.sentences[need].n for need in result.conflict),
        skipped=gold.skipped,
        is_optimal=is_optimal,
    )


FACT: Final = "assist"
# Outcomes of accepted suggestions.
ASSISTED: Final = frozenset({AssistOrigin.TAKEN, AssistOrigin.CHANGED})


class Links(NamedTuple):
    """Number of alternatives, and of those in entries that began with a suggestion."""

    n_assisted: int = 0
    n_links: int = 0

    def plus(self, other: "Links") -> "Links":
        """Returns both together."""
        return Links(self.n_assisted + other.n_assisted, self.n_links + other.n_links)

    @property
    def facts(self) -> dict[str, str]:
        """Signature facts: empty without suggestions, else the share in percent.

        Rounded, but only none is 0 % and only all is 100 %.

        >>> Links(1, 3).facts
        {'assist': '33%'}
        >>> Links(1, 900).facts, Links(899, 900).facts, Links(0, 900).facts
        ({'assist': '1%'}, {'assist': '99%'}, {})
        """
        if not self.n_assisted:
            return {}
        if self.n_assisted == self.n_links:
            return {FACT: "100%"}
        percent = (200 * self.n_assisted + self.n_links) // (2 * self.n_links)
        return {FACT: f"{min(99, max(1, percent))}%"}


def assisted_links(abstract: Abstract, alignment: Alignment | None) -> Links:
    """Counts the alternatives of an alignment, or of the gold in that form.

    One of the gold is assisted if its annotator's entry is.
    """
    if alignment is None:
        return Links()
    n_links = sum(len(entry.alternatives) for entry in alignment.sentences)
    if any(one is alignment for one in abstract.alignments):
        own = {
            (entry.n, number)
            for entry in alignment.sentences
            if entry.assist in ASSISTED
            for number in range(len(entry.alternatives))
        }
        return Links(len(own), n_links)
    return Links(len(set(assisted_in_gold(abstract))), n_links)


def assisted_in_gold(abstract: Abstract) -> Iterator[tuple[int, int]]:
    """Yields (abstract sentence, alternative) of the gold whose annotator's entry is assisted."""
    by_name = {one.annotator: one for one in abstract.alignments}
    for decision in abstract.gold:
        for source in decision.sources:
            alignment = by_name.get(source.annotator)
            if alignment and alignment.of_sentence(decision.n).assist in ASSISTED:
                yield from ((decision.n, number) for number in source.alternatives)

"""An abstract and one alignment of it, made ready for the minimal cover and the scorers.

Which abstract sentences count (our decisions; the paper does not say):

- a sentence with at least one alternative counts;
- one marked “no source” does not, and signatures say how many there are;
- one without any alternative does not either: it is skipped, and the scores are provisional;
- its rank is the one of the alignment, or else the abstract's;
- scores are also provisional while a sentence that counts is not confirmed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import lcm
from operator import attrgetter, or_

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment, AlignmentState, SentenceAlignment
from awase.core.records.identifiers import SentenceRef


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSentence:
    """An abstract sentence that counts.

    Attributes:
        rank: Its rank; None when not ranked.
        alternatives: At least one, without repetitions, in the annotator's order.
        masks: The same alternatives as bit sets over `Gold.items`.
        sizes: How many members each alternative has.
    """

    n: int
    rank: str | None
    alternatives: tuple[tuple[SentenceRef, ...], ...]
    masks: tuple[int, ...]
    sizes: tuple[int, ...]
    union: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What extracts of one abstract's topic are measured against.

    Attributes:
        sentences: Those that count, in the abstract's order; their number is n of eq. 6.
        items: Every source sentence in some alternative; its index is its bit.
        bit_by_ref: The bit of each item.
        skipped: Numbers of abstract sentences without any alternative.
        no_source: Numbers of those marked “no source”.
        unsettled: Numbers of those that count but are not confirmed.
    """

    sentences: tuple[GoldSentence, ...]
    items: tuple[SentenceRef, ...]
    bit_by_ref: dict[SentenceRef, int]
    common_size: int
    skipped: tuple[int, ...] = ()
    no_source: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()

    @property
    def provisional(self) -> bool:
        """Whether the annotation is unfinished, so that scores may still change."""
        return bool(self.skipped or self.unsettled)

    def mask_of(self, refs: Iterable[SentenceRef]) -> int:
        """Returns the bits of `refs`; those in no alternative have none."""
        bit_of = self.bit_by_ref.get
        mask = 0
        for ref in refs:
            mask |= bit_of(ref, 0)
        return mask


def gold_of(abstract: Abstract, alignment: Alignment | None) -> Gold:
    """Returns what `alignment` makes of `abstract`; without one every sentence is skipped."""
    return GoldMaker().gold_of(abstract, alignment)


class GoldMaker:
    """Makes the gold of one state of an alignment after another.

    What an abstract sentence made before is kept as long as its entry is the same object, and so
    are the bits, until a source sentence is in no alternative any more; `items` may therefore be in
    another order than that of a first gold, which nothing that is computed from it depends on.
    """

    def __init__(self) -> None:
        self._bit_by_ref: dict[SentenceRef, int] = {}
        self._known: dict[int, tuple[SentenceAlignment, str | None, GoldSentence]] = {}

    def gold_of(self, abstract: Abstract, alignment: Alignment | None) -> Gold:
        """Returns what `alignment` makes of `abstract`; without one every sentence is skipped."""
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

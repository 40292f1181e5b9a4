"""Alternatives as formulas and as monotone families, and warnings about them.

An alternative is a set of source sentences that suffice, so that an entry says which extracts
satisfy the sentence. Two entries are equivalent when their families are equal after absorption: an
alternative that contains another one adds nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.records.abstract import Alternative
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.solvers.cover import Family, absorbed, items_of

OR = " ∨ "
AND = "\u00a0∧\u00a0"  # with no-break spaces: a line ends between alternatives, not within one


def running_numbers(topic: Topic) -> dict[SentenceRef, int]:
    """Numbers the topic's source sentences from 1, for display: ids are stable, these are not."""
    return {ref: number for number, ref in enumerate(topic.refs(), start=1)}


def label_of(ref: SentenceRef, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns the short name of a source sentence: `s10`."""
    return f"s{numbers[ref]}" if ref in numbers else str(ref)


def address_of(ref: SentenceRef, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns a source sentence by its short name and its id: `s27 · 980722003:3`."""
    return f"s{numbers[ref]} · {ref}" if ref in numbers else str(ref)


def set_text(alternative: Alternative, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns one alternative as a set: `{s10, s11}`."""
    return "{" + ", ".join(label_of(ref, numbers) for ref in alternative.members) + "}"


def formula(alternatives: Iterable[Alternative], numbers: Mapping[SentenceRef, int]) -> str:
    """Returns the alternatives as a formula; empty without any."""
    terms = [
        AND.join(label_of(ref, numbers) for ref in alternative.members)
        for alternative in alternatives
    ]
    if len(terms) < 2:
        return "".join(terms)
    return OR.join(f"({term})" if AND in term else term for term in terms)


class Numbering:
    """Numbers one topic's source sentences in order of request."""

    def __init__(self) -> None:
        self._bit_by_ref: dict[SentenceRef, int] = {}
        self._refs: list[SentenceRef] = []

    def number(self, ref: SentenceRef) -> int:
        """Returns the number of the sentence, from 0."""
        return self.mask([ref]).bit_length() - 1

    def mask(self, refs: Iterable[SentenceRef]) -> int:
        """Returns the sentences as bits: number i is bit i."""
        mask = 0
        for ref in refs:
            bit = self._bit_by_ref.get(ref)
            if bit is None:
                bit = self._bit_by_ref[ref] = 1 << len(self._refs)
                self._refs.append(ref)
            mask |= bit
        return mask

    def sets(self, alternatives: Iterable[Alternative]) -> Family:
        """Returns the alternatives as they are, each once, as bits: not absorbed."""
        return frozenset(self.mask(alternative.members) for alternative in alternatives)

    def refs(self, mask: int) -> tuple[SentenceRef, ...]:
        """Returns the sentences of `mask`."""
        return tuple(self._refs[item] for item in items_of(mask))


def absorbed_alternatives(
    alternatives: Sequence[Alternative],
) -> tuple[tuple[Alternative, ...], tuple[tuple[Alternative, Alternative], ...]]:
    """Returns the absorbed alternatives in order, and (dropped, contained) pairs."""
    numbering = Numbering()
    masks = [numbering.mask(alternative.members) for alternative in alternatives]
    minimal = absorbed(masks)
    kept: dict[int, Alternative] = {}
    for mask, alternative in zip(masks, alternatives, strict=True):
        if mask in minimal:
            kept.setdefault(mask, alternative)
    dropped = [
        (alternative, next(one for own, one in kept.items() if own & mask == own))
        for mask, alternative in zip(masks, alternatives, strict=True)
        if kept.get(mask) is not alternative
    ]
    return tuple(kept.values()), tuple(dropped)


class AlternativeFault(Enum):
    """Why an alternative is redundant."""

    DUPLICATE = "duplicate"
    CONTAINS = "contains"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeWarning:
    """A redundant alternative."""

    alternative_idx: int
    fault: AlternativeFault
    other_idx: int


def alternative_warnings(alternatives: Sequence[Alternative]) -> tuple[AlternativeWarning, ...]:
    """Returns at most one warning an alternative, in order.

    Of equal alternatives the first has none. One that contains another is redundant.
    """
    sets = [alternative.as_set for alternative in alternatives]
    found: list[AlternativeWarning] = []
    for this_idx, this in enumerate(sets):
        equal_idx = sets.index(this)
        if equal_idx < this_idx:
            fault, other_idx = AlternativeFault.DUPLICATE, equal_idx
        else:
            smaller = (idx for idx, other in enumerate(sets) if other < this)
            fault, other_idx = AlternativeFault.CONTAINS, next(smaller, -1)
        if other_idx >= 0:
            found.append(
                AlternativeWarning(alternative_idx=this_idx, fault=fault, other_idx=other_idx)
            )
    return tuple(found)

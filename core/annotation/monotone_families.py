"""Entries of abstract sentences as monotone Boolean functions.

An alternative is a set of source sentences that suffice, so that an entry says which extracts
satisfy the sentence. Two entries are equivalent when their families are equal after absorption: an
alternative that contains another one adds nothing.
"""

from collections.abc import Iterable, Sequence

from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef
from awase.core.solvers.masks import Family, absorbed, items_of


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

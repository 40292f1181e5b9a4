"""What the page shows beside a source sentence: how it is linked, and what else is like it."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.annotation.candidates.topic_index import TopicIndex
from awase.core.records.identifiers import SentenceRef
from awase.gui.pages.annotate.state.position import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFacts:
    """How one source sentence is linked, seen from the selected abstract sentence.

    Attributes:
        is_linked: Whether it is a member of the current alternative.
        others: The sentence's other alternatives that have it, as indices.
        used_by: Numbers of the other abstract sentences that use it.
        like: A linked sentence that it nearly repeats; None when it is linked itself.
    """

    is_linked: bool = False
    others: tuple[int, ...] = ()
    used_by: tuple[int, ...] = ()
    like: SentenceRef | None = None


NOTHING_LINKED = SourceFacts()


def facts_of(
    place: Place, n: int, alternative_idx: int, index: TopicIndex
) -> Mapping[SentenceRef, SourceFacts]:
    """Returns the facts of every source sentence that has any."""
    used_by = _uses_elsewhere(place, n)
    holders: dict[SentenceRef, list[int]] = {}
    for idx, alternative in enumerate(place.entry(n).alternatives if n else ()):
        for ref in alternative.members:
            holders.setdefault(ref, []).append(idx)
    like: dict[SentenceRef, SentenceRef] = {}
    for ref in holders:
        for duplicate in index.near_duplicates(ref):
            if duplicate not in holders:
                like.setdefault(duplicate, ref)
    return {
        ref: SourceFacts(
            is_linked=alternative_idx in holders.get(ref, ()),
            others=tuple(idx for idx in holders.get(ref, ()) if idx != alternative_idx),
            used_by=tuple(used_by.get(ref, ())),
            like=like.get(ref),
        )
        for ref in used_by.keys() | holders.keys() | like.keys()
    }


def _uses_elsewhere(place: Place, n: int) -> dict[SentenceRef, list[int]]:
    used_by: dict[SentenceRef, list[int]] = {}
    for entry in place.alignment.sentences:
        if entry.n != n:
            for ref in dict.fromkeys(entry.refs()):
                used_by.setdefault(ref, []).append(entry.n)
    return used_by

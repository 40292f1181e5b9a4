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
    place: Place,
    n: int,
    alternative_idx: int,
    index: TopicIndex,
    elsewhere: Mapping[SentenceRef, SourceFacts],
) -> Mapping[SentenceRef, SourceFacts]:
    """Returns the facts of every source sentence that has any.

    Args:
        place: Where the annotator is.
        n: Number of the selected abstract sentence.
        alternative_idx: The current alternative.
        index: Of the topic.
        elsewhere: What `facts_elsewhere` returns for `place` and `n`.
    """
    holders: dict[SentenceRef, list[int]] = {}
    for idx, alternative in enumerate(place.entry(n).alternatives if n else ()):
        for ref in alternative.members:
            holders.setdefault(ref, []).append(idx)
    like: dict[SentenceRef, SentenceRef] = {}
    for ref in holders:
        for duplicate in index.near_duplicates(ref):
            if duplicate not in holders:
                like.setdefault(duplicate, ref)
    here = {
        ref: SourceFacts(
            is_linked=alternative_idx in holders.get(ref, ()),
            others=tuple(idx for idx in holders.get(ref, ()) if idx != alternative_idx),
            used_by=elsewhere.get(ref, NOTHING_LINKED).used_by,
            like=like.get(ref),
        )
        for ref in holders.keys() | like.keys()
    }
    return {**elsewhere, **here}


def facts_elsewhere(place: Place, n: int) -> Mapping[SentenceRef, SourceFacts]:
    """Returns which source sentences other abstract sentences use, whatever `n` has."""
    used_by: dict[SentenceRef, list[int]] = {}
    for entry in place.alignment.sentences:
        if entry.n != n:
            for ref in dict.fromkeys(entry.refs()):
                used_by.setdefault(ref, []).append(entry.n)
    return {ref: SourceFacts(used_by=tuple(numbers)) for ref, numbers in used_by.items()}

"""`closure`: linked sentences whose near-duplicates are missing in the family."""

from collections.abc import Callable
from typing import Final

from awase.core.annotation.actions import with_duplicates
from awase.core.annotation.candidates.similarity import similarity_of
from awase.core.assist.suggestion import CLOSURE, Suggestion
from awase.core.assist.weights import FamilyWeights, Fitted
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

NEARLY_REPEATS: Final = "nearly repeats a linked sentence"

DuplicatesOf = Callable[[SentenceRef], tuple[SentenceRef, ...]]


class Closure:
    """Lints for forgotten members; suggests nothing new in content."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, _duplicates_in)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most one: the exchanged alternatives that close the family."""
        del sentence
        if not entry.alternatives:
            return ()
        family = open_exchanges(entry, self._fitted.reading(topic))
        if not family:
            return ()
        confidence = self._fitted.weights.closure
        return (Suggestion(family=family, confidence=confidence, why=NEARLY_REPEATS, kind=CLOSURE),)


def open_exchanges(
    entry: SentenceAlignment, duplicates_of: DuplicatesOf
) -> tuple[Alternative, ...]:
    """Returns near-duplicates' alternatives missing in `entry`."""
    linked = frozenset(entry.refs())

    def missing(ref: SentenceRef) -> list[SentenceRef]:
        return [other for other in duplicates_of(ref) if other not in linked]

    closed = entry
    for alternative_idx in range(len(entry.alternatives)):
        closed = with_duplicates(closed, alternative_idx, missing)
    return closed.alternatives[len(entry.alternatives) :]


def _duplicates_in(topic: Topic) -> DuplicatesOf:
    sentences = tuple(topic.sentences())
    refs = [ref for ref, _ in sentences]
    place_by_ref = {ref: place for place, ref in enumerate(refs)}
    likeness = similarity_of(tuple(sentence.text for _, sentence in sentences))
    known: dict[SentenceRef, tuple[SentenceRef, ...]] = {}

    def duplicates_of(ref: SentenceRef) -> tuple[SentenceRef, ...]:
        if ref not in place_by_ref:
            return ()
        if ref not in known:
            near = likeness.near_duplicates(place_by_ref[ref])
            known[ref] = tuple(refs[place] for place in near)
        return known[ref]

    return duplicates_of

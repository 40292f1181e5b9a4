"""`other-length`: links of a similar sentence in the topic's other abstracts."""

from collections.abc import Iterator
from typing import Final

from awase.core.annotation.candidates.terms import keys_of
from awase.core.assist.evidence import TopicEvidence
from awase.core.assist.suggestion import CARRIED, Suggestion
from awase.core.assist.weights import FamilyWeights, Fitted
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.topic import Topic

OTHER_LENGTH: Final = "other-length"
LINKED_ELSEWHERE: Final = "linked for a like sentence of another abstract"


class OtherLength:
    """Suggests from the topic's abstract of another length, which states the same facts."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, TopicEvidence)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most one: the new alternatives of the most similar sentence."""
        evidence = self._fitted.reading(topic)
        likes = list(linked_elsewhere(topic, sentence))
        scored = [
            (
                self._fitted.weights.carried.probability(likeness(evidence, sentence.text, text)),
                place,
            )
            for place, (text, _) in enumerate(likes)
        ]
        if not scored:
            return ()
        confidence, place = max(scored, key=lambda one: (one[0], -one[1]))
        known = [alternative.as_set for alternative in entry.alternatives]
        family = tuple(
            alternative
            for alternative in likes[place][1].alternatives
            if not any(one <= alternative.as_set for one in known)
        )
        if not family:
            return ()
        return (
            Suggestion(family=family, confidence=confidence, why=LINKED_ELSEWHERE, kind=CARRIED),
        )


def linked_elsewhere(
    topic: Topic, sentence: AbstractSentence
) -> Iterator[tuple[str, SentenceAlignment]]:
    """Yields text and entry of each linked sentence of other abstracts."""
    # Compared by identity: abstracts of two lengths may contain equal sentences.
    for abstract in topic.abstracts:
        if any(one is sentence for one in abstract.sentences):
            continue
        text_by_n = {one.n: one.text for one in abstract.sentences}
        for alignment in abstract.alignments:
            for entry in alignment.sentences:
                if entry.alternatives:
                    yield text_by_n[entry.n], entry


def likeness(evidence: TopicEvidence, text: str, other: str) -> tuple[float, float]:
    """Returns `CARRIED_FEATURES`: cosine of two abstract sentences, share of the first's idf."""
    own, others = frozenset(keys_of(text)), frozenset(keys_of(other))
    weights = {key: evidence.weight(key) for key in own | others}
    shared = own & others
    product = sum(weights[key] ** 2 for key in shared)
    norms = [sum(weights[key] ** 2 for key in keys) ** 0.5 for keys in (own, others)]
    total = sum(weights[key] for key in own)
    return (
        product / (norms[0] * norms[1] or 1.0),
        sum(weights[key] for key in shared) / (total or 1.0),
    )

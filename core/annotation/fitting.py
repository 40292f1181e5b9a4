"""Fitting the weights of `lexical-family` on confirmed entries."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from awase.core.annotation.evidence import (
    FamilyWeights,
    Logistic,
    SentenceEvidence,
    TopicEvidence,
    fitted_logistic,
    shipped_weights,
)
from awase.core.annotation.suggesters import (
    Closure,
    best_pairs,
    exchanges,
    features_of_best_pair,
    likeness,
    linked_elsewhere,
)
from awase.core.annotation.suggestion import own_view
from awase.core.records.abstract import AbstractSentence, AlignmentState, SentenceAlignment
from awase.core.records.topic import Topic

# Confirmed entries from which a project's own weights are worth a try.
FEWEST_SENTENCES: Final = 200

# Right and wrong examples below which a weight would be chance: the shipped ones stay.
_FEWEST_RIGHT: Final = 8


@dataclass(slots=True)
class Examples:
    """Features and whether they were right, of one kind of suggestion."""

    rows: list[tuple[float, ...]] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)

    def add(self, features: tuple[float, ...], is_right: bool) -> None:
        """Adds an example."""
        self.rows.append(features)
        self.labels.append(is_right)

    def fitted(self, otherwise: Logistic) -> Logistic:
        """Returns the regression; `otherwise` where the examples are too few."""
        n_right = sum(self.labels)
        if min(n_right, len(self.labels) - n_right) < _FEWEST_RIGHT:
            return otherwise
        return fitted_logistic(self.rows, self.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """An abstract sentence as one annotator confirmed it."""

    topic: Topic  # with that annotator's alignments only
    sentence: AbstractSentence
    entry: SentenceAlignment  # what was confirmed, at least one alternative


def confirmed_entries(topics: Iterable[Topic]) -> Iterator[Confirmed]:
    """Yields every confirmed entry with alternatives, by topic and annotator."""
    for topic in topics:
        annotators = {one.annotator: None for part in topic.abstracts for one in part.alignments}
        for annotator in annotators:
            view = own_view(topic, annotator)
            for abstract in view.abstracts:
                sentence_by_n = {one.n: one for one in abstract.sentences}
                for alignment in abstract.alignments:
                    for entry in alignment.sentences:
                        if entry.state is AlignmentState.CONFIRMED and entry.alternatives:
                            yield Confirmed(
                                topic=view, sentence=sentence_by_n[entry.n], entry=entry
                            )


class AssistExamples:
    """Training examples from confirmed entries, by kind."""

    def __init__(self, entries: Iterable[Confirmed]) -> None:
        self.single, self.another, self.carried = Examples(), Examples(), Examples()
        self.n_sentences = self._n_closed = self._n_closed_right = 0
        self._pairs: list[tuple[tuple[float, ...], tuple[float, ...], bool]] = []
        documents, evidence = None, None
        for one in entries:
            if evidence is None or one.topic.documents is not documents:
                documents, evidence = one.topic.documents, TopicEvidence(one.topic)
                closure = Closure()
            self._add(one, evidence, closure)

    def fitted(self, data: str, otherwise: FamilyWeights | None = None) -> FamilyWeights:
        """Fits weights; kinds with too few examples have `otherwise`'s."""
        shipped = otherwise or shipped_weights()
        single = self.single.fitted(shipped.single)
        pairs = Examples()
        for of_single, (*before, _, gap), is_right in self._pairs:
            pairs.add((*before, single.probability(of_single), gap), is_right)
        closure = self._n_closed_right / self._n_closed if self._n_closed else shipped.closure
        return FamilyWeights(
            data=data,
            n_sentences=self.n_sentences,
            single=single,
            pair=pairs.fitted(shipped.pair),
            another=self.another.fitted(shipped.another),
            carried=self.carried.fitted(shipped.carried),
            closure=closure,
        )

    def _add(self, one: Confirmed, evidence: TopicEvidence, closure: Closure) -> None:
        asked = evidence.of_sentence(one.sentence.text)
        if not asked.keys or not evidence.refs:
            return
        gold = gold_places(evidence, one.entry)
        self.n_sentences += 1
        of_single = asked.single_features()
        self.single.add(of_single, frozenset(asked.order[:1]) in gold)
        pairs = best_pairs(asked)
        if pairs:  # single-sentence confidence must be fitted first
            of_pair = features_of_best_pair(asked, pairs, math.nan)
            self._pairs.append((of_single, of_pair, frozenset(pairs[0]) in gold))
        begun = first_linked(asked, one.entry)
        for members, features in exchanges(asked, begun):
            self.another.add(features, members in gold)
        for suggestion in closure.suggest(one.topic, one.sentence, begun):
            made = [frozenset(evidence.places(part.members)) for part in suggestion.family]
            self._n_closed += len(made)
            self._n_closed_right += sum(members in gold for members in made)
        self._add_carried(one, evidence, gold)

    def _add_carried(
        self, one: Confirmed, evidence: TopicEvidence, gold: frozenset[frozenset[int]]
    ) -> None:
        likes = [
            (likeness(evidence, one.sentence.text, text), entry)
            for text, entry in linked_elsewhere(one.topic, one.sentence)
        ]
        if likes:
            features, entry = max(likes, key=lambda pair: pair[0])
            for alternative in entry.alternatives:
                self.carried.add(features, frozenset(evidence.places(alternative.members)) in gold)


def gold_places(evidence: TopicEvidence, entry: SentenceAlignment) -> frozenset[frozenset[int]]:
    """Returns the alternatives of an entry as positions."""
    return frozenset(frozenset(evidence.places(one.members)) for one in entry.alternatives)


def first_linked(asked: SentenceEvidence, entry: SentenceAlignment) -> SentenceAlignment:
    """Returns the entry with its likeliest alternative only, as annotators begin."""
    rank = {place: rank for rank, place in enumerate(asked.order)}

    def last_rank(members: Sequence[int]) -> int:
        return max((rank[place] for place in members), default=len(rank))

    first = min(entry.alternatives, key=lambda one: last_rank(asked.evidence.places(one.members)))
    return replace(entry, state=AlignmentState.INCOMPLETE, alternatives=(first,))


def average_precision(confidences: Sequence[float], labels: Sequence[bool]) -> float | None:
    """Returns the average precision, 0..1, ties in order; None without positives."""
    order = np.argsort(-np.asarray(confidences, dtype=float), kind="stable")
    right = np.asarray(labels, dtype=bool)[order]
    if not right.any():
        return None
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    return float(precision[right].mean())

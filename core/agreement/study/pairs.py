"""Pairs of annotators, sentence by sentence: how far apart, in which way, and who accepts more."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from awase.core.agreement.measures.coding import CodedTopic, Item
from awase.core.agreement.measures.distances import OF_FAMILIES, FamilyComparer
from awase.core.agreement.measures.kinds import Kind, is_explained, kind_of
from awase.core.agreement.measures.near_duplicates import Representatives
from awase.core.agreement.study.results import PairFacts, SentenceAgreement

Pair = tuple[str, str]

_WITHOUT_SOURCE = (Kind.ONE_NO_SOURCE, Kind.BOTH_NO_SOURCE)


class Pairs:
    """Gathers what is known of each pair, topic by topic."""

    def __init__(self, annotators: Sequence[str]) -> None:
        self._pairs: tuple[Pair, ...] = tuple(combinations(annotators, 2))
        self._kinds: dict[Pair, Counter[Kind]] = {pair: Counter() for pair in self._pairs}
        self._ranks: dict[Pair, Counter[Pair]] = {pair: Counter() for pair in self._pairs}
        self._bias: dict[Pair, list[float]] = {pair: [] for pair in self._pairs}
        self._n_different = Counter[Pair]()
        self._n_explained = Counter[Pair]()
        self.sentences: list[SentenceAgreement] = []

    def add(
        self, topic: CodedTopic, comparer: FamilyComparer, representatives: Representatives | None
    ) -> None:
        """Takes a further topic in; without representatives nobody looks for near-duplicates."""
        for item in topic.items:
            for pair in self._pairs:
                if pair[0] in item.families and pair[1] in item.families:
                    self.sentences.append(self._sentence(item, pair, comparer, representatives))
                if pair[0] in item.ranks and pair[1] in item.ranks:
                    self._ranks[pair][item.ranks[pair[0]], item.ranks[pair[1]]] += 1

    def facts(self) -> Iterator[PairFacts]:
        """Yields what was found of each pair."""
        for pair in self._pairs:
            differences = self._bias[pair]
            bias = sum(differences) / len(differences) if differences else math.nan
            yield PairFacts(
                annotators=pair,
                kinds={kind: self._kinds[pair][kind] for kind in Kind if self._kinds[pair][kind]},
                bias=None if math.isnan(bias) else bias,
                n_different=self._n_different[pair],
                n_near_duplicates=self._n_explained[pair],
                ranks=dict(self._ranks[pair]),
            )

    def _sentence(
        self,
        item: Item,
        pair: Pair,
        comparer: FamilyComparer,
        representatives: Representatives | None,
    ) -> SentenceAgreement:
        one, other = pair
        first, second = item.families[one], item.families[other]
        kind = kind_of(first, second, item.sets[one], item.sets[other])
        self._kinds[pair][kind] += 1
        self._bias[pair].append(comparer.share(first) - comparer.share(second))
        if not kind.is_agreement and kind not in _WITHOUT_SOURCE:
            self._n_different[pair] += 1
            if representatives is not None:
                self._n_explained[pair] += is_explained(
                    first, second, representatives.representative_of
                )
        distances = {one: comparer.distance(one, first, second) for one in OF_FAMILIES}
        return SentenceAgreement(
            topic=item.topic,
            abstract=item.abstract.id,
            n=item.n,
            annotators=pair,
            kind=kind,
            distances={
                one: None if math.isnan(value) else value for one, value in distances.items()
            },
        )

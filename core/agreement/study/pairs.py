"""Pairs of annotators by sentence: distance, kind, acceptance."""

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from awase.core.agreement.measures.coding import CodedTopic, Item
from awase.core.agreement.measures.distances import OF_FAMILIES, FamilyComparer, SetDistance
from awase.core.agreement.measures.kinds import Kind, is_explained, kind_of
from awase.core.agreement.measures.near_duplicates import Representatives
from awase.core.agreement.study.results import PairFacts, SentenceAgreement
from awase.core.solvers.masks import Family

Pair = tuple[str, str]

_Facts = tuple[Kind, Mapping[SetDistance, float | None]]

_WITHOUT_SOURCE = (Kind.ONE_NO_SOURCE, Kind.BOTH_NO_SOURCE)


class AnnotatorPairs:
    """Accumulates each pair's statistics by topic."""

    def __init__(self, annotators: Sequence[str]) -> None:
        self._pairs: tuple[Pair, ...] = tuple(combinations(annotators, 2))
        self._kinds: dict[Pair, Counter[Kind]] = {pair: Counter() for pair in self._pairs}
        self._ranks: dict[Pair, Counter[Pair]] = {pair: Counter() for pair in self._pairs}
        self._bias: dict[Pair, array[float]] = {pair: array("d") for pair in self._pairs}
        self._n_different = Counter[Pair]()
        self._n_explained = Counter[Pair]()
        self.sentences: list[SentenceAgreement] = []

    def add(
        self, topic: CodedTopic, comparer: FamilyComparer, representatives: Representatives | None
    ) -> None:
        """Adds a topic; without representatives near-duplicates are ignored."""
        compared = _Compared(comparer)
        for item in topic.items:
            shares = {who: comparer.share(family) for who, family in item.families.items()}
            for pair in self._pairs:
                if pair[0] in item.families and pair[1] in item.families:
                    self._bias[pair].append(shares[pair[0]] - shares[pair[1]])
                    self.sentences.append(self._sentence(item, pair, compared, representatives))
                if pair[0] in item.ranks and pair[1] in item.ranks:
                    self._ranks[pair][item.ranks[pair[0]], item.ranks[pair[1]]] += 1

    def facts(self) -> Iterator[PairFacts]:
        """Yields each pair's results."""
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
        compared: "_Compared",
        representatives: Representatives | None,
    ) -> SentenceAgreement:
        one, other = pair
        first, second = item.families[one], item.families[other]
        kind, distances = compared.pair(
            first, second, is_same_as_given=item.sets[one] == item.sets[other]
        )
        self._kinds[pair][kind] += 1
        if not kind.is_agreement and kind not in _WITHOUT_SOURCE:
            self._n_different[pair] += 1
            if representatives is not None:
                self._n_explained[pair] += is_explained(
                    first, second, representatives.representative_of
                )
        return SentenceAgreement(
            topic=item.topic,
            abstract=item.abstract.id,
            n=item.n,
            annotators=pair,
            kind=kind,
            distances=distances,
        )


class _Compared:
    """Kinds and distances of pairs of families of one topic; most pairs of annotators repeat."""

    def __init__(self, comparer: FamilyComparer) -> None:
        self._comparer = comparer
        self._known: dict[tuple[Family, Family, bool], _Facts] = {}

    def pair(self, first: Family, second: Family, *, is_same_as_given: bool) -> _Facts:
        """Returns the kind and every distance of absorbed families; None = undefined."""
        key = (first, second, is_same_as_given)
        known = self._known.get(key)
        if known is None:
            found = ((one, self._comparer.distance(one, first, second)) for one in OF_FAMILIES)
            distances = {one: None if math.isnan(value) else value for one, value in found}
            known = self._known[key] = (
                kind_of(first, second, is_same_as_given=is_same_as_given),
                distances,
            )
        return known

"""Sums of every level by topic.

Source: the distances of each level are in `distances`, alpha in `core.statistics.alpha`, kappa
    in `core.statistics.kappa`.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from awase.core.agreement.measures.coding import CodedTopic
from awase.core.agreement.measures.distances import (
    OF_FAMILIES,
    FamilyComparer,
    SetDistance,
    pairs_sharing,
)
from awase.core.agreement.measures.topic_sums import TopicSums, from_cells, from_sums
from awase.core.solvers.masks import Family, union_of
from awase.core.statistics.alpha import (
    MISSING,
    NO_SUMS,
    Ints,
    Sums,
    nominal_distances,
    ordinal_distances,
    topic_sums,
)

Choice = tuple[str, ...]  # annotators who are compared with each other: two, or more

_STATES: Final = nominal_distances(2)


class Levels:
    """Accumulates sums of the requested levels; `ranks` are the corpus's, most important first."""

    def __init__(
        self, choices: Sequence[Choice], distances: Sequence[SetDistance], ranks: Sequence[str]
    ) -> None:
        self._annotators = [*dict.fromkeys(who for choice in choices for who in choice)]
        self._choices = tuple(choices)
        place = {who: at for at, who in enumerate(self._annotators)}
        self._columns = [tuple(place[who] for who in choice) for choice in choices]
        self._ranks = tuple(ranks)
        self._distances = frozenset(distances)
        # Of each topic a few numbers are held: a corpus may have very many.
        self._sums: dict[tuple[SetDistance, Choice], array[float]] = defaultdict(_numbers)
        self._rank_codes, self._n_ranked = array("h"), array("l")
        self._cells: dict[Choice, array[float]] = defaultdict(_numbers)
        self._n_linked: dict[Choice, array[float]] = defaultdict(_numbers)

    def add(self, topic: CodedTopic, comparer: FamilyComparer) -> None:
        """Adds a topic."""
        families, codes = topic.family_codes(self._annotators)
        sharing = pairs_sharing(families)
        for kind in OF_FAMILIES:
            if kind in self._distances:
                found = topic_sums(
                    codes, comparer.distances(kind, families, sharing), self._columns
                )
                self._keep(kind, found)
        if SetDistance.STATE in self._distances:
            states = topic.state_codes(self._annotators)
            self._keep(SetDistance.STATE, topic_sums(states, _STATES, self._columns))
        if SetDistance.RANK in self._distances:
            codes_of_ranks = topic.rank_codes(self._annotators, self._ranks)
            self._rank_codes.frombytes(codes_of_ranks.astype(np.int16).tobytes())
            self._n_ranked.append(len(codes_of_ranks))
        if SetDistance.LINKS in self._distances:
            self._add_links(codes, families, sum(1 for _ in topic.topic.refs()))

    def measured(self, distance: SetDistance, choice: Choice) -> TopicSums | None:
        """Returns the sums over all topics; None for a level that these annotators do not have."""
        if distance is SetDistance.LINKS:
            if choice not in self._cells:
                return None
            return from_cells(self._n_linked[choice], self._cells[choice])
        if distance is SetDistance.RANK:
            return from_sums(self._rank_sums(choice))
        return from_sums(self._sums.get((distance, choice), ()))

    def _keep(self, distance: SetDistance, found: Sequence[Sums]) -> None:
        for choice, sums in zip(self._choices, found, strict=True):
            self._sums[distance, choice].extend(sums)

    def _rank_sums(self, choice: Choice) -> "array[float]":
        """Returns the sums of ranks, whose distances depend on all frequencies."""
        columns = [*self._columns[self._choices.index(choice)]]
        codes = np.frombuffer(self._rank_codes, np.int16).reshape(-1, len(self._annotators))
        chosen = codes[:, columns]
        kept = chosen[(chosen != MISSING).sum(axis=1) > 1]
        counts = np.bincount(kept[kept != MISSING], minlength=len(self._ranks))
        if not counts.any():
            return _numbers(NO_SUMS) * len(self._n_ranked)
        distances = ordinal_distances(counts.astype(np.float64))
        everybody = [range(len(columns))]
        found, begin = _numbers(), 0
        for n_items in self._n_ranked:
            of_topic = chosen[begin : begin + n_items].astype(np.intp)
            found.extend(topic_sums(of_topic, distances, everybody)[0])
            begin += n_items
        return found

    def _add_links(self, codes: Ints, families: Sequence[Family], n_sources: int) -> None:
        supports = [union_of(family) for family in families]
        for choice, columns in zip(self._choices, self._columns, strict=True):
            if len(columns) != 2:
                continue
            pair = codes[:, list(columns)]
            pair = pair[(pair != MISSING).all(axis=1)]
            both = first = second = 0
            for own, other in pair.tolist():
                shared = (supports[own] & supports[other]).bit_count()
                both += shared
                first += supports[own].bit_count() - shared
                second += supports[other].bit_count() - shared
            neither = n_sources * len(pair) - both - first - second
            self._cells[choice].extend((both, first, second, neither))
            self._n_linked[choice].append(len(pair))


def _numbers(first: Iterable[float] = ()) -> "array[float]":
    return array("d", first)

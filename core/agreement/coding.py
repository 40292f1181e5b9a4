"""Coding of annotators' entries as numbers, and sums of every level by topic.

Every value is 1 - observed / expected, both functions of sums over topics: so intervals, values by
topic and reasons are computed in one way.

Source: Krippendorff (2004) for alpha, Cohen (1960) for kappa, in the same form; distances are in
    `distances`, alpha and kappa in `core.statistics`.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from awase.core.agreement.alpha import (
    MISSING,
    NO_SUMS,
    Ints,
    Sums,
    alpha_of,
    disagreements,
    nominal_distances,
    ordinal_distances,
    topic_sums,
)
from awase.core.agreement.distances import (
    OF_FAMILIES,
    ROBOT,
    FamilyComparer,
    SetDistance,
    alignment_of,
    pairs_sharing,
)
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.formula import Numbering
from awase.core.records.abstract import Abstract, AlignmentState, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.solvers.cover import Family, absorbed, union_of
from awase.core.statistics.bootstraps import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An abstract sentence with the entry of each annotator who settled it."""

    topic: str
    abstract: Abstract
    n: int
    text: str
    entries: Mapping[str, SentenceAlignment]  # annotator to the entry, only where it is settled
    sets: Mapping[str, Family]  # annotator to alternatives as entered; empty = no source
    families: Mapping[str, Family]
    ranks: Mapping[str, str]  # annotator to rank; see `CodedTopic.rank_codes`


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedTopic:
    """The selected abstract sentences of a topic."""

    topic: Topic
    items: tuple[Item, ...]  # in the topic's order, unsettled ones included
    numbering: Numbering

    def family_codes(self, annotators: Sequence[str]) -> tuple[tuple[Family, ...], Ints]:
        """Returns the distinct families, and (n_items, n_annotators) which one each gave."""
        code_by_family: dict[Family, int] = {}

        def code(item: Item, who: str) -> int:
            family = item.families.get(who)
            if family is None:
                return MISSING
            return code_by_family.setdefault(family, len(code_by_family))

        codes = self._codes(annotators, code)
        return tuple(code_by_family), codes

    def state_codes(self, annotators: Sequence[str]) -> Ints:
        """Returns (n_items, n_annotators): 1 = no source."""

        def code(item: Item, who: str) -> int:
            entry = item.entries.get(who)
            return MISSING if entry is None else entry.state is AlignmentState.NO_SOURCE

        return self._codes(annotators, code)

    def rank_codes(self, annotators: Sequence[str], ranks: Sequence[str]) -> Ints:
        """Returns (n_items, n_annotators): the position in `ranks` of each annotator's rank."""
        # Without any rank in an abstract there is none; with some, the others are the abstract's
        # own ranks.
        place = {rank: at for at, rank in enumerate(ranks)}
        return self._codes(
            annotators, lambda item, who: place.get(item.ranks.get(who, ""), MISSING)
        )

    def _codes(self, annotators: Sequence[str], code: Callable[[Item, str], int]) -> Ints:
        codes = [[code(item, who) for who in annotators] for item in self.items]
        return np.array(codes, dtype=np.intp).reshape(len(self.items), len(annotators))


def coded(topic: Topic, annotators: Sequence[str], length: str | None) -> CodedTopic:
    """Codes a topic; `length` None = all length classes."""
    numbering = Numbering()
    items: list[Item] = []
    for abstract in topic.abstracts:
        if length is None or abstract.length == length:
            items += _items(topic.id, abstract, annotators, numbering)
    return CodedTopic(topic=topic, items=tuple(items), numbering=numbering)


def _items(
    topic_id: str, abstract: Abstract, annotators: Sequence[str], numbering: Numbering
) -> Iterator[Item]:
    settled: dict[int, dict[str, SentenceAlignment]] = {}
    ranking: list[str] = []
    for who in annotators:
        alignment = alignment_of(abstract, who)
        for entry in alignment.sentences if alignment else ():
            if entry.state.is_settled:
                settled.setdefault(entry.n, {})[who] = entry
        if alignment and any(entry.rank is not None for entry in alignment.sentences):
            ranking.append(who)
    for sentence in abstract.sentences:
        entries = settled.get(sentence.n, {})
        sets = {who: numbering.sets(entry.alternatives) for who, entry in entries.items()}
        ranks = {who: entries[who].rank or sentence.rank for who in ranking if who in entries}
        yield Item(
            topic=topic_id,
            abstract=abstract,
            n=sentence.n,
            text=sentence.text,
            entries=entries,
            sets=sets,
            families={who: absorbed(given) for who, given in sets.items()},
            ranks={who: rank for who, rank in ranks.items() if rank is not None},
        )


def with_robot(coded_topic: CodedTopic, index: TopicIndex) -> CodedTopic:
    """Returns the topic with the robot's entries: the first candidate of each sentence, alone.

    Without source sentences the robot has no entries.
    """
    if not index.refs:
        return coded_topic
    items = []
    for item in coded_topic.items:
        first = next(iter(index.ranked(item.text)))
        family = frozenset([coded_topic.numbering.mask([first])])
        families, sets = {**item.families, ROBOT: family}, {**item.sets, ROBOT: family}
        items.append(replace(item, families=families, sets=sets))
    return replace(coded_topic, items=tuple(items))


class Representatives:
    """One sentence for each group of near-duplicates (transitively closed), by number."""

    def __init__(self, index: TopicIndex, numbering: Numbering) -> None:
        self._index = index
        self._numbering = numbering
        self._known: dict[int, int] = {}

    def representative_of(self, number: int) -> int:
        """Returns the representative of sentence `number`."""
        if number not in self._known:
            (ref,) = self._numbering.refs(1 << number)
            group = self._group(ref)
            numbers = [self._numbering.number(one) for one in group]
            self._known.update(dict.fromkeys(numbers, min(numbers)))
        return self._known[number]

    def _group(self, ref: SentenceRef) -> set[SentenceRef]:
        group, waiting = {ref}, [ref]
        while waiting:
            new = set(self._index.near_duplicates(waiting.pop())) - group
            group |= new
            waiting += new
        return group


# (n, k) sums to the mean disagreement observed and expected, (n,) each.
Shares = Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSums:
    """Sums of some annotators on one level."""

    n_items: Floats
    columns: Floats
    shares: Shares  # what makes observed and expected disagreement of sums of `columns`

    def values(self, columns: Floats) -> Floats:
        """Returns (n,) 1 - observed / expected, at most 1; NaN where undefined."""
        return alpha_of(*self.shares(columns))


def from_sums(parts: Sequence[float]) -> TopicSums:
    """Returns alpha's sums by topic from concatenated `Sums`."""
    sums = np.array(parts, dtype=np.float64).reshape(-1, len(Sums._fields))
    return TopicSums(
        n_items=sums[:, -1].copy(),
        columns=np.ascontiguousarray(sums[:, :-1]),
        shares=_alpha_shares,
    )


def _alpha_shares(columns: Floats) -> tuple[Floats, Floats]:
    observed, expected, n = columns.T
    undefined = np.full_like(n, np.nan)
    return (
        np.divide(observed, n, where=n > 0, out=undefined.copy()),
        np.divide(expected, n, where=n > 0, out=undefined),
    )


Choice = tuple[str, ...]  # annotators compared with each other, two or more

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
            n_items = np.array(self._n_linked[choice], dtype=np.float64)
            cells = np.array(self._cells[choice], dtype=np.float64)  # four a topic
            return TopicSums(
                n_items=n_items, columns=cells.reshape(len(n_items), 4), shares=disagreements
            )
        if distance is SetDistance.RANK:
            return from_sums(self._rank_sums(choice))
        return from_sums(self._sums.get((distance, choice), ()))

    def _keep(self, distance: SetDistance, found: Sequence[Sums]) -> None:
        for choice, sums in zip(self._choices, found, strict=True):
            self._sums[distance, choice].extend(sums)

    def _rank_sums(self, choice: Choice) -> "array[float]":
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

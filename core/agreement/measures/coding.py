"""Coding of annotators' entries of a topic as comparable numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from awase.core.agreement.measures.raters import ROBOT, alignment_of
from awase.core.annotation.candidates.topic_index import TopicIndex
from awase.core.annotation.monotone_families import Numbering
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.topic import Topic
from awase.core.solvers.masks import Family, absorbed
from awase.core.statistics.alpha import MISSING, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An abstract sentence with the entry of each annotator who settled it."""

    topic: str
    abstract: Abstract
    n: int
    text: str
    entries: Mapping[str, SentenceAlignment]  # annotator to the entry, only where it is settled
    sets: Mapping[str, Family]  # annotator to the alternatives as given; empty = no source
    families: Mapping[str, Family]
    ranks: Mapping[str, str]  # annotator to rank; see `CodedTopic.rank_codes`


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedTopic:
    """The selected abstract sentences of a topic."""

    topic: Topic
    items: tuple[Item, ...]  # in the topic's order; those that nobody settled, too
    numbering: Numbering

    def family_codes(self, annotators: Sequence[str]) -> tuple[tuple[Family, ...], Ints]:
        """Returns the distinct families, and (n_items, n_annotators) which one each gave."""
        code_by_family: dict[Family, int] = {}
        codes = np.full((len(self.items), len(annotators)), MISSING, dtype=np.intp)
        for row, item in enumerate(self.items):
            for column, who in enumerate(annotators):
                family = item.families.get(who)
                if family is not None:
                    codes[row, column] = code_by_family.setdefault(family, len(code_by_family))
        return tuple(code_by_family), codes

    def state_codes(self, annotators: Sequence[str]) -> Ints:
        """Returns (n_items, n_annotators): 1 = no source."""
        codes = np.full((len(self.items), len(annotators)), MISSING, dtype=np.intp)
        for row, item in enumerate(self.items):
            for column, who in enumerate(annotators):
                if who in item.entries:
                    codes[row, column] = item.entries[who].state is AlignmentState.NO_SOURCE
        return codes

    def rank_codes(self, annotators: Sequence[str], ranks: Sequence[str]) -> Ints:
        """Returns (n_items, n_annotators): the position in `ranks` of each annotator's rank."""
        # Without any rank in an abstract there is none; with some, the others are the abstract's
        # own ranks.
        place = {rank: at for at, rank in enumerate(ranks)}
        codes = np.full((len(self.items), len(annotators)), MISSING, dtype=np.intp)
        for row, item in enumerate(self.items):
            for column, who in enumerate(annotators):
                if who in item.ranks:
                    codes[row, column] = place.get(item.ranks[who], MISSING)
        return codes


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

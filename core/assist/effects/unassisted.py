"""A corpus without the entries that began with a suggestion, and which those are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from awase.core.metrics.extracts.assisted import ASSISTED, assisted_in_gold
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistedEntry:
    """An entry that began with a suggestion, taken as it was or changed.

    Attributes:
        topic: Its topic's id.
        abstract: Its abstract's id.
        n: Number of the abstract sentence.
        annotator: Whose entry; None = of gold, an alternative of which came from such an entry.
    """

    topic: str
    abstract: str
    n: int
    annotator: str | None

    def __str__(self) -> str:
        return f"{self.topic} · {self.abstract} · {self.n} ({self.annotator or 'gold'})"


def assisted_entries(topic: Topic) -> Iterator[AssistedEntry]:
    """Yields the entries of a topic that began with a suggestion, those of gold last."""
    for abstract in topic.abstracts:
        for alignment in abstract.alignments:
            for n in _assisted_of(alignment):
                yield AssistedEntry(
                    topic=topic.id, abstract=abstract.id, n=n, annotator=alignment.annotator
                )
        for n in _assisted_of_gold(abstract):
            yield AssistedEntry(topic=topic.id, abstract=abstract.id, n=n, annotator=None)


def without_assisted(topic: Topic) -> Topic:
    """Returns the topic with those entries to do: part of one would say that it is whole."""
    return replace(topic, abstracts=tuple(map(_without_assisted, topic.abstracts)))


def _without_assisted(abstract: Abstract) -> Abstract:
    left_out = _assisted_of_gold(abstract)
    return replace(
        abstract,
        alignments=tuple(
            replace(
                alignment,
                sentences=tuple(one for one in alignment.sentences if one.assist not in ASSISTED),
            )
            for alignment in abstract.alignments
        ),
        gold=tuple(one for one in abstract.gold if one.n not in left_out),
    )


def _assisted_of(alignment: Alignment) -> Iterator[int]:
    return (one.n for one in alignment.sentences if one.assist in ASSISTED)


def _assisted_of_gold(abstract: Abstract) -> dict[int, None]:
    return dict.fromkeys(n for n, _ in assisted_in_gold(abstract))

"""Progress of annotators, and disagreements."""

from collections.abc import Sequence
from typing import NamedTuple

from awase.core.annotation.applying import next_unsettled
from awase.core.annotation.monotone_families import Numbering
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.topic import Topic
from awase.core.solvers.masks import Family, absorbed


class AbstractPlace(NamedTuple):
    """An abstract sentence in a corpus."""

    topic_id: str
    abstract_id: str
    n: int


def disagreed(abstract: Abstract) -> frozenset[int]:
    """Returns the sentences on which two annotators disagree.

    Only begun entries count. Order, absorbed alternatives, notes and flags do not.
    """
    if not abstract.alignments[1:]:
        return frozenset()
    numbering = Numbering()
    opinions: dict[int, set[object]] = {}
    for alignment in abstract.alignments:
        for entry in alignment.sentences:
            if _has_opinion(entry):
                opinions.setdefault(entry.n, set()).add(_opinion(entry, numbering))
    return frozenset(n for n, held in opinions.items() if len(held) > 1)


def others_of(abstract: Abstract, who: str, n: int) -> tuple[tuple[str, SentenceAlignment], ...]:
    """Returns the other annotators of the abstract, with their entries for sentence `n`."""
    return tuple(
        (alignment.annotator, alignment.of_sentence(n))
        for alignment in abstract.alignments
        if alignment.annotator != who
    )


def same_opinion(one: SentenceAlignment, other: SentenceAlignment) -> bool | None:
    """Returns whether two entries are equivalent; None when one is empty."""
    if not (_has_opinion(one) and _has_opinion(other)):
        return None
    numbering = Numbering()
    return _opinion(one, numbering) == _opinion(other, numbering)


def next_incomplete(
    topics: Sequence[Topic], who: str, topic_id: str, abstract_id: str, n: int
) -> AbstractPlace | None:
    """Returns the next unsettled sentence of `who`, wrapping around; None without any."""
    places = [(topic.id, abstract) for topic in topics for abstract in topic.abstracts]
    here = next(
        (at for at, (topic, abstract) in enumerate(places)
         if (topic, abstract.id) == (topic_id, abstract_id)),
        -1,
    )  # fmt: skip
    for at, (topic, abstract) in enumerate(places[here:] + places[:here] if here >= 0 else places):
        is_loaded = at == 0 and here >= 0
        found = next_unsettled(abstract, who, n if is_loaded else 0)
        if found is not None and not (is_loaded and found == n):
            return AbstractPlace(topic, abstract.id, found)
    return None


def abstract_beside(
    topics: Sequence[Topic], topic_id: str, abstract_id: str, step: int
) -> AbstractPlace | None:
    """Returns the abstract `step` further on, as sentence 0; None behind the last or first one.

    From an unknown position it is the first of all. Topics without abstracts are skipped.
    """
    places = [AbstractPlace(topic.id, one.id, 0) for topic in topics for one in topic.abstracts]
    here = AbstractPlace(topic_id, abstract_id, 0)
    at = places.index(here) + step if here in places else 0
    return places[at] if 0 <= at < len(places) else None


def _has_opinion(entry: SentenceAlignment) -> bool:
    return bool(entry.alternatives) or entry.state is AlignmentState.NO_SOURCE


def _opinion(entry: SentenceAlignment, numbering: Numbering) -> Family | None:
    if entry.state is AlignmentState.NO_SOURCE:
        return None
    return absorbed(numbering.sets(entry.alternatives))

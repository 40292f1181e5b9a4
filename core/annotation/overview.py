"""How far the annotators are, and where two of them do not agree."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice
from typing import NamedTuple

from awase.core.annotation.applying import next_unsettled
from awase.core.annotation.monotone_families import Numbering
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import ids_of, shapes_of
from awase.core.solvers.monotone import Family, absorbed


class AbstractPlace(NamedTuple):
    """An abstract sentence in a corpus."""

    topic_id: str
    abstract_id: str
    n: int


def disagreed(abstract: Abstract) -> frozenset[int]:
    """Returns the numbers of the sentences that two annotators aligned in different ways.

    Who has not begun with a sentence has no opinion of it. The order of alternatives and members,
    alternatives that contain another one, notes and flags do not count.
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
    """Returns everybody but `who` that aligned the abstract, with their entry for sentence `n`."""
    return tuple(
        (alignment.annotator, alignment.of_sentence(n))
        for alignment in abstract.alignments
        if alignment.annotator != who
    )


def same_opinion(one: SentenceAlignment, other: SentenceAlignment) -> bool | None:
    """Returns whether two entries say the same; None when one of them says nothing yet."""
    if not (_has_opinion(one) and _has_opinion(other)):
        return None
    numbering = Numbering()
    return _opinion(one, numbering) == _opinion(other, numbering)


def next_incomplete(
    topics: Sequence[Topic], who: str, topic_id: str, abstract_id: str, n: int
) -> AbstractPlace | None:
    """Returns the next sentence that `who` has not settled; None when there is no other.

    It is looked for in the abstract at hand, then in those behind it, then from the beginning.
    """
    places = [(topic.id, abstract) for topic in topics for abstract in topic.abstracts]
    here = next(
        (at for at, (topic, abstract) in enumerate(places)
         if (topic, abstract.id) == (topic_id, abstract_id)),
        -1,
    )  # fmt: skip
    for at, (topic, abstract) in enumerate(places[here:] + places[:here] if here >= 0 else places):
        is_here = at == 0 and here >= 0
        found = next_unsettled(abstract, who, n if is_here else 0)
        if found is not None and not (is_here and found == n):
            return AbstractPlace(topic, abstract.id, found)
    return None


def abstract_beside(
    topics: Sequence[Topic], topic_id: str, abstract_id: str, step: int
) -> AbstractPlace | None:
    """Returns the place of the abstract `step` further on; None behind the last or first one.

    From where there is no abstract, it is the first of all. Topics without abstracts are passed
    over. Topics that are read on demand are read no further than needed. The sentence is 0.
    """
    ids = ids_of(topics)
    at = ids.index(topic_id) if topic_id in ids else -1
    if at < 0 or not _has(topics[at : at + 1], abstract_id):
        return next(_places(topics, 0, 1), None)
    places = dropwhile(
        lambda place: place.abstract_id != abstract_id, _places(topics, at, 1 if step > 0 else -1)
    )
    return next(islice(places, abs(step), None), None)


def _has(topics: Sequence[Topic], abstract_id: str) -> bool:
    return any(one.id == abstract_id for topic in shapes_of(topics) for one in topic.abstracts)


def _places(topics: Sequence[Topic], at: int, direction: int) -> Iterator[AbstractPlace]:
    """Yields the abstracts from a topic on, or back, looking at ever more topics at once."""
    n = 1
    while 0 <= at < len(topics):
        window = topics[at : at + n] if direction > 0 else topics[max(0, at - n + 1) : at + 1]
        shapes = [*shapes_of(window)]
        for topic in shapes[::direction]:
            for abstract in topic.abstracts[::direction]:
                yield AbstractPlace(topic.id, abstract.id, 0)
        at += direction * n
        n *= 2


def _has_opinion(entry: SentenceAlignment) -> bool:
    return bool(entry.alternatives) or entry.state is AlignmentState.NO_SOURCE


def _opinion(entry: SentenceAlignment, numbering: Numbering) -> Family | None:
    if entry.state is AlignmentState.NO_SOURCE:
        return None
    return absorbed(numbering.sets(entry.alternatives))

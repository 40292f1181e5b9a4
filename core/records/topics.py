"""Several topics: which, by whom, with what in their places."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from awase.core.progress import Reporter
from awase.core.records.topic import Topic

Change = Callable[[Topic], Topic]
"""Makes another topic with the same id, or returns the same."""


def ids_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns the ids of the topics, in their order."""
    return tuple([topic.id for topic in topics])


def annotators_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns everybody who aligned anything, in the order in which they first appear."""
    names = (
        alignment.annotator
        for topic in topics
        for abstract in topic.abstracts
        for alignment in abstract.alignments
    )
    return tuple(dict.fromkeys(names))


def lengths_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns the length classes of abstracts, in the order in which they first appear."""
    lengths = (abstract.length for topic in topics for abstract in topic.abstracts)
    return tuple(length for length in dict.fromkeys(lengths) if length is not None)


def select_topics(topics: Iterable[Topic], ids: Collection[str]) -> tuple[Topic, ...]:
    """Returns those of the topics that have one of these ids, in the order they stand in."""
    wanted = frozenset(ids)
    return tuple([topic for topic in topics if topic.id in wanted])


def map_topics(
    topics: Iterable[Topic], change: Change, only: Collection[str] | None = None
) -> tuple[Topic, ...]:
    """Returns what `change` makes of each topic, or of those with the ids in `only`."""
    if only is None:
        return tuple(map(change, topics))
    return tuple([change(topic) if topic.id in only else topic for topic in topics])


def told_in_turn(topics: Sequence[Topic], reporter: Reporter) -> Iterator[Topic]:
    """Yields the topics one after the other, telling of each how many were before it."""
    for idx, topic in enumerate(topics):
        reporter.advance(idx, len(topics), topic.id)
        yield topic


def with_topics_at(
    topics: Iterable[Topic], places: Iterable[tuple[int, str]], new: Mapping[str, Topic]
) -> tuple[Topic, ...]:
    """Returns the topics with new ones put in, each at its place when those before it are in.

    Args:
        topics: Those that are there.
        places: Of the new ones, with their ids.
        new: Those, by their ids.
    """
    found = [*topics]
    for place, topic_id in places:
        found.insert(place, new[topic_id])
    return tuple(found)


def changed_pairs(old: Iterable[Topic], new: Iterable[Topic]) -> Iterator[tuple[Topic, Topic]]:
    """Yields the topics that both have and that are not the same object, in the new order."""
    known = {topic.id: topic for topic in old}
    for topic in new:
        before = known.get(topic.id)
        if before is not None and before is not topic:
            yield before, topic

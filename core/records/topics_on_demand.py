"""Topics that are read when they are asked for, so that a corpus may be larger than the memory.

They stand where a tuple of topics stands: whoever goes through them one after the other, or asks
for one, need not know. Whoever wants them in portions asks `portions_of`, which takes both.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from threading import RLock
from typing import Final, overload

from awase.core.records.topic import Topic

Read = Callable[[Sequence[str]], Iterable[Topic]]
"""Returns the topics with these ids, in this order; each of them exists."""

ReadShapes = Callable[[Sequence[str]], Iterable[Topic]]
"""Returns these topics, which stand in their order, without their texts, as `shapes_of` tells."""

_AT_ONCE: Final = 100
_ONE_BY_ONE: Final = 3
"""So many are read alone: who looks for the first of some kind often has it then."""
_KEPT: Final = 32


class TopicsOnDemand(Sequence[Topic]):
    """Topics in their order, of which only the ids are held; threads may share it.

    They were checked when they were stored, and are not checked against each other again.

    Attributes:
        ids: Of all of them, in the order in which they are shown.
        at_once: How many are read together by whoever goes through all.
        may_stay: Whether they are so few that all may stay in memory once they were read.
    """

    def __init__(
        self,
        ids: Sequence[str],
        read: Read,
        *,
        read_shapes: ReadShapes | None = None,
        at_once: int = _AT_ONCE,
        kept: int = _KEPT,
        may_stay: bool = False,
    ) -> None:
        """Reads nothing yet.

        Args:
            ids: No two are equal.
            read: Reads some of them.
            read_shapes: Reads the shapes of some, and maybe others; None = there is no quicker way
                to them.
            at_once: How many to read together.
            kept: How many that were asked for one by one are held, those asked for last.
            may_stay: Whether whoever holds an open corpus may keep all of them.
        """
        self.ids: Final = tuple(ids)
        self.at_once: Final = at_once
        self.may_stay: Final = may_stay
        self._read = read
        self._read_shapes = read_shapes
        self._n_kept = kept
        self._kept: OrderedDict[str, Topic] = OrderedDict()
        self._known: frozenset[str] | None = None
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Topic: ...
    @overload
    def __getitem__(self, at: slice) -> "TopicsOnDemand": ...
    def __getitem__(self, at: int | slice) -> "Topic | TopicsOnDemand":
        if isinstance(at, slice):
            return self._with(self.ids[at])
        return self._one(self.ids[at])

    def __iter__(self) -> Iterator[Topic]:
        for topic_id in self.ids[:_ONE_BY_ONE]:
            yield self._one(topic_id)
        for portion in self._portions(_ONE_BY_ONE):
            yield from portion

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return self is other or all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for every collection that is compared

    def portions(self) -> Iterator[tuple[Topic, ...]]:
        """Yields the topics, `at_once` at a time; none of them is held here."""
        return self._portions(0)

    def _portions(self, first: int) -> Iterator[tuple[Topic, ...]]:
        for begin in range(first, len(self.ids), self.at_once):
            ids = self.ids[begin : begin + self.at_once]
            with self._lock:
                read = tuple(self._read(ids))
            yield read

    def by_id(self, topic_id: str) -> Topic | None:
        """Returns the topic with this id, None when there is none or it has gone."""
        if self._known is None:
            self._known = frozenset(self.ids)
        return self._asked_for(topic_id) if topic_id in self._known else None

    def hold(self, topic: Topic) -> None:
        """Holds a topic as it was just written, among those that were asked for last."""
        with self._lock:
            self._kept.pop(topic.id, None)
            self._kept[topic.id] = topic
            if len(self._kept) > self._n_kept:
                self._kept.popitem(last=False)

    def chosen(self, ids: Collection[str]) -> "TopicsOnDemand":
        """Returns those of the topics that have one of these ids, in the order they stand here."""
        wanted = frozenset(ids)
        return self._with(tuple(one for one in self.ids if one in wanted))

    def each(self, change: Callable[[Topic], Topic]) -> "TopicsOnDemand":
        """Returns what `change` makes of each topic, which keeps its id, when it is read."""
        read, shapes = self._read, self._read_shapes
        return TopicsOnDemand(
            self.ids,
            lambda ids: map(change, read(ids)),
            read_shapes=None if shapes is None else lambda ids: map(change, shapes(ids)),
            at_once=self.at_once,
            kept=self._n_kept,
        )

    def joined_by(self, topics: Mapping[str, Topic]) -> "TopicsOnDemand":
        """Returns the topics with some, by their ids, in their places, or behind them."""
        read_old = self._read

        def read(ids: Sequence[str]) -> Iterator[Topic]:
            found = {topic.id: topic for topic in read_old([i for i in ids if i not in topics])}
            found |= topics
            return (found[i] for i in ids if i in found)

        new = dict.fromkeys((*self.ids, *topics))
        return TopicsOnDemand(tuple(new), read, at_once=self.at_once, kept=self._n_kept)

    def reading(self, read: Read) -> "TopicsOnDemand":
        """Returns the same topics, read in another way."""
        return TopicsOnDemand(
            self.ids,
            read,
            read_shapes=self._read_shapes,
            at_once=self.at_once,
            kept=self._n_kept,
            may_stay=self.may_stay,
        )

    def read(self, ids: Sequence[str]) -> tuple[Topic, ...]:
        """Returns some of them as they are now, whether or not they are held."""
        return tuple(self._read(ids))

    def shapes(self) -> Iterator[Topic]:
        """Yields the topics as `shapes_of` tells."""
        if self._read_shapes is None:
            yield from self
            return
        wanted = frozenset(self.ids)
        yield from (topic for topic in self._read_shapes(self.ids) if topic.id in wanted)

    def _with(self, ids: Sequence[str]) -> "TopicsOnDemand":
        return TopicsOnDemand(
            ids, self._read, read_shapes=self._read_shapes, at_once=self.at_once, kept=self._n_kept
        )

    def _one(self, topic_id: str) -> Topic:
        topic = self._asked_for(topic_id)
        if topic is None:
            raise LookupError(topic_id)
        return topic

    def _asked_for(self, topic_id: str) -> Topic | None:
        with self._lock:
            topic = self._kept.get(topic_id) or next(iter(self._read((topic_id,))), None)
            if topic is not None:
                self.hold(topic)
            return topic


def ids_of(topics: Sequence[Topic]) -> tuple[str, ...]:
    """Returns the ids of the topics, in their order, without reading any that is not."""
    if isinstance(topics, TopicsOnDemand):
        return topics.ids
    return tuple(topic.id for topic in topics)


def shapes_of(topics: Sequence[Topic]) -> Iterable[Topic]:
    """Returns the topics as far as their parts' names go, which are quickly read.

    Abstracts have length class and author, alignments their annotators, outputs their systems,
    length classes and whether they have references; whether there is gold can be told, too.
    Documents and sentences may be left out.
    """
    return topics.shapes() if isinstance(topics, TopicsOnDemand) else topics


def annotators_of(topics: Sequence[Topic]) -> tuple[str, ...]:
    """Returns everybody who aligned anything, in the order in which they first appear."""
    names = (
        alignment.annotator
        for topic in shapes_of(topics)
        for abstract in topic.abstracts
        for alignment in abstract.alignments
    )
    return tuple(dict.fromkeys(names))


def lengths_of(topics: Sequence[Topic]) -> tuple[str, ...]:
    """Returns the length classes of abstracts, in the order in which they first appear."""
    lengths = (abstract.length for topic in shapes_of(topics) for abstract in topic.abstracts)
    return tuple(length for length in dict.fromkeys(lengths) if length is not None)


def portions_of(topics: Sequence[Topic]) -> Iterator[Sequence[Topic]]:
    """Yields the topics in portions that fit the memory; those that are in it are one portion."""
    if isinstance(topics, TopicsOnDemand):
        yield from topics.portions()
    elif topics:
        yield topics


def reader_of(topics: Sequence[Topic]) -> Read:
    """Returns what reads some of the topics, each of which exists, by their ids."""
    if isinstance(topics, TopicsOnDemand):
        return topics.read
    by_id = {topic.id: topic for topic in topics}
    return lambda ids: [by_id[one] for one in ids]


def finder_of(topics: Sequence[Topic]) -> Callable[[str], Topic | None]:
    """Returns what finds one of the topics by its id; None = there is none."""
    if isinstance(topics, TopicsOnDemand):
        return topics.by_id
    return {topic.id: topic for topic in topics}.get


def chosen_of(topics: Sequence[Topic], ids: Collection[str]) -> Sequence[Topic]:
    """Returns those of the topics that have one of these ids, in the order they stand in."""
    if isinstance(topics, TopicsOnDemand):
        return topics.chosen(ids)
    wanted = frozenset(ids)
    return tuple(topic for topic in topics if topic.id in wanted)


def each_of(topics: Sequence[Topic], change: Callable[[Topic], Topic]) -> Sequence[Topic]:
    """Returns what `change` makes of each topic, which keeps its id."""
    if isinstance(topics, TopicsOnDemand):
        return topics.each(change)
    return tuple(map(change, topics))

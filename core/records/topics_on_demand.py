"""Topics that are read when they are asked for, so that a corpus may be larger than the memory.

They stand where a tuple of topics stands: whoever goes through them one after the other, or asks
for one, need not know. Whoever wants them in portions asks `portions_of`, which takes both.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from threading import RLock
from typing import Final, NamedTuple, overload

from awase.core.progress import Reporter
from awase.core.records.topic import Topic

Read = Callable[[Sequence[str]], Iterable[Topic]]
"""Returns the topics with these ids, in this order; each of them exists."""

ReadShapes = Callable[[Sequence[str]], Iterable[Topic]]
"""Returns these topics, which stand in their order, without their texts, as `shapes_of` tells."""

Change = Callable[[Topic], Topic]
"""Makes another topic with the same id, or the same."""

_AT_ONCE: Final = 100
_ONE_BY_ONE: Final = 3
"""So many are read alone: who looks for the first of some kind often has it then."""
_KEPT: Final = 32


class _MadeOf(NamedTuple):
    """Of which topics others were made, how, and which of them may be changed."""

    topics: "TopicsOnDemand"
    change: Change
    changed: frozenset[str]


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
        self._made_of: _MadeOf | None = None
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

    def each(self, change: Change, only: Collection[str] | None = None) -> "TopicsOnDemand":
        """Returns what `change` makes of each topic, which keeps its id, when it is read.

        Args:
            change: A pure function.
            only: Ids of the topics that it is asked about; None = all.
        """
        read, shapes = self._read, self._read_shapes
        asked = frozenset(self.ids if only is None else only)

        def changed(topic: Topic) -> Topic:
            return change(topic) if topic.id in asked else topic

        made = TopicsOnDemand(
            self.ids,
            lambda ids: map(changed, read(ids)),
            read_shapes=None if shapes is None else lambda ids: map(changed, shapes(ids)),
            at_once=self.at_once,
            kept=self._n_kept,
        )
        before = self._made_of
        if before is None:
            made._made_of = _MadeOf(self, changed, asked)
        else:
            first = before.change
            made._made_of = _MadeOf(
                before.topics, lambda topic: changed(first(topic)), before.changed | asked
            )
        return made

    def pairs_with(self, new: "TopicsOnDemand") -> Iterator[tuple[Topic, Topic]] | None:
        """Yields the topics of which `new` was made with what they became, if it was of these.

        Those that nobody changed are left out; None = it was made of others.
        """
        made_of = new._made_of
        if made_of is None or made_of.topics is not self:
            return None
        asked = self.chosen(made_of.changed.intersection(new.ids))
        return ((topic, made_of.change(topic)) for portion in asked.portions() for topic in portion)

    def joined_by(self, topics: Mapping[str, Topic]) -> "TopicsOnDemand":
        """Returns the topics with some, by their ids, in their places, or behind them."""
        return self.placed(tuple(dict.fromkeys((*self.ids, *topics))), topics)

    def placed(self, ids: Sequence[str], topics: Mapping[str, Topic]) -> "TopicsOnDemand":
        """Returns the topics with these ids, some of which are given."""
        read_old = self._read

        def read(ids: Sequence[str]) -> Iterator[Topic]:
            old = [i for i in ids if i not in topics]
            found = {topic.id: topic for topic in read_old(old)} if old else {}
            found |= {i: topics[i] for i in ids if i in topics}
            return (found[i] for i in ids if i in found)

        made = TopicsOnDemand(ids, read, at_once=self.at_once, kept=self._n_kept)
        before = self._made_of or _MadeOf(self, _as_it_is, frozenset())
        made._made_of = _MadeOf(
            before.topics,
            lambda topic: topics.get(topic.id) or before.change(topic),
            before.changed | topics.keys(),
        )
        return made

    def told(self, reporter: Reporter) -> "TopicsOnDemand":
        """Returns the same topics, which tell the reporter whenever some of them are read.

        Whoever goes through all of them several times tells it as often.
        """
        n_read, shapes = 0, self._read_shapes

        def read(ids: Sequence[str]) -> Iterable[Topic]:
            nonlocal n_read
            for topic_id in ids[:1]:
                reporter.advance(n_read % len(self), len(self), topic_id)
            n_read += len(ids)
            return self._read(ids)

        def told_shapes(ids: Sequence[str]) -> Iterator[Topic]:
            for idx, shape in enumerate(shapes(ids) if shapes else ()):
                reporter.advance(idx % len(self), len(self), shape.id)
                yield shape

        return self.reading(read, None if shapes is None else told_shapes)

    def reading(self, read: Read, read_shapes: ReadShapes | None = None) -> "TopicsOnDemand":
        """Returns the same topics, read in another way; None = their shapes as before."""
        return TopicsOnDemand(
            self.ids,
            read,
            read_shapes=read_shapes or self._read_shapes,
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
        part = TopicsOnDemand(
            ids, self._read, read_shapes=self._read_shapes, at_once=self.at_once, kept=self._n_kept
        )
        part._made_of = self._made_of or _MadeOf(self, _as_it_is, frozenset())
        return part

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


def on_demand(topics: Sequence[Topic]) -> TopicsOnDemand:
    """Returns the topics as if they were read when they are asked for."""
    if isinstance(topics, TopicsOnDemand):
        return topics
    read = reader_of(topics)
    return TopicsOnDemand(ids_of(topics), read, read_shapes=read)


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


def told_in_turn(topics: Sequence[Topic], reporter: Reporter) -> Iterator[Topic]:
    """Yields the topics one after the other, telling of each how many were before it.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    for idx, topic in enumerate(topics):
        reporter.advance(idx, len(topics), topic.id)
        yield topic


def telling(topics: Sequence[Topic], reporter: Reporter) -> Sequence[Topic]:
    """Returns the topics; each that is read on demand tells how many stand before it.

    Whoever reads them raises what the reporter does. They may be gone through several times.
    """
    if not isinstance(topics, TopicsOnDemand):
        return topics
    places = {topic_id: idx for idx, topic_id in enumerate(topics.ids)}

    def tell(topic: Topic) -> Topic:
        reporter.advance(places[topic.id], len(places), topic.id)
        return topic

    return topics.each(tell)


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


def each_of(
    topics: Sequence[Topic], change: Change, only: Collection[str] | None = None
) -> Sequence[Topic]:
    """Returns what `change` makes of each topic, or of some, which keep their ids."""
    if isinstance(topics, TopicsOnDemand):
        return topics.each(change, only)
    if only is None:
        return tuple(map(change, topics))
    return tuple(change(topic) if topic.id in only else topic for topic in topics)


def some_of(topics: Sequence[Topic], ids: Collection[str]) -> Iterator[Topic]:
    """Yields those of the topics that have one of these ids, in the order they stand in."""
    return chain.from_iterable(portions_of(chosen_of(topics, ids)))


def with_topics_at(
    topics: Sequence[Topic], places: Iterable[tuple[int, str]], new: Mapping[str, Topic]
) -> Sequence[Topic]:
    """Returns the topics with new ones put in, each at its place when those before it are in.

    Args:
        topics: Those that are there.
        places: Of the new ones, with their ids.
        new: Those, by their ids.
    """
    ids = [*ids_of(topics)]
    for place, topic_id in places:
        ids.insert(place, topic_id)
    if isinstance(topics, TopicsOnDemand):
        return topics.placed(ids, new)
    by_id = {topic.id: topic for topic in topics}
    return tuple(new[one] if one in new else by_id[one] for one in ids)


def pairs_of(old: Sequence[Topic], new: Sequence[Topic]) -> Iterator[tuple[Topic, Topic]]:
    """Yields the topics that both have, as they are in one and in the other, in the new order.

    Where topics were made of others, those that nobody changed are left out.
    """
    if old is new:
        return
    if isinstance(old, TopicsOnDemand) and isinstance(new, TopicsOnDemand):
        pairs = old.pairs_with(new)
        if pairs is not None:
            yield from pairs
            return
    known = frozenset(ids_of(old))
    read = reader_of(old)
    for portion in portions_of(new):
        both = [topic for topic in portion if topic.id in known]
        yield from zip(read([topic.id for topic in both]), both, strict=True)


def _as_it_is(topic: Topic) -> Topic:
    return topic

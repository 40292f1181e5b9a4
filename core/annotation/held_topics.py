"""The topics of an open corpus: all in memory, or those that were asked for.

What is handed out stays what it was: whoever computes on another thread sees no edit that is made
meanwhile, as if every topic were in memory.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol
from weakref import WeakSet

from awase.core.errors import EnvironmentProblem
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand

_KEPT: Final = 32


class HeldTopics(Protocol):
    """Topics by their ids, of which one after the other is edited."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
        ...

    @property
    def are_here(self) -> bool:
        """Whether all are in memory."""
        ...

    def get(self, topic_id: str) -> Topic | None:
        """Returns the topic; None when there is none."""
        ...

    def all(self) -> Sequence[Topic]:
        """Returns all topics as they are now, and as they will stay."""
        ...

    def before_change(self, topic_id: str) -> None:
        """Keeps the topic, which is about to be written, for those who were given it."""
        ...

    def put(self, topic: Topic) -> None:
        """Takes a topic as it was written."""
        ...

    def end(self) -> None:
        """Takes notice that many topics are about to be written, or that nothing more is asked."""
        ...


def held(topics: Sequence[Topic]) -> HeldTopics:
    """Returns what holds the topics; those on demand are read as they are needed."""
    return StoredTopics(topics) if isinstance(topics, TopicsOnDemand) else AllTopics(topics)


class AllTopics:
    """Topics that are all in memory."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._by_id: dict[str, Topic] = {topic.id: topic for topic in topics}

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
        return tuple(self._by_id)

    @property
    def are_here(self) -> bool:
        """Whether all are in memory."""
        return True

    def get(self, topic_id: str) -> Topic | None:
        """Returns the topic; None when there is none."""
        return self._by_id.get(topic_id)

    def all(self) -> tuple[Topic, ...]:
        """Returns all topics as they are now, and as they will stay."""
        return tuple(self._by_id.values())

    def before_change(self, topic_id: str) -> None:
        """Keeps the topic for those who were given it."""

    def put(self, topic: Topic) -> None:
        """Takes a topic as it was written."""
        self._by_id[topic.id] = topic

    def end(self) -> None:
        """Takes notice that many topics are about to be written."""


class StoredTopics:
    """Topics that are read when they are needed; of many, those asked for last are held."""

    def __init__(self, stored: TopicsOnDemand) -> None:
        """Reads through `stored`, whose own reader tells what is stored at that moment."""
        self._stored = stored
        self._known = frozenset(stored.ids)
        self._kept: OrderedDict[str, Topic] = OrderedDict()
        self._given: WeakSet[_View] = WeakSet()
        self._now: Sequence[Topic] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
        return self._stored.ids

    @property
    def are_here(self) -> bool:
        """Whether all are in memory."""
        return self._stored.may_stay and len(self._kept) == len(self._known)

    def get(self, topic_id: str) -> Topic | None:
        """Returns the topic; None when there is none."""
        if topic_id not in self._known:
            return None
        found = self._read([topic_id])
        if found:
            self._keep(found[0])
        return found[0] if found else None

    def all(self) -> Sequence[Topic]:
        """Returns all topics as they are now, and as they will stay."""
        if isinstance(self._now, TopicsOnDemand) and self.are_here:
            self._now = None
        if self._now is None:
            self._now = self._all_kept() if self.are_here else self._view()
        return self._now

    def before_change(self, topic_id: str) -> None:
        """Keeps the topic for those who were given it."""
        topic = self.get(topic_id)
        if topic is not None:
            for view in self._given:
                view.keep(topic)
        self._now = None

    def put(self, topic: Topic) -> None:
        """Takes a topic as it was written."""
        self._keep(topic)

    def end(self) -> None:
        """Takes notice that many topics are about to be written."""
        for view in self._given:
            for topic in self._all_kept() if self.are_here else ():
                view.keep(topic)
            view.end()
        self._now = None

    def _all_kept(self) -> tuple[Topic, ...]:
        return tuple(self._kept[topic_id] for topic_id in self.ids)

    def _view(self) -> TopicsOnDemand:
        view = _View(self._read)
        self._given.add(view)
        return self._stored.reading(view.read)

    def _keep(self, topic: Topic) -> None:
        self._kept[topic.id] = topic
        self._kept.move_to_end(topic.id)
        if len(self._kept) > _KEPT and not self._stored.may_stay:
            self._kept.popitem(last=False)

    def _read(self, ids: Sequence[str]) -> Sequence[Topic]:
        """Returns the topics as they are now; any thread may ask.

        Whoever is about to write a topic has it kept before, so that none that was read earlier
        takes the place of what was written.
        """
        found = {one: topic for one in ids if (topic := self._kept.get(one)) is not None}
        missing = [one for one in ids if one not in found]
        for topic in self._stored.read(missing) if missing else ():
            may_stay = self._stored.may_stay
            found[topic.id] = self._kept.setdefault(topic.id, topic) if may_stay else topic
        return [found[one] for one in ids if one in found]


class _View:
    """Reads topics as they were at one moment: what is written later is kept as it was."""

    def __init__(self, read: Callable[[Sequence[str]], Sequence[Topic]]) -> None:
        self._read = read
        self._before: dict[str, Topic] = {}
        self._has_ended = False

    def keep(self, topic: Topic) -> None:
        """Goes on giving a topic as it is, which is about to be written."""
        self._before.setdefault(topic.id, topic)

    def end(self) -> None:
        """Gives nothing more."""
        self._has_ended = True

    def read(self, ids: Sequence[str]) -> Sequence[Topic]:
        if self._has_ended and all(one in self._before for one in ids):
            return [self._before[one] for one in ids]  # all were in memory at the end
        read = self._read(ids)
        # What was written while it was read is known by now: it is told before it is written.
        if self._has_ended:
            raise EnvironmentProblem(
                "The corpus was changed as a whole while its topics were read.", "Begin again."
            )
        return [self._before.get(topic.id, topic) for topic in read]

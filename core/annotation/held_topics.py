"""The topics of an open corpus: all in memory, or of many those that are asked for.

What is handed out stays what it was: whoever computes on another thread sees no edit that is made
meanwhile, as if every topic were in memory.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol
from weakref import WeakSet

from awase.core.errors import EnvironmentProblem
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand


class HeldTopics(Protocol):
    """Topics by their ids, of which one after the other is edited."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
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
    return LargeTopics(topics) if isinstance(topics, TopicsOnDemand) else AllTopics(topics)


class AllTopics:
    """Topics that are all in memory."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._by_id: dict[str, Topic] = {topic.id: topic for topic in topics}

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
        return tuple(self._by_id)

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


class LargeTopics:
    """Topics that are read when they are needed; those asked for last are held."""

    def __init__(self, stored: TopicsOnDemand) -> None:
        """Reads through `stored`, whose own reader tells what is stored at that moment."""
        self._stored = stored.reading(stored.read)
        self._given: WeakSet[_View] = WeakSet()
        self._now: TopicsOnDemand | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all, in the order in which they are shown."""
        return self._stored.ids

    def get(self, topic_id: str) -> Topic | None:
        """Returns the topic; None when there is none."""
        return self._stored.by_id(topic_id)

    def all(self) -> TopicsOnDemand:
        """Returns all topics as they are now, and as they will stay."""
        if self._now is None:
            view = _View(self._stored.read)
            self._given.add(view)
            self._now = self._stored.reading(view.read)
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
        self._stored.hold(topic)

    def end(self) -> None:
        """Takes notice that many topics are about to be written."""
        for view in self._given:
            view.end()
        self._now = None


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
        read = self._read(ids)
        # What was written while it was read is known by now: it is told before it is written.
        if self._has_ended:
            raise EnvironmentProblem(
                "The corpus was changed as a whole while its topics were read.", "Begin again."
            )
        return [self._before.get(topic.id, topic) for topic in read]

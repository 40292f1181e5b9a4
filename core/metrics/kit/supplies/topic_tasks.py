"""Topics as pieces of work, each read when it is its turn."""

from collections.abc import Iterator, Sequence
from itertools import tee
from typing import overload

from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.records.topic import Topic


class TopicTasks(Sequence[tuple[Topic, Supplies]]):
    """Each topic with what work on it alone needs, read when it is its turn."""

    def __init__(self, topics: Sequence[Topic], supplies: Supplies) -> None:
        """Reads nothing yet; the supplies are those of all topics."""
        self._topics, self._supplies = topics, supplies

    def __len__(self) -> int:
        return len(self._topics)

    @overload
    def __getitem__(self, at: int) -> tuple[Topic, Supplies]: ...
    @overload
    def __getitem__(self, at: slice) -> "TopicTasks": ...
    def __getitem__(self, at: int | slice) -> "tuple[Topic, Supplies] | TopicTasks":
        if isinstance(at, slice):
            return TopicTasks(self._topics[at], self._supplies)
        return next(iter(self[at : at + 1]))

    def __iter__(self) -> Iterator[tuple[Topic, Supplies]]:
        topics, shared = tee(self._topics)
        return zip(topics, self._supplies.shares(shared), strict=True)

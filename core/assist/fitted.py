"""What suggesters rest on: fitted weights, and what was read from the topic the annotator is in."""

from collections.abc import Callable
from typing import Generic, TypeVar

from awase.core.assist.weights import FamilyWeights, shipped_weights
from awase.core.records.source import Document
from awase.core.records.topic import Topic

Read = TypeVar("Read")


class Fitted(Generic[Read]):
    """Reads a topic's documents once, until it is asked for other documents.

    Attributes:
        weights: Of a suggester's features.
    """

    def __init__(self, weights: FamilyWeights | None, read: Callable[[Topic], Read]) -> None:
        """Reads nothing yet.

        Args:
            weights: Fitted ones; None = those that come with the program.
            read: Returns what suggestions for a topic rest on.
        """
        self.weights = weights or shipped_weights()
        self._read = read
        self._last: tuple[tuple[Document, ...], Read] | None = None

    def reading(self, topic: Topic) -> Read:
        """Returns what was read from the topic; its alignments may change meanwhile."""
        if self._last is None or self._last[0] is not topic.documents:
            self._last = topic.documents, self._read(topic)
        return self._last[1]

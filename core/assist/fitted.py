"""What suggesters share: fitted weights, and what was read from the topic the annotator is in."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from awase.core.assist.weights import FamilyWeights, shipped_weights
from awase.core.records.source import Document
from awase.core.records.topic import Topic

Read = TypeVar("Read")


class FittedSuggester(ABC, Generic[Read]):
    """Reads a topic's documents once, until it is asked about other documents.

    Attributes:
        weights: Of its features.
    """

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = those that come with the program."""
        self.weights = weights or shipped_weights()
        self._last: tuple[tuple[Document, ...], Read] | None = None

    def read(self, topic: Topic) -> Read:
        """Returns what suggestions for the topic rest on; alignments may change meanwhile."""
        if self._last is None or self._last[0] is not topic.documents:
            self._last = topic.documents, self._read_anew(topic)
        return self._last[1]

    @abstractmethod
    def _read_anew(self, topic: Topic) -> Read: ...

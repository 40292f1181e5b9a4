"""What was last made of a topic, kept while the annotator stays in it."""

from collections.abc import Callable
from typing import Generic, TypeVar

from awase.core.records.source import Document
from awase.core.records.topic import Topic

Made = TypeVar("Made")


class LastTopic(Generic[Made]):
    """Makes something of a topic's documents once, until it is asked for other documents."""

    def __init__(self, make: Callable[[Topic], Made]) -> None:
        self._make = make
        self._kept: tuple[tuple[Document, ...], Made] | None = None

    def of(self, topic: Topic) -> Made:
        """Returns what is made of the topic; alignments may change without its being made anew."""
        if self._kept is None or self._kept[0] is not topic.documents:
            self._kept = topic.documents, self._make(topic)
        return self._kept[1]

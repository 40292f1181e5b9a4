"""What the signature of a mean says of the topics that it is over."""

from collections.abc import Iterable, Mapping

from awase.core.metrics.kit.signature import named
from awase.core.records.topic import Topic


class TopicsOfMeans:
    """The topics of a corpus, or of the part of it that is scored, by length class."""

    def __init__(self, topics: Iterable[Topic] = ()) -> None:
        """Takes the topics, or their shapes; whoever scores in portions adds them."""
        self._by_length: dict[str | None, dict[str, None]] = {}
        self.add(topics)

    def add(self, topics: Iterable[Topic]) -> None:
        """Takes further topics, or their shapes."""
        found = self._by_length
        for topic in topics:
            for abstract in topic.abstracts:
                found.setdefault(abstract.length, {})[topic.id] = None
            for output in topic.outputs:
                if output.references is not None:
                    found.setdefault(output.length, {})[topic.id] = None

    def facts(self, length: str | None) -> Mapping[str, str]:
        """Returns the facts that the signature of a mean of this length class tells.

        The topics are those that have something to be compared with, whatever was compared: the
        same whichever systems are scored.
        """
        return {"topics": named(self._by_length.get(length, ()))}

"""What the signature of a mean says of the topics that it is over."""

from collections.abc import Mapping
from functools import cached_property

from awase.core.metrics.kit.signature import named
from awase.core.records.corpus import Corpus
from awase.core.records.topics_on_demand import shapes_of


class TopicsOfMeans:
    """The topics of a corpus, or of the part of it that is scored, by length class."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def facts(self, length: str | None) -> Mapping[str, str]:
        """Returns the facts that the signature of a mean of this length class tells.

        The topics are those that have something to be compared with, whatever was compared: the
        same whichever systems are scored.
        """
        return {"topics": named(self._by_length.get(length, ()))}

    @cached_property
    def _by_length(self) -> dict[str | None, dict[str, None]]:
        found: dict[str | None, dict[str, None]] = {}
        for topic in shapes_of(self._corpus.topics):
            for abstract in topic.abstracts:
                found.setdefault(abstract.length, {})[topic.id] = None
            for output in topic.outputs:
                if output.references is not None:
                    found.setdefault(output.length, {})[topic.id] = None
        return found

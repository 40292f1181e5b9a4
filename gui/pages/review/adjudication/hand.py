"""Position while composing a gold entry: source sentence and alternative."""

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.annotation.candidates import TopicIndex
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic


class Hand:
    """Position within a case; another case starts at its first sentence.

    Attributes:
        lists_all: Whether all source sentences are listed, or those that somebody linked.
        refs: The listed source sentences, in document order.
        ref: The current one; None = none.
    """

    def __init__(self) -> None:
        self.lists_all = False
        self.refs: tuple[SentenceRef, ...] = ()
        self.ref: SentenceRef | None = None
        self._key: tuple[str, str, int] | None = None
        self._alternative_idx: int | None = None
        self._index: tuple[Topic, TopicIndex] | None = None

    def hold(self, case: AdjudicationCase, topic: Topic) -> None:
        """Sets the case."""
        if self._key != case.key:
            self._key, self._alternative_idx, self.ref = case.key, None, None
        linked = {ref for entry in case.entries.values() for ref in entry.refs()}
        linked |= set(case.gold.entry.refs()) if case.gold else set()
        self.refs = tuple(
            ref
            for ref, _ in topic.sentences()
            if self.lists_all or ref in linked or ref == self.ref
        )
        if self.ref not in self.refs:
            self.ref = next(
                (ref for ref in self.refs if ref in linked), next(iter(self.refs), None)
            )

    def move(self, step: int) -> None:
        """Moves within the list."""
        if self.ref in self.refs:
            at = self.refs.index(self.ref) + step
            self.ref = self.refs[min(max(at, 0), len(self.refs) - 1)]

    def alternative_of(self, case: AdjudicationCase) -> int:
        """Returns the index of the alternative being composed: the last, or a new one."""
        n = len(case.gold.entry.alternatives) if case.gold else 0
        at = max(n - 1, 0) if self._alternative_idx is None else self._alternative_idx
        self._alternative_idx = min(at, n)
        return self._alternative_idx

    def begin_alternative(self, case: AdjudicationCase) -> None:
        """Starts a new alternative with the next source sentence."""
        self._alternative_idx = len(case.gold.entry.alternatives) if case.gold else 0

    def index_of(self, topic: Topic) -> TopicIndex:
        """Returns the topic's index, cached until its texts change."""
        if self._index is None or self._index[0] is not topic:
            self._index = (topic, TopicIndex(topic))
        return self._index[1]

"""Representatives of near-duplicate source sentences."""

from awase.core.annotation.candidates.topic_index import TopicIndex
from awase.core.annotation.monotone_families import Numbering
from awase.core.records.identifiers import SentenceRef


class Representatives:
    """One sentence for each group of near-duplicates (transitively closed), by number."""

    def __init__(self, index: TopicIndex, numbering: Numbering) -> None:
        self._index = index
        self._numbering = numbering
        self._known: dict[int, int] = {}

    def representative_of(self, number: int) -> int:
        """Returns the representative of sentence `number`."""
        if number not in self._known:
            (ref,) = self._numbering.refs(1 << number)
            group = self._group(ref)
            numbers = [self._numbering.number(one) for one in group]
            self._known.update(dict.fromkeys(numbers, min(numbers)))
        return self._known[number]

    def _group(self, ref: SentenceRef) -> set[SentenceRef]:
        group, waiting = {ref}, [ref]
        while waiting:
            new = set(self._index.near_duplicates(waiting.pop())) - group
            group |= new
            waiting += new
        return group

"""Incremental search over every sentence, copied lazily."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, NamedTuple

from awase.core.records.abstract import AbstractSentence
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.script import folded

_STRIDE: Final = 256  # sentences between two looks at the clock


class FoundSentence(NamedTuple):
    """A sentence and where it is."""

    topic_id: str
    abstract_id: str | None  # of its abstract; None for a source sentence
    at: int | SentenceRef
    text: str


@dataclass(slots=True)
class _Block:
    """A run of sentences of one abstract or document, and their folded texts once searched."""

    topic_id: str
    abstract_id: str | None
    document_id: str
    sentences: Sequence[AbstractSentence] | Sequence[SourceSentence]
    folded: list[str] = field(default_factory=list)

    def sentence(self, idx: int) -> FoundSentence:
        found = self.sentences[idx]
        at = SentenceRef(self.document_id, found.n) if self.abstract_id is None else found.n
        return FoundSentence(self.topic_id, self.abstract_id, at, found.text)

    def search(self, needle: str) -> list[int]:
        if not self.folded:
            self.folded = [folded(sentence.text) for sentence in self.sentences]
        return [idx for idx, text in enumerate(self.folded) if needle in text]


class Sentences:
    """All sentences of the given topics: of each topic the abstracts first, then the documents."""

    def __init__(self, topics: Iterable[Topic] = ()) -> None:
        self._blocks = [block for topic in topics for block in _blocks_of(topic)]
        self._starts: list[int] = []
        count = 0
        for block in self._blocks:
            self._starts.append(count)
            count += len(block.sentences)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, idx: int) -> FoundSentence:
        at = bisect_right(self._starts, idx) - 1
        return self._blocks[at].sentence(idx - self._starts[at])

    @property
    def n_blocks(self) -> int:
        """Number of blocks that a search goes through."""
        return len(self._blocks)

    def search(self, needle: str, begin: int, budget_s: float) -> tuple[list[int], int]:
        """Returns the matches from block `begin` on, within `budget_s`, and the next block."""
        # Texts are case-folded lazily, so that nobody waits before the first search.
        end_s = perf_counter() + budget_s
        found: list[int] = []
        at = begin
        while at < len(self._blocks):
            start = self._starts[at]
            found += [start + idx for idx in self._blocks[at].search(needle)]
            at += 1
            if perf_counter() > end_s:
                break
        return found, at


def _blocks_of(topic: Topic) -> Iterator[_Block]:
    for abstract in topic.abstracts:
        for begin in range(0, len(abstract.sentences), _STRIDE):
            part = abstract.sentences[begin : begin + _STRIDE]
            yield _Block(topic.id, abstract.id, "", part)
    for document in topic.documents:
        for begin in range(0, len(document.sentences), _STRIDE):
            sources = document.sentences[begin : begin + _STRIDE]
            yield _Block(topic.id, None, document.id, sources)

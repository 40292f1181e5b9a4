"""Every sentence of a corpus, searched a slice at a time; nothing is copied before it is needed."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, NamedTuple, Protocol

from awase.core.records.abstract import AbstractSentence
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.text_search import folded
from awase.storage.rows.sentences import StoredSentence

MOST_FOUND: Final = 10_000
"""Of a large corpus so many are shown: more would fill the memory, and nobody reads them."""
TOPICS_AT_ONCE: Final = 5
_STRIDE: Final = 256
"""Sentences between two looks at the clock."""


class Sentence(NamedTuple):
    """A sentence and where it is.

    Attributes:
        topic_id: Of its topic.
        abstract_id: Of its abstract; None for a source sentence.
        at: Number in the abstract, or the source sentence's address.
        text: As it is shown.
    """

    topic_id: str
    abstract_id: str | None
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

    def sentence(self, idx: int) -> Sentence:
        found = self.sentences[idx]
        at = SentenceRef(self.document_id, found.n) if self.abstract_id is None else found.n
        return Sentence(self.topic_id, self.abstract_id, at, found.text)

    def search(self, needle: str) -> list[int]:
        if not self.folded:
            self.folded = [folded(sentence.text) for sentence in self.sentences]
        return [idx for idx, text in enumerate(self.folded) if needle in text]


class Sentences:
    """All sentences of the topics given: of each topic the abstracts first, then the documents."""

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

    def __getitem__(self, idx: int) -> Sentence:
        at = bisect_right(self._starts, idx) - 1
        return self._blocks[at].sentence(idx - self._starts[at])

    @property
    def n_blocks(self) -> int:
        """How many blocks a search goes through."""
        return len(self._blocks)

    def search(self, needle: str, begin: int, budget_s: float) -> tuple[list[int], int]:
        """Returns which sentences from block `begin` on have `needle`, and where to go on.

        Texts are folded when they are searched first, so nobody waits before the first search.
        """
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


class Candidates(Protocol):
    """What knows in which topics something may be found."""

    def candidates(self, needle: str) -> Sequence[str] | None:
        """Returns them in their order; None = in any."""
        ...


class StoredSentences:
    """Sentences of topics that are read when they are searched; what was found is held."""

    def __init__(
        self, topics: Sequence[str], read: Callable[[Sequence[str]], Iterable[StoredSentence]]
    ) -> None:
        """Searches the topics with these ids."""
        self._topics, self._read = topics, read
        self._chosen = topics
        self._index: Candidates | None = None
        self._found: list[Sentence] = []

    def take_index(self, index: Candidates | None) -> None:
        """Asks `index` from the next search on which topics are worth reading."""
        self._index = index

    def __len__(self) -> int:
        return 0

    def __getitem__(self, idx: int) -> Sentence:
        return self._found[idx]

    @property
    def n_blocks(self) -> int:
        """How many blocks a search goes through, at most."""
        return 0 if len(self._found) >= MOST_FOUND else len(self._chosen)

    def search(self, needle: str, begin: int, budget_s: float) -> tuple[list[int], int]:
        """As that of `Sentences`; it ends when `MOST_FOUND` were found."""
        end_s = perf_counter() + budget_s
        if begin == 0:
            self._found = []
            chosen = None if self._index is None else self._index.candidates(needle)
            self._chosen = self._topics if chosen is None else chosen
        first, at = len(self._found), begin
        while at < self.n_blocks:
            for one in self._read(self._chosen[at : at + TOPICS_AT_ONCE]):
                if needle in folded(one.text) and len(self._found) < MOST_FOUND:
                    self._found.append(_placed(one))
            at = min(at + TOPICS_AT_ONCE, len(self._chosen))
            if perf_counter() > end_s:
                break
        return [*range(first, len(self._found))], at


def _placed(stored: StoredSentence) -> Sentence:
    document, n = stored.document, stored.n
    at = n if document is None else SentenceRef(document, n)
    return Sentence(stored.topic, stored.abstract, at, stored.text)


def _blocks_of(topic: Topic) -> Iterator[_Block]:
    for abstract in topic.abstracts:
        for begin in range(0, len(abstract.sentences), _STRIDE):
            part = abstract.sentences[begin : begin + _STRIDE]
            yield _Block(topic.id, abstract.id, "", part)
    for document in topic.documents:
        for begin in range(0, len(document.sentences), _STRIDE):
            sources = document.sentences[begin : begin + _STRIDE]
            yield _Block(topic.id, None, document.id, sources)

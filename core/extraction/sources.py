"""A topic's sentences as extractors see them: in order, as bags of tokens, with scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING

from awase.core.extraction.background import Frequencies
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.text.tokens.tokeniser_choice import cut_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source sentence that may be extracted.

    Attributes:
        ref: Its address.
        text: Not blank.
        place: Its place in its document, from 0.
    """

    ref: SentenceRef
    text: str
    place: int


def sources_by_date(topic: Topic) -> list[Source]:
    """Returns the sentences, documents by date ascending, those without a date last."""
    return [
        Source(ref=SentenceRef(document.id, sentence.n), text=sentence.text, place=place)
        for document in sorted(topic.documents, key=_date)
        for place, sentence in enumerate(document.sentences)
        if sentence.text.strip()
    ]


def _date(document: Document) -> tuple[bool, str]:
    return not document.date, document.date or ""


class Bags:
    """The sentences of a topic as bags of tokens.

    Attributes:
        sources: In the order in which ties are settled: the earlier one wins.
        scores: (n_sentences,) importance S of equation 9.
    """

    def __init__(self, sources: Sequence[Source], tokeniser: str, frequencies: Frequencies) -> None:
        tokens_of, _ = cut_of(tokeniser)
        self.sources = sources
        self.counts = [Counter(tokens_of(source.text)) for source in sources]
        self.scores = _importance(self.counts, frequencies)

    @cached_property
    def best_first(self) -> list[int]:
        """Indices of the sentences by falling score."""
        return sorted(range(len(self.scores)), key=lambda idx: -self.scores[idx])

    def unit_vectors(self, sentences: Sequence[int]) -> "Floats":
        """Returns (n, n_tokens) raw counts, each row of length 1; of no tokens, all 0."""
        import numpy as np

        columns: dict[str, int] = {}
        for idx in sentences:
            for token in self.counts[idx]:
                columns.setdefault(token, len(columns))
        vectors = np.zeros((len(sentences), max(1, len(columns))))
        for row, idx in enumerate(sentences):
            for token, count in self.counts[idx].items():
                vectors[row, columns[token]] = count
        norms = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        np.divide(vectors, norms, out=vectors, where=norms > 0)
        return vectors


def _importance(counts: Sequence[Counter[str]], frequencies: Frequencies) -> list[float]:
    """Returns S(s) = sum over the tokens t of s of tf(t, DS) log(|DB| / df(t)).

    A token that s repeats counts each time, and nothing is divided by the length of s.

    Source: Hirao et al. (2004), equations 9 and 10.
    """
    total: Counter[str] = Counter()
    for of_sentence in counts:
        total.update(of_sentence)
    n = frequencies.n_documents
    weight = {
        token: tf * log(n / frequencies.document_frequency(token)) for token, tf in total.items()
    }
    return [
        sum(count * weight[token] for token, count in of_sentence.items()) for of_sentence in counts
    ]

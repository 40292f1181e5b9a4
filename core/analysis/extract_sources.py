"""A topic's sentences as extractors see them: in order, as bags of tokens, with scores."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING

from awase.core.errors import CorpusFormatError, Listing
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.dates import readings_of_date
from awase.core.text.tokenisers import known_tokenisers, tokeniser_called, tokeniser_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source sentence that may be extracted.

    Attributes:
        place: Its position in its document, from 0.
    """

    ref: SentenceRef
    text: str
    place: int


def sources_by_date(topic: Topic) -> list[Source]:
    """Returns the sentences, documents by date ascending, undated ones last."""
    return [
        Source(ref=SentenceRef(document.id, sentence.n), text=sentence.text, place=place)
        for document in sorted(topic.documents, key=_date)
        for place, sentence in enumerate(document.sentences)
        if sentence.text.strip()
    ]


def _date(document: Document) -> tuple[int, str]:
    readings = readings_of_date(document.date or "")
    if len(readings) == 1:
        return 0, readings[0]
    return (1, document.date) if document.date else (2, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """Document frequencies under one tokeniser."""

    n_documents: int  # |DB|, at least 1
    by_token: Mapping[str, int]  # df(t), 1 to |DB|


class Bags:
    """The sentences of a topic as bags of tokens.

    Attributes:
        sources: In order of precedence at ties.
        scores: (n_sentences,) importance S of equation 9.
    """

    def __init__(self, sources: Sequence[Source], tokeniser: str, frequencies: Frequencies) -> None:
        tokens_of = tokeniser_called(tokeniser).tokens
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

    A repeated token counts each time; not normalised by length.

    Source: Hirao et al. (2004), equations 9 and 10.
    """
    total: Counter[str] = Counter()
    for of_sentence in counts:
        total.update(of_sentence)
    n, frequency = frequencies.n_documents, frequencies.by_token
    # A token that DB lacks counts as if one more document had it.
    weight = {token: tf * log(n / frequency.get(token, 1)) for token, tf in total.items()}
    return [
        sum(count * weight[token] for token, count in of_sentence.items()) for of_sentence in counts
    ]


LOADED_CORPUS = "corpus"
_DIGITS_OF_A_LABEL = 8
_HEAD = ("tokens", "documents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The documents in which tokens are counted."""

    label: str  # how signatures call it: `corpus`, or a file's name with the digest of its content
    by_tokeniser: Mapping[str, Frequencies]


def background_of_corpus(corpus: Corpus, tokens: str, label: str = LOADED_CORPUS) -> Background:
    """Returns document frequencies over `corpus`; `tokens` as of `tokeniser_id`."""
    n_documents: Counter[str] = Counter()
    by_token: dict[str, Counter[str]] = {}
    for topic in corpus.topics:
        tokeniser = tokeniser_of(topic, tokens)
        tokens_of = tokeniser_called(tokeniser).tokens
        n_documents[tokeniser] += len(topic.documents)
        frequency = by_token.setdefault(tokeniser, Counter())
        for document in topic.documents:
            sentences = document.sentences
            frequency.update({t for sentence in sentences for t in tokens_of(sentence.text)})
    return Background(
        label=label,
        by_tokeniser={
            key: Frequencies(n_documents=max(1, n_documents[key]), by_token=frequency)
            for key, frequency in by_token.items()
        },
    )


def read_background(text: str, source: str) -> Background:
    """Parses a table of document frequencies (docs/extractors.md)."""
    lines = text.splitlines()
    head = dict(_pair(line, number, source) for number, line in enumerate(lines[:2], 1))
    tokeniser, total = head.get("tokens", ""), head.get("documents", "")
    if tuple(head) != _HEAD or tokeniser not in known_tokenisers() or not _is_count(total):
        raise CorpusFormatError.of(
            "The file does not begin as a table of document frequencies does.",
            "Line 1 is tokens, a tab and one of {known}; line 2 documents, a tab and their number.",
            known=Listing(known_tokenisers()),
            source=source,
            line=1,
        )
    frequency: dict[str, int] = {}
    for number, line in enumerate(lines[2:], 3):
        token, count = _pair(line, number, source)
        if not _is_count(count) or int(count) > int(total) or token in frequency:
            raise CorpusFormatError.of(
                "“{token}” has no document frequency from 1 to {total}, or has two.",
                "Write each token once: token, tab, number of documents.",
                token=token, total=total, source=source, line=number,
            )  # fmt: skip
        frequency[token] = int(count)
    frequencies = Frequencies(n_documents=int(total), by_token=frequency)
    return Background(label=label_of(source, text), by_tokeniser={tokeniser: frequencies})


def label_of(name: str, content: str) -> str:
    """Returns the signature's name of a background file."""
    digest = hashlib.sha256(content.encode()).hexdigest()[:_DIGITS_OF_A_LABEL]
    return f"{name}.{digest}"


def _pair(line: str, number: int, source: str) -> tuple[str, str]:
    token, tab, count = line.rpartition("\t")
    if not tab or not token:
        raise CorpusFormatError.of(
            "The line has no tab.", "Write token, tab, number.", source=source, line=number
        )
    return token, count


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) < 10**9

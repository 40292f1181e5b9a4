"""What the sentences of a text output resemble: source sentences, and sentences of the reference.

How much of a sentence another one shares is the idf of the terms in common, as in the ranking of
candidates; what is marked are the terms in common, runs of them, or a longest common subsequence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

from awase.core.annotation.candidates.similarity import SentenceSimilarity
from awase.core.annotation.candidates.terms import Term, terms_of
from awase.core.annotation.candidates.topic_index import TopicIndex
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import TextOutput
from awase.core.records.topic import Topic
from awase.core.text.text_search import Span, joined_spans

MOST_SOURCES: Final = 3
LEAST_SHARE: Final = 0.2
"""Share of a sentence's weighted terms below which a source sentence is no resemblance."""


class Marking(Enum):
    """Which parts of two sentences are marked as common."""

    WORDS = "words"
    RUNS = "runs"
    SUBSEQUENCE = "subsequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resembled:
    """A sentence that a system's sentence resembles.

    Attributes:
        ref: The source sentence, or the number of the abstract sentence.
        text: What it says.
        share: How much of the system's sentence it has, 0..1 of the idf of its terms.
    """

    ref: SentenceRef | int
    text: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """A sentence of a text output.

    Attributes:
        text: What it says.
        sources: The source sentences that it resembles most, best first; may be empty.
        reference: The sentence of the abstract that it resembles most; None when none does.
    """

    text: str
    sources: tuple[Resembled, ...]
    reference: Resembled | None


def resemblances(
    topic: Topic, abstract: Abstract, output: TextOutput, index: TopicIndex
) -> tuple[Resemblance, ...]:
    """Returns what each sentence of the output resembles.

    Args:
        topic: Where the output belongs.
        abstract: The reference.
        output: A system's text.
        index: Of the topic.
    """
    source_texts = {ref: sentence.text for ref, sentence in topic.sentences()}
    references = abstract.sentences
    likeness = SentenceSimilarity([sentence.text for sentence in references])
    return tuple(
        Resemblance(
            text=text,
            sources=_best(
                [
                    Resembled(ref=ref, text=source_texts[ref], share=share)
                    for ref, share in index.overlaps(text).items()
                ]
            ),
            reference=next(
                iter(
                    _best(
                        [
                            Resembled(ref=sentence.n, text=sentence.text, share=share)
                            for sentence, share in zip(
                                references, likeness.shares_of(text), strict=True
                            )
                        ]
                    )
                ),
                None,
            ),
        )
        for text in output.sentences
    )


def _best(found: Sequence[Resembled]) -> tuple[Resembled, ...]:
    likely = [candidate for candidate in found if candidate.share >= LEAST_SHARE]
    return tuple(sorted(likely, key=lambda candidate: -candidate.share)[:MOST_SOURCES])


def common_spans(
    first: str, second: str, marking: Marking
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Returns what two sentences have in common, as spans of the first and of the second.

    `WORDS` are all terms in common, `RUNS` those of at least two that follow each other in both,
    `SUBSEQUENCE` one longest common subsequence of terms.
    """
    ours, theirs = list(terms_of(first)), list(terms_of(second))
    if marking is Marking.WORDS:
        keys = {term.key for term in ours} & {term.key for term in theirs}
        pairs = (
            [idx for idx, term in enumerate(ours) if term.key in keys],
            [idx for idx, term in enumerate(theirs) if term.key in keys],
        )
    elif marking is Marking.RUNS:
        pairs = _in_runs(ours, theirs), _in_runs(theirs, ours)
    else:
        pairs = _subsequence([term.key for term in ours], [term.key for term in theirs])
    return _spans(ours, pairs[0]), _spans(theirs, pairs[1])


def _in_runs(ours: Sequence[Term], theirs: Sequence[Term]) -> list[int]:
    known = {(a.key, b.key) for a, b in pairwise(theirs)}
    marked: set[int] = set()
    for idx, pair in enumerate(pairwise(ours)):
        if (pair[0].key, pair[1].key) in known:
            marked |= {idx, idx + 1}
    return sorted(marked)


def _subsequence(first: Sequence[str], second: Sequence[str]) -> tuple[list[int], list[int]]:
    """Returns the indices of a longest common subsequence in both; the earliest in the first."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            lengths[i][j] = (
                lengths[i + 1][j + 1] + 1
                if first[i] == second[j]
                else max(lengths[i + 1][j], lengths[i][j + 1])
            )
    i = j = 0
    pairs: list[tuple[int, int]] = []
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] > lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return [i for i, _ in pairs], [j for _, j in pairs]


def _spans(terms: Sequence[Term], indices: Sequence[int]) -> tuple[Span, ...]:
    return joined_spans((terms[idx].start, terms[idx].end) for idx in indices)

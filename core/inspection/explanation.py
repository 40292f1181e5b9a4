"""Why an extract covers an abstract sentence as far as it does."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from awase.core.annotation.candidates.topic_index import TopicIndex, shared_spans
from awase.core.metrics.extracts.gold import gold_of
from awase.core.metrics.extracts.scorers import (
    ExtractScore,
    SentenceScore,
    Tsc3Options,
    score_extract,
)
from awase.core.metrics.kit.annotators import alignment_for
from awase.core.metrics.kit.outputs import extracts_for
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.text_search import Span

ALIKE: Final = Fraction(2, 5)
"""Share of the abstract sentence's weighted terms from which an unlinked sentence is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSentence:
    """A source sentence as it is shown.

    Attributes:
        ref: Which one.
        text: What it says.
        matches: Where it has terms of the abstract sentence.
        place: Where it stands in the extract, from 1; 0 = it is not in it, or beyond what counts.
    """

    ref: SentenceRef
    text: str
    matches: tuple[Span, ...]
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What an extract has of one abstract sentence, and what it spent on something else.

    Attributes:
        value: e(i), 0..1.
        extracted: Members of the chosen alternative that the extract has.
        missing: Members that it lacks.
        others: Sizes of the alternatives that were not chosen.
        redundant: Extracted members of this sentence's other alternatives that serve nothing.
        irrelevant: Counted sentences of the extract that are in no alternative at all.
        unlinked: Counted sentences that are in no alternative of this sentence, but look as if they
            should be: near-duplicates of a linked one, or sharing many of its words.
        n_counted: How many sentences of the extract count.
        asked: How many were asked for.
    """

    value: Fraction
    extracted: tuple[SeenSentence, ...]
    missing: tuple[SeenSentence, ...]
    others: tuple[int, ...]
    redundant: tuple[SeenSentence, ...]
    irrelevant: tuple[SeenSentence, ...]
    unlinked: tuple[SeenSentence, ...]
    n_counted: int
    asked: int


def explain(
    topic: Topic,
    abstract: Abstract,
    n: int,
    system: str,
    *,
    annotator: str,
    h: int,
    options: Tsc3Options,
    index: TopicIndex,
) -> Explanation | None:
    """Returns why `system` covers abstract sentence `n` as far as it does.

    Args:
        topic: Where the abstract is.
        abstract: One of the topic's.
        n: Number of the abstract sentence.
        system: Whose extract.
        annotator: Whose alignment; `first` = the first.
        h: Size of a minimal cover.
        options: How extracts are scored.
        index: Of the topic.

    Returns:
        None when the system has no extract, or the sentence does not count.
    """
    extract = extracts_for(topic, abstract.length).get(system)
    gold = gold_of(abstract, alignment_for(abstract, annotator))
    own = next((sentence for sentence in gold.sentences if sentence.n == n), None)
    if extract is None or own is None:
        return None
    score = score_extract(gold, extract.sentences, h, options)
    of_sentence = next(sentence for sentence in score.sentences if sentence.n == n)
    text = next(sentence.text for sentence in abstract.sentences if sentence.n == n)
    linked = {ref for members in own.alternatives for ref in members}
    seen = _Seeing(topic, score, text)
    return Explanation(
        value=of_sentence.value,
        extracted=seen.all_of(of_sentence.extracted),
        missing=seen.all_of(of_sentence.missing),
        others=tuple(
            len(members) for members in own.alternatives if members != of_sentence.alternative
        ),
        redundant=seen.all_of(of_sentence.redundant),
        irrelevant=seen.all_of(score.irrelevant),
        unlinked=seen.all_of(_unlinked(score, of_sentence, linked, text, index)),
        n_counted=len(score.part.counted),
        asked=score.part.denominator,
    )


class _Seeing:
    """Source sentences with what is shown of them."""

    def __init__(self, topic: Topic, score: ExtractScore, text: str) -> None:
        self._texts = {ref: sentence.text for ref, sentence in topic.sentences()}
        self._places = {ref: place for place, ref in enumerate(score.part.counted, start=1)}
        self._text = text

    def all_of(self, refs: Iterable[SentenceRef]) -> tuple[SeenSentence, ...]:
        return tuple(
            SeenSentence(
                ref=ref,
                text=self._texts[ref],
                matches=shared_spans(self._texts[ref], self._text),
                place=self._places.get(ref, 0),
            )
            for ref in refs
        )


def _unlinked(
    score: ExtractScore,
    sentence: SentenceScore,
    linked: set[SentenceRef],
    text: str,
    index: TopicIndex,
) -> list[SentenceRef]:
    if sentence.value == 1:
        return []
    twins = {twin for ref in linked for twin in index.near_duplicates(ref)}
    overlaps = index.overlaps(text)
    candidates = [ref for ref in score.part.counted if ref not in linked]
    alike = [ref for ref in candidates if ref in twins or overlaps.get(ref, 0.0) >= ALIKE]
    return sorted(alike, key=lambda ref: (ref not in twins, -overlaps.get(ref, 0.0)))

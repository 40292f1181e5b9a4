"""Index of a topic that ranks candidate source sentences."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final

from awase.core.annotation.candidates.ranking import (
    DEFAULT_RANKER,
    RANKERS,
    Ranker,
    RankerFactory,
    best_first,
)
from awase.core.annotation.candidates.similarity import similarity_of
from awase.core.annotation.candidates.terms import keys_of, terms_of
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.text_search import Span, joined_spans

_WORTH_OF_LIKENESS: Final = 0.5


class TopicIndex:
    """The index of one topic's source sentences."""

    def __init__(self, topic: Topic, ranker: RankerFactory = RANKERS[DEFAULT_RANKER]) -> None:
        sentences = tuple(topic.sentences())
        self._refs = tuple(ref for ref, _ in sentences)
        self._text_by_ref = {ref: sentence.text for ref, sentence in sentences}
        self._idx_by_ref = {ref: idx for idx, ref in enumerate(self._refs)}
        self._topic, self._ranker_factory = topic, ranker
        self._likeness = similarity_of(tuple(self._text_by_ref.values()))
        self._duplicates: dict[SentenceRef, tuple[SentenceRef, ...]] = {}

    @cached_property
    def _ranker(self) -> Ranker:
        """Lazy, as similarities need no ranking."""
        documents = self._topic.documents
        return self._ranker_factory([[one.text for one in each.sentences] for each in documents])

    @property
    def refs(self) -> tuple[SentenceRef, ...]:
        """Every source sentence in the order of the documents."""
        return self._refs

    def ranked(
        self,
        text: str,
        *,
        linked: Iterable[SentenceRef] = (),
        having: Iterable[SentenceRef] = (),
        like: Iterable[SentenceRef] = (),
    ) -> tuple[SentenceRef, ...]:
        """Returns every source sentence, the likeliest for `text` first, ties in document order.

        Args:
            linked: Sentences to put first, in this order. having: Members of the current
            alternative: terms of `text` that they cover count a quarter,
                so that what is still lacking comes first.
            like: Members of the other alternatives, when a new one starts: sentences similar to
            them
                move up, as they may say the same.
        """
        scores = self._ranker.scores(text, self._indices(having))
        if like_indices := self._indices(like):
            worth = _WORTH_OF_LIKENESS * max(scores)
            likeness = self._likeness.to_nearest(like_indices)
            scores = [a + worth * b for a, b in zip(scores, likeness, strict=True)]
        first = [ref for ref in dict.fromkeys(linked) if ref in self._idx_by_ref]
        taken = set(first)
        rest = (self._refs[idx] for idx in best_first(scores))
        return (*first, *(ref for ref in rest if ref not in taken))

    def ranked_for(
        self, text: str, entry: SentenceAlignment, alternative_idx: int
    ) -> tuple[SentenceRef, ...]:
        """Returns the candidates at an alternative of `entry`.

        Its members come first, then what is still lacking. For a new one, beyond the last, all
        links come first, then sentences that are likely by themselves or similar to links.
        """
        if alternative_idx < len(entry.alternatives):
            members = entry.alternatives[alternative_idx].members
            return self.ranked(text, linked=members, having=members)
        linked = tuple(dict.fromkeys(entry.refs()))
        return self.ranked(text, linked=linked, like=linked)

    def overlaps(self, text: str) -> dict[SentenceRef, float]:
        """Returns the share of `text` that each source sentence covers: 0..1 by idf."""
        return dict(zip(self._refs, self._likeness.shares_of(text), strict=True))

    def matches(self, ref: SentenceRef, text: str) -> tuple[Span, ...]:
        """Returns the spans of terms of `text` in the source sentence, as `shared_spans`."""
        return shared_spans(self._text_by_ref[ref], text)

    def near_duplicates(self, ref: SentenceRef) -> tuple[SentenceRef, ...]:
        """Returns the near-duplicates of a sentence, in document order."""
        if ref not in self._duplicates and ref in self._idx_by_ref:
            close = self._likeness.near_duplicates(self._idx_by_ref[ref])
            self._duplicates[ref] = tuple(self._refs[idx] for idx in close)
        return self._duplicates.get(ref, ())

    def _indices(self, refs: Iterable[SentenceRef]) -> list[int]:
        return [self._idx_by_ref[ref] for ref in refs if ref in self._idx_by_ref]


@lru_cache(maxsize=256)
def _key_set(text: str) -> frozenset[str]:
    """Returns the keys of an abstract sentence."""
    return frozenset(keys_of(text))


def shared_spans(text: str, other: str) -> tuple[Span, ...]:
    """Returns the disjoint spans (start, end) of terms of `other` in `text`."""
    keys = _key_set(other)
    return joined_spans(
        (term.start, term.end)
        for term in terms_of(text)
        # A lone kanji (同, 見, 大) ranks a little, but marked everywhere it only distracts.
        if term.key in keys and (len(term.key) > 1 or term.key.isascii())
    )

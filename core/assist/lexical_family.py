"""`lexical-family`: alternatives by words shared with the abstract sentence.

Without links: the best candidate alone, and the best two together. With links: each alternative
with one member replaced by a sentence that covers the same. docs/assistance.md has the
measurements.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from awase.core.assist.evidence import AskedSentence, TopicEvidence
from awase.core.assist.suggestion import ANOTHER, FAMILY, Suggestion
from awase.core.assist.weights import FamilyWeights, Fitted
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.topic import Topic

LEXICAL_FAMILY: Final = "lexical-family"
PAIR_POOL: Final = 15  # how many of the best candidates are tried in pairs

EXCHANGE_POOL: Final = 30  # how many of the best candidates may stand for a linked sentence

# How many linked alternatives are looked at: more are seldom, and each costs time.
MOST_EXCHANGED: Final = 5

MOST_SUGGESTIONS: Final = 5

COVERS_ALONE: Final = "covers the sentence best by itself"
COVER_TOGETHER: Final = "cover the sentence best together"
SAYS_THE_SAME: Final = "says the same as what is linked"


class LexicalFamily:
    """Suggests by shared words; quick enough for every key."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, TopicEvidence)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most five, the surest first."""
        evidence = self._fitted.reading(topic)
        if not evidence.refs:
            return ()
        asked = evidence.asked(sentence.text)
        if not asked.keys:
            return ()
        found = self._others(asked, entry) if entry.alternatives else self._first(asked)
        return tuple(sorted(found, key=lambda one: -one.confidence)[:MOST_SUGGESTIONS])

    def _first(self, asked: AskedSentence) -> Iterator[Suggestion]:
        confidence = self._fitted.weights.single.probability(asked.single_features())
        refs = asked.evidence.refs
        yield Suggestion(
            family=(Alternative((refs[asked.order[0]],)),),
            confidence=confidence,
            why=COVERS_ALONE,
            kind=FAMILY,
        )
        pairs = best_pairs(asked)
        if pairs:
            features = features_of_best_pair(asked, pairs, confidence)
            yield Suggestion(
                family=(Alternative(tuple(refs[place] for place in pairs[0])),),
                confidence=self._fitted.weights.pair.probability(features),
                why=COVER_TOGETHER,
                kind=FAMILY,
            )

    def _others(self, asked: AskedSentence, entry: SentenceAlignment) -> Iterator[Suggestion]:
        best: dict[frozenset[int], float] = {}
        for members, features in exchanges(asked, entry):
            confidence = self._fitted.weights.another.probability(features)
            best[members] = max(confidence, best.get(members, 0.0))
        for members in sorted(best, key=lambda one: (-best[one], sorted(one)))[:MOST_SUGGESTIONS]:
            refs = tuple(asked.evidence.refs[place] for place in sorted(members))
            yield Suggestion(
                family=(Alternative(refs),),
                confidence=best[members],
                why=SAYS_THE_SAME,
                kind=ANOTHER,
            )


def best_pairs(asked: AskedSentence) -> list[tuple[int, int]]:
    """Returns the pairs of the best candidates in which either adds something, the best first."""
    pool = asked.order[:PAIR_POOL]
    scored = [(asked.pair_score(*pair), pair) for pair in combinations(pool, 2)]
    scored.sort(key=lambda one: -one[0])
    return [pair for _, pair in scored if asked.gain(*pair) > 0]


def features_of_best_pair(
    asked: AskedSentence, pairs: Sequence[tuple[int, int]], single: float
) -> tuple[float, ...]:
    """Returns the four `PAIR_FEATURES` of the best of `pairs`."""
    runner_up = asked.pair_score(*pairs[1]) if len(pairs) > 1 else 0.0
    return asked.pair_features(*pairs[0], single, runner_up)


def exchanges(
    asked: AskedSentence, entry: SentenceAlignment
) -> Iterator[tuple[frozenset[int], tuple[float, ...]]]:
    """Yields members and `ANOTHER_FEATURES` of alternatives with one member replaced.

    Those that contain an existing alternative, or are contained in one, are skipped.
    """
    evidence = asked.evidence
    known = [frozenset(evidence.places(one.members)) for one in entry.alternatives]
    pool = asked.order[:EXCHANGE_POOL]
    for members in [one for one in known if one][:MOST_EXCHANGED]:
        for out in sorted(members):
            rest = sorted(members - {out})
            for into in pool:
                made = frozenset((*rest, into))
                if into not in members and not any(one <= made or made <= one for one in known):
                    yield made, asked.exchange_features(rest, out, into)

"""Lexical evidence about an abstract sentence and source sentences, and its fitted weights."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any, Final, Generic, TypeVar

from awase.core.annotation.candidates import (
    Bm25Ranker,
    Term,
    best_first,
    inverse_frequencies,
    inverse_frequency,
    keys_of,
    terms_of,
)
from awase.core.errors import CorpusFormatError
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Topic

SINGLE_FEATURES = ("share", "cosine", "gap", "bm25")
PAIR_FEATURES = ("covered", "gain", "single", "gap")
ANOTHER_FEATURES = ("jaccard", "cosine", "share", "kept", "bm25", "size")


class TopicEvidence:
    """Terms of one topic's source sentences, by position."""

    def __init__(self, topic: Topic) -> None:
        self.refs = tuple(topic.refs())
        self.place_by_ref = {ref: idx for idx, ref in enumerate(self.refs)}
        texts = [[sentence.text for sentence in one.sentences] for one in topic.documents]
        self._ranker = Bm25Ranker(texts)
        counts = [Counter(keys_of(text)) for of_document in texts for text in of_document]
        self.keys = [frozenset(count) for count in counts]
        self.idf = inverse_frequencies(counts)
        self._of_unknown = inverse_frequency(0, len(self.keys))
        # Lengths (L2) of the sentences' vectors of idf weights.
        self.norms = [math.sqrt(sum(self.idf[key] ** 2 for key in own)) for own in self.keys]
        self._likeness: dict[tuple[int, int], tuple[float, float]] = {}

    def places(self, refs: Iterable[SentenceRef]) -> tuple[int, ...]:
        """Returns the positions of those sentences that the topic has."""
        return tuple(self.place_by_ref[ref] for ref in refs if ref in self.place_by_ref)

    def of_sentence(self, text: str) -> "SentenceEvidence":
        """Returns the evidence for an abstract sentence."""
        return SentenceEvidence(self, text, self._ranker.scores(text))

    def weight(self, key: str) -> float:
        """Returns the idf of a term, above 0; one that no sentence has is the rarest of all."""
        return self.idf.get(key, self._of_unknown)

    def likeness(self, one: int, other: int) -> tuple[float, float]:
        """Returns the similarity of two sentences, 0..1: Jaccard of their terms, cosine by idf."""
        pair = (one, other) if one < other else (other, one)
        found = self._likeness.get(pair)
        if found is None:
            shared = self.keys[one] & self.keys[other]
            n_all = len(self.keys[one]) + len(self.keys[other]) - len(shared)
            product = sum(self.idf[key] ** 2 for key in shared)
            norms = self.norms[one] * self.norms[other]
            found = self._likeness[pair] = (len(shared) / (n_all or 1), product / (norms or 1.0))
        return found


class SentenceEvidence:
    """An abstract sentence against all source sentences of its topic."""

    def __init__(self, evidence: TopicEvidence, text: str, scores: Sequence[float]) -> None:
        self.evidence = evidence
        self.keys = frozenset(keys_of(text))
        self.scores = scores
        self._best = max(scores, default=0.0) or 1.0
        self._weight_by_key = {key: evidence.weight(key) for key in self.keys}
        self._total = sum(self._weight_by_key.values()) or 1.0
        # Sets of the sentence's own terms as bits: a hundred pairs are tried at every key.
        self._weights = [self._weight_by_key[key] for key in sorted(self.keys)]
        bit_by_key = {key: 1 << at for at, key in enumerate(sorted(self.keys))}
        self._masks = [sum(bit_by_key[key] for key in self.keys & own) for own in evidence.keys]
        self._share_by_mask: dict[int, float] = {0: 0.0}
        self._norm = math.sqrt(sum(weight**2 for weight in self._weight_by_key.values())) or 1.0
        self._cosines = [self.cosine(place) for place in range(len(evidence.refs))]
        self.order = best_first(_summed(scores, self._cosines))

    def covered(self, places: Iterable[int]) -> float:
        """Returns the joint coverage of the sentence: 0..1 of the idf of its terms."""
        mask = 0
        for place in places:
            mask |= self._masks[place]
        share = self._share_by_mask.get(mask)
        if share is None:
            lit = (weight for at, weight in enumerate(self._weights) if mask >> at & 1)
            share = self._share_by_mask[mask] = sum(lit) / self._total
        return share

    def single_features(self) -> tuple[float, ...]:
        """Returns the four `SINGLE_FEATURES` of the best candidate; the topic has a sentence.

        Share and cosine are 0..1; the gap is that of cosines to the second candidate, -1..1; bm25
        is the logarithm of 1 + score, at least 0.
        """
        place, *others = self.order[:2]
        return (
            len(self.keys & self.evidence.keys[place]) / (len(self.keys) or 1),
            self.cosine(place),
            self._cosines[place] - (self._cosines[others[0]] if others else 0.0),
            math.log1p(self.scores[place]),
        )

    def pair_features(
        self, one: int, other: int, single: float, runner_up: float
    ) -> tuple[float, ...]:
        """Returns the four `PAIR_FEATURES`: 0..1 but for the gap to `runner_up`, -1.5..1.5."""
        gain = self.gain(one, other)
        gap = self.pair_score(one, other) - runner_up
        return (self.covered((one, other)), gain, single, gap)

    def pair_score(self, one: int, other: int) -> float:
        """Returns the rank score of a pair, 0..1.5: coverage, and half of the gain."""
        return self.covered((one, other)) + 0.5 * self.gain(one, other)

    def gain(self, one: int, other: int) -> float:
        """Returns the gain in coverage of two over the better of them: 0..1."""
        return self.covered((one, other)) - max(self.covered((one,)), self.covered((other,)))

    def exchange_features(self, rest: Sequence[int], out: int, into: int) -> tuple[float, ...]:
        """Returns the six `ANOTHER_FEATURES` of an alternative with one member replaced.

        All are 0..1 but `kept`, the ratio of coverage after to before: at least 0.
        """
        before, after = self.covered((*rest, out)), self.covered((*rest, into))
        return (
            *self.evidence.likeness(out, into),
            after,
            after / before if before else 0.0,
            self.scores[into] / self._best,
            1.0 if rest else 0.0,
        )

    def cosine(self, place: int) -> float:
        """Returns the cosine of the sentence and a source sentence: 0..1."""
        shared = self.keys & self.evidence.keys[place]
        product = sum(self._weight_by_key[key] ** 2 for key in shared)
        return product / (self._norm * (self.evidence.norms[place] or 1.0))


def _summed(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Returns the sum of two scores, each scaled by its maximum."""
    best, best_other = max(one, default=0.0) or 1.0, max(other, default=0.0) or 1.0
    return [a / best + b / best_other for a, b in zip(one, other, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class UncoveredWord:
    """A stretch of an abstract sentence that no member of the alternative has."""

    start: int  # offset of its first character
    end: int
    is_elsewhere: bool


class RemarkKind(Enum):
    """In which way a member seems needless."""

    ADDS_NOTHING = "adds nothing"
    ALONE_MAY_DO = "alone may do"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRemark:
    """A lint about one member of an alternative."""

    kind: RemarkKind
    ref: SentenceRef


def uncovered_words(
    text: str, members: Iterable[str], known: frozenset[str]
) -> tuple[UncoveredWord, ...]:
    """Returns the content words of an abstract sentence that no member's text has, in order.

    A stretch that several terms share (Japanese bigrams overlap) is covered when one of them is.
    Stop words and lone kanji are no content words. `known` has the keys of all source sentences.
    """
    held = keys_of_all(members)
    terms = [term for term in terms_of(text) if len(term.key) > 1 or term.key.isascii()]
    covered = bytearray(len(text))
    for term in terms:
        if term.key in held:
            covered[term.start : term.end] = b"\1" * (term.end - term.start)
    lacking = [term for term in terms if not any(covered[term.start : term.end])]
    return _joined(lacking, known)


def _joined(terms: Sequence[Term], known: frozenset[str]) -> tuple[UncoveredWord, ...]:
    """Merges overlapping terms into stretches."""
    found: list[UncoveredWord] = []
    for term in terms:
        word = UncoveredWord(start=term.start, end=term.end, is_elsewhere=term.key in known)
        if found and term.start < found[-1].end:
            last = found.pop()
            word = UncoveredWord(
                start=last.start,
                end=max(last.end, word.end),
                is_elsewhere=last.is_elsewhere or word.is_elsewhere,
            )
        found.append(word)
    return tuple(found)


def member_remarks(
    text: str, members: Sequence[SentenceRef], text_by_ref: Mapping[SentenceRef, str]
) -> tuple[MemberRemark, ...]:
    """Returns lints about redundant members, of two or more.

    A member with all covered words may suffice alone, then there are no others. Else a member is
    redundant if the others have all its covered words; of equal ones the first stays.
    """
    asked = frozenset(keys_of(text))
    shares = {ref: asked.intersection(keys_of(text_by_ref.get(ref, ""))) for ref in members}
    together = frozenset[str]().union(*shares.values())
    if len(members) < 2 or not together:
        return ()
    whole = next((ref for ref in members if shares[ref] == together), None)
    if whole is not None:
        return (MemberRemark(kind=RemarkKind.ALONE_MAY_DO, ref=whole),)
    needless: list[SentenceRef] = []
    for ref in reversed(members):
        others = (share for one, share in shares.items() if one != ref and one not in needless)
        if shares[ref] <= frozenset[str]().union(*others):
            needless.append(ref)
    return tuple(
        MemberRemark(kind=RemarkKind.ADDS_NOTHING, ref=ref) for ref in members if ref in needless
    )


def keys_of_all(texts: Iterable[str]) -> frozenset[str]:
    """Returns the keys of the terms of all texts."""
    return frozenset(key for text in texts for key in keys_of(text))


# Penalty on the weights of standardised features, so that a clean split stays finite.
RIDGE: Final = 1.0

_MOST_STEPS: Final = 100
_CLOSE_ENOUGH: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A fitted regression."""

    intercept: float  # log odds when all features are 0
    weights: tuple[float, ...]  # one a feature, in the features' order

    def probability(self, features: Sequence[float]) -> float:
        """Returns 0..1 for as many features as there are weights."""
        odds = self.intercept + sum(
            weight * feature for weight, feature in zip(self.weights, features, strict=True)
        )
        return 1.0 / (1.0 + math.exp(-odds)) if odds > -700 else 0.0


def fitted_logistic(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> Logistic:
    """Fits a logistic regression by penalised maximum likelihood.

    Newton's method on standardised features with a ridge penalty of 1 on their weights; the
    intercept is free. `rows` is (n, n_features), n from 1, `labels` (n,).
    """
    import numpy as np  # probabilities need no numpy

    raw = np.asarray(rows, dtype=float)
    right = np.asarray(labels, dtype=float)
    mean, scale = raw.mean(axis=0), raw.std(axis=0)
    scale[scale == 0.0] = 1.0
    matrix = np.column_stack([np.ones(len(raw)), (raw - mean) / scale])
    penalty = np.full(matrix.shape[1], RIDGE)
    penalty[0] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(_MOST_STEPS):
        share = 1.0 / (1.0 + np.exp(-np.clip(matrix @ weights, -30.0, 30.0)))
        gradient = matrix.T @ (right - share) - penalty * weights
        curvature = (matrix.T * (share * (1.0 - share))) @ matrix + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if float(np.abs(step).max()) < _CLOSE_ENOUGH:
            break
    slopes = weights[1:] / scale
    return Logistic(
        intercept=float(weights[0] - slopes @ mean), weights=tuple(float(one) for one in slopes)
    )


CARRIED_FEATURES: Final = ("cosine", "share")
_FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "single": SINGLE_FEATURES,
    "pair": PAIR_FEATURES,
    "another": ANOTHER_FEATURES,
    "carried": CARRIED_FEATURES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyWeights:
    """All fitted weights."""

    data: str
    n_sentences: int
    single: Logistic
    pair: Logistic
    another: Logistic
    carried: Logistic
    closure: float


@cache
def shipped_weights() -> FamilyWeights:
    """Returns the built-in weights."""
    path = files("awase.resources").joinpath("assist", "lexical-family.json")
    return weights_of(path.read_text("utf-8"))


def weights_text(weights: FamilyWeights) -> str:
    """Returns weights as JSON, each number with the name of its feature."""
    parts: dict[str, Any] = {"data": weights.data, "n_sentences": weights.n_sentences}
    for name, features in _FEATURES.items():
        fitted: Logistic = getattr(weights, name)
        named = {
            feature: round(weight, 6)
            for feature, weight in zip(features, fitted.weights, strict=True)
        }
        parts[name] = {"intercept": round(fitted.intercept, 6), **named}
    parts["closure"] = round(weights.closure, 6)
    return json.dumps(parts, ensure_ascii=False, indent=2) + "\n"


def weights_of(text: str) -> FamilyWeights:
    """Returns the weights that JSON spells."""
    try:
        parts = json.loads(text)
        fitted = {name: _logistic(parts[name], features) for name, features in _FEATURES.items()}
        data, n_sentences = str(parts["data"]), int(parts["n_sentences"])
        closure = float(parts["closure"])
        if not 0.0 <= closure <= 1.0:
            raise ValueError("closure")
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CorpusFormatError.of(
            "The weights of suggestions cannot be read: {reason}.",
            "Write them with awase assist-fit.",
            reason=f"{type(error).__name__} {error}",
        ) from error
    return FamilyWeights(data=data, n_sentences=n_sentences, closure=closure, **fitted)


def _logistic(part: Mapping[str, Any], features: tuple[str, ...]) -> Logistic:
    numbers = [float(part[name]) for name in ("intercept", *features)]
    if not all(map(isfinite, numbers)):
        raise ValueError("a number is not finite")
    return Logistic(intercept=numbers[0], weights=tuple(numbers[1:]))


Read = TypeVar("Read")


class Fitted(Generic[Read]):
    """Caches what was read from a topic's documents until they change."""

    def __init__(self, weights: FamilyWeights | None, read: Callable[[Topic], Read]) -> None:
        """`weights` None = the built-in ones."""
        self.weights = weights or shipped_weights()
        self._read = read
        self._last: tuple[tuple[Document, ...], Read] | None = None

    def reading(self, topic: Topic) -> Read:
        """Returns the cached reading; alignments may change meanwhile."""
        if self._last is None or self._last[0] is not topic.documents:
            self._last = topic.documents, self._read(topic)
        return self._last[1]

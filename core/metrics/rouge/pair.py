"""One summary and one reference, without numpy: the cheapest way to score a single pair.

The numbers are those of `measures.count`; a test compares the two. For a corpus use that one, which
costs a tenth for each pair.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from awase.core.metrics.rouge.paths.path_of_pair import lcs_marks, places_of
from awase.core.metrics.rouge.tokens.preparation import AS_IS, Preparation
from awase.core.metrics.rouge.tokens.token_numbers import (
    DROPPED,
    Summary,
    all_as_bytes,
    numbers,
    tokens_of_text,
    warn_of_lost_letters,
)
from awase.core.text.limits import running_text, sentences_apart


class PairScore(NamedTuple):
    """Recall, precision and F of one pair, rounded to five decimals as ROUGE-1.5.5 does."""

    recall: float
    precision: float
    f: float


class PairScorer:
    """Scores pairs under one preparation; words are stemmed once, however many pairs have them."""

    def __init__(
        self,
        longest_ngram: int = 2,
        *,
        lcs: bool = True,
        sentence_lcs: bool = False,
        preparation: Preparation = AS_IS,
        alpha: float = 0.5,
    ) -> None:
        """Chooses the measures.

        Args:
            longest_ngram: ROUGE-1 to this.
            lcs: Whether ROUGE-L of the program, which is that of whole summaries.
            sentence_lcs: Whether also `ROUGE-L-sentence`, in which the summary is one sentence:
                what Google's rouge-score calls rougeL.
            preparation: How text becomes tokens.
            alpha: Towards 1, F favours precision.
        """
        self._longest = longest_ngram
        self._lcs = lcs
        self._sentence_lcs = sentence_lcs
        self._preparation = preparation
        self._alpha = alpha
        self._numbers = numbers(preparation)

    def __call__(self, peer: Summary, model: Summary) -> dict[str, PairScore]:
        """Returns the scores of a system's summary against one reference, by label.

        Warns:
            LostLettersWarning: Letters outside ASCII are deleted, for want of a tokeniser.
        """
        warn_of_lost_letters((peer, model), self._preparation.tokeniser)
        (peer_text, peer_apart), (model_text, model_apart) = self._read(peer), self._read(model)
        scores: dict[str, PairScore] = {}
        for size in range(1, self._longest + 1):
            of_peer, of_model = _ngrams(peer_text, size), _ngrams(model_text, size)
            hits = _shared(of_peer, of_model)
            scores[f"ROUGE-{size}"] = self._score(hits, len(of_model), len(of_peer))
        if self._lcs:
            hits = _union_hits(peer_text, model_text, peer_apart, model_apart)
            n_model = sum(map(len, model_apart))
            scores["ROUGE-L"] = self._score(hits, n_model, len(peer_text))
        if self._sentence_lcs:
            marks = lcs_marks(places_of(model_text), len(model_text), peer_text)
            scores["ROUGE-L-sentence"] = self._score(
                marks.bit_count(), len(model_text), len(peer_text)
            )
        return scores

    def _read(self, summary: Summary) -> tuple[list[int], list[list[int]]]:
        sentences = all_as_bytes(summary)
        limit = self._preparation.limit
        apart = self._ids(sentences_apart(sentences, limit))
        running = self._ids(running_text(sentences, limit)) if limit.bytes else apart
        return [id_ for ids in running for id_ in ids], apart

    def _ids(self, sentences: Sequence[bytes]) -> list[list[int]]:
        preparation = self._preparation
        tokens = tokens_of_text(sentences, preparation.tokeniser, preparation.limit.tokens)
        ids = map(self._numbers.numbers_of, tokens)
        return [[id_ for id_ in one if id_ != DROPPED] if DROPPED in one else one for one in ids]

    def _score(self, hits: int, n_model: int, n_peer: int) -> PairScore:
        recall = _rounded(hits / n_model) if n_model else 0.0
        precision = _rounded(hits / n_peer) if n_peer else 0.0
        below = (1 - self._alpha) * precision + self._alpha * recall
        return PairScore(recall, precision, _rounded(precision * recall / below) if below else 0.0)


def _rounded(value: float) -> float:
    return float(f"{value:.5f}")


def _ngrams(ids: list[int], size: int) -> Sequence[object]:
    return ids if size == 1 else list(zip(*(ids[k:] for k in range(size)), strict=False))


def _shared(of_peer: Sequence[object], of_model: Sequence[object]) -> int:
    left = Counter(of_model)
    hits = 0
    for unit in of_peer:
        if left.get(unit):
            left[unit] -= 1
            hits += 1
    return hits


def _union_hits(
    peer_text: list[int],
    model_text: list[int],
    peer_apart: list[list[int]],
    model_apart: list[list[int]],
) -> int:
    """Returns the clipped hits of ROUGE-L; see `clipping`."""
    of_peer, of_model = Counter(peer_text), Counter(model_text)
    hits = 0
    for reference in model_apart:
        places = places_of(reference)
        found = 0
        for sentence in peer_apart:
            found |= lcs_marks(places, len(reference), sentence)
        while found:
            lowest = found & -found
            found ^= lowest
            token = reference[lowest.bit_length() - 1]
            if of_peer[token] > 0 and of_model[token] > 0:
                of_peer[token] -= 1
                of_model[token] -= 1
                hits += 1
    return hits

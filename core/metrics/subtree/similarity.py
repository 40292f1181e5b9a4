"""How similar two texts are by their subtrees: partners, and the scores that follow from them.

Source: Chousa and Hirao, "Automatic evaluation of language generation based on the similarity of
    subtrees", equations 2 to 8.
Differs: cosines below 0 count 0, so that no partner is never better than one. Equation 4 prints the
    similarity of the heads above the lengths of the subtrees' vectors; it is read as the cosine of
    these vectors. A text of several sentences is the forest of their trees.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from awase.core.metrics.subtree.forest import Floats, Forest, Numbers

NO_PARTNER = -1
_DECIMALS = 9


class Partners(NamedTuple):
    """The best partner of each subtree of one text among those of the other.

    Attributes:
        similarity: (n_subtrees,) 0 to 1.
        partner: (n_subtrees,) index in the other text's forest; `NO_PARTNER` = nothing is similar.
    """

    similarity: Floats
    partner: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthScore:
    """What subtrees of one length score.

    Attributes:
        precision: Mean similarity of the system's subtrees to their partners; 0 without any.
        recall: Mean similarity of the reference's subtrees to their partners; 0 without any.
    """

    length: int
    n_system: int
    n_reference: int
    precision: float
    recall: float

    @property
    def f(self) -> float:
        """Returns the harmonic mean of both; 0 when both are 0."""
        return _harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeScore:
    """What a text scores against a reference."""

    lengths: tuple[LengthScore, ...]

    @property
    def precision(self) -> float:
        """Returns the sum of F by length over the number of lengths in the system's text: 0..1."""
        return self._mean_f(sum(one.n_system > 0 for one in self.lengths))

    @property
    def recall(self) -> float:
        """Returns the sum of F by length over the number of lengths in the reference: 0..1."""
        return self._mean_f(sum(one.n_reference > 0 for one in self.lengths))

    @property
    def f(self) -> float:
        """Returns the harmonic mean of both; 0 when both are 0."""
        return _harmonic(self.precision, self.recall)

    def _mean_f(self, n_lengths: int) -> float:
        return sum(one.f for one in self.lengths) / n_lengths if n_lengths else 0.0


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def pair_score(system: Forest, reference: Forest, *, by_head: bool = True) -> SubtreeScore | None:
    """Returns what a text scores against a reference; None when neither has a word.

    Args:
        by_head: Whether only subtrees are similar whose heads have the same key.
    """
    if not system.subtrees and not reference.subtrees:
        return None
    return score_of(system, reference, *partners(system, reference, by_head=by_head))


def score_of(
    system: Forest, reference: Forest, of_system: Partners, of_reference: Partners
) -> SubtreeScore:
    """Returns the scores that follow from partners that `partners` found.

    Args:
        of_system: For each subtree of the system its partner in the reference.
    """
    n_lengths = 1 + max(_longest(system), _longest(reference))
    counts = [np.bincount(one.lengths, minlength=n_lengths) for one in (system, reference)]
    sums = [
        np.bincount(forest.lengths, weights=found.similarity, minlength=n_lengths)
        for forest, found in ((system, of_system), (reference, of_reference))
    ]
    means = [total / np.maximum(count, 1) for total, count in zip(sums, counts, strict=True)]
    occurring = np.flatnonzero(counts[0] + counts[1]).tolist()
    return SubtreeScore(
        lengths=tuple(
            LengthScore(
                length=length,
                n_system=int(counts[0][length]),
                n_reference=int(counts[1][length]),
                precision=float(means[0][length]),
                recall=float(means[1][length]),
            )
            for length in occurring
        )
    )


def _longest(forest: Forest) -> int:
    return int(forest.lengths[-1]) if len(forest.lengths) else 0


def partners(
    system: Forest, reference: Forest, *, by_head: bool = True
) -> tuple[Partners, Partners]:
    """Returns the partners of the system's subtrees, and those of the reference's.

    A partner has as many words and, if asked for, a head of the same key. Of equally similar ones
    it is the first. Several subtrees may have the same partner, as in BERTScore.
    """
    found = _nobody(system), _nobody(reference)
    codes = {key: code for code, key in enumerate(dict.fromkeys(reference.keys))}
    keys = [
        np.array([codes.get(key, len(codes)) for key in forest.keys], np.int64)
        for forest in (system, reference)
    ]
    for length in np.intersect1d(system.lengths, reference.lengths).tolist():
        of_system, of_reference = (
            slice(*np.searchsorted(forest.lengths, (length, length + 1)))
            for forest in (system, reference)
        )
        cosines = system.directions[of_system] @ reference.directions[of_reference].T
        similarity = np.clip(cosines, 0.0, 1.0)
        if by_head:
            similarity *= keys[0][of_system, None] == keys[1][None, of_reference]
        _take_best(found[0], of_system, similarity, of_reference.start)
        _take_best(found[1], of_reference, similarity.T, of_system.start)
    return found


def _nobody(forest: Forest) -> Partners:
    n_subtrees = len(forest.subtrees)
    return Partners(np.zeros(n_subtrees), np.full(n_subtrees, NO_PARTNER, np.int64))


def _take_best(found: Partners, rows: slice, similarity: Floats, first: int) -> None:
    # Equal similarity stays equal whatever order a machine adds in: ties break alike, and the
    # values are the same on all.
    similarity = np.round(similarity, _DECIMALS)
    best = similarity.argmax(axis=1)
    values = similarity[np.arange(len(best)), best]
    found.similarity[rows] = values
    found.partner[rows] = np.where(values > 0, best + first, NO_PARTNER)

"""What every system's extract is worth against the alignment as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from awase.core.errors import Problem
from awase.core.metrics.extracts.gold import Gold, GoldSentence
from awase.core.metrics.extracts.scorers import (
    Tsc3Options,
    Tsc3Values,
    counted_part,
    tsc3_values,
    undefined_reason,
)
from awase.core.metrics.kit.outputs import extracts_for
from awase.core.metrics.kit.rational import exact_weight
from awase.core.records.corpus import RankWeights
from awase.core.records.output import Extract
from awase.gui.pages.annotate.state.position import Place

METRICS = ("precision", "coverage", "weighted-coverage")
Shares = Mapping[int, tuple[tuple[str, Fraction], ...]]
"""e(i): number of an abstract sentence to (system, value) in the systems' order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScores:
    """All systems that have an extract for the abstract, against the alignment as it stands.

    Attributes:
        gold: The alignment.
        extracts: System to extract.
        h: Size of a minimal cover; None while it is not known.
        options: How extracts are scored.
    """

    gold: Gold
    extracts: Mapping[str, Extract]
    h: int | None
    options: Tsc3Options

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, whether they can be scored or not."""
        return tuple(self.extracts)

    def values(self, system: str) -> Tsc3Values | None:
        """Returns the system's values; None while they are not known."""
        if self.h is None or system not in self.extracts or not self.gold.sentences:
            return None
        part = counted_part(self.extracts[system].sentences, self.h, self.options)
        return tsc3_values(self.gold, part, self.options)

    def masks(self) -> dict[str, int]:
        """Returns the bits of what counts of each system's extract; empty while h is unknown."""
        if self.h is None:
            return {}
        return {
            system: self.gold.mask_of(counted_part(extract.sentences, self.h, self.options).counted)
            for system, extract in self.extracts.items()
        }

    def reason(self, metric: str) -> Problem:
        """Returns why `metric` has no value."""
        return undefined_reason(self.gold, metric, self.options)


class ShareMaker:
    """Makes e(i) of every system after each action, anew only of what the action changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[GoldSentence, tuple[tuple[str, Fraction], ...]]] = {}
        self._masks: dict[str, int] = {}
        self.n_made = 0
        """Abstract sentences whose values were computed so far."""

    def shares(self, scores: LiveScores) -> Shares:
        """Returns e(i) of every system, for the bars; empty while h is not known."""
        masks = scores.masks()
        if not masks:
            return {}
        if masks != self._masks:
            self._masks, self._known = masks, {}
        return {sentence.n: self._of(sentence) for sentence in scores.gold.sentences}

    def _of(self, sentence: GoldSentence) -> tuple[tuple[str, Fraction], ...]:
        known = self._known.get(sentence.n)
        if known is None or known[0] is not sentence:
            self.n_made += 1
            values = tuple(
                (system, share_of(sentence, mask)) for system, mask in self._masks.items()
            )
            known = self._known[sentence.n] = sentence, values
        return known[1]


def share_of(sentence: GoldSentence, mask: int) -> Fraction:
    """Returns e(i) of an extract with these bits: what `score_extract` says, without the why.

    The bars of six systems and sixty sentences are computed within the frame of each action.
    """
    if not mask & sentence.union:
        return _fraction(0, 1)
    most, of = 0, 1
    for alternative, size in zip(sentence.masks, sentence.sizes, strict=True):
        held = (alternative & mask).bit_count()
        if held * of > most * size:
            most, of = held, size
    return _fraction(most, of)


@cache
def _fraction(held: int, size: int) -> Fraction:
    """Returns the same object for the same numbers: they are few, and quick to compare then."""
    return Fraction(held, size)


def live_scores(place: Place, gold: Gold, h: int | None, rank_weights: RankWeights) -> LiveScores:
    """Returns the scores of every system for the abstract at `place`."""
    weights = tuple((rank, exact_weight(weight)) for rank, weight in rank_weights)
    topic, abstract = place.topic, place.abstract
    extracts = extracts_for(topic, abstract.length) if topic and abstract else {}
    return LiveScores(gold=gold, extracts=extracts, h=h, options=Tsc3Options(weights=weights))
